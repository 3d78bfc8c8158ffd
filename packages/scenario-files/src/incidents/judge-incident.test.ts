import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { prepareScenario } from '../manifests/prepare-scenario.ts';
import type { ScenarioFailure, ScenarioResult } from '../playing/scenario-result.ts';
import { readScenarios } from '../reading/read-scenarios.ts';
import { judgeIncident } from './judge-incident.ts';

const file = `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: { name: an incident }
spec:
  steps:
    - waitUntil: nodes.size() >= 10
    - waitUntil: nodes.all(n, n.release == "v20300101")
`;

function judge(end: Parameters<typeof judgeIncident>[2], failed?: Partial<ScenarioFailure>) {
  const [scenario] = readScenarios('R0.yaml', file);
  const [first] = scenario?.cases ?? [];
  if (scenario === undefined || first === undefined) throw new Error('there is no scenario');
  const failure: ScenarioFailure = {
    kind: 'waitUntil',
    place: { file: 'R0.yaml', line: 7, column: 18 },
    text: 'nodes.all(n, n.release == "v20300101")',
    message: 'did not come true within 7d',
    at: instant(0),
    values: [{ text: 'nodes.size()', value: '3' }],
    before: [],
    ...failed,
  };
  const result: ScenarioResult = {
    name: 'an incident',
    case: '',
    file: 'R0.yaml',
    seed: 1,
    startedAt: instant(0),
    endedAt: instant(1),
    remarks: [],
    passedOver: [],
    ...(failed !== undefined && { failure }),
  };
  const judged = judgeIncident(result, prepareScenario(scenario, first, { standardInput: () => '' }), end);
  return judged.verdict ?? (judged.failure === undefined ? 'passed' : 'failed');
}

const begin = { place: { file: 'R0.yaml', line: 6, column: 18 }, text: 'nodes.size() >= 10' };
const told = { at: instant(0), by: 'controller', what: 'FailedScheduling', text: 'Pod web: no type fits' } as const;

test('the bad end came where nothing failed, and did not come where its expectation failed', () => {
  expect(judge('bad')).toEqual({ kind: 'badEnd' });
  expect(judge('bad', { kind: 'expect', text: 'claims.size() > 20', message: 'is false' })).toEqual({
    kind: 'noBadEnd',
    because: 'claims.size() > 20 is false (nodes.size() is 3)',
  });
});

test.each(['bad', 'guarded', 'ownPolicies'] as const)('an incident that cannot begin is left out: %s', (end) => {
  expect(judge(end, { ...begin, before: [told] })).toEqual({
    kind: 'notPlayed',
    because: 'its pods find no nodes: Pod web: no type fits',
  });
});

test('a guard that does not hold is a failure; a policy of the team that waits is none', () => {
  expect(judge('guarded')).toBe('passed');
  expect(judge('guarded', {})).toBe('failed');
  expect(judge('ownPolicies', {})).toEqual({
    kind: 'notPlayed',
    because: 'your policies let it go no further: nodes.all(n, n.release == "v20300101") did not come true within 7d',
  });
  expect(judge('ownPolicies', { text: 'pods.all(p, p.ready)' })).toBe('failed');
  expect(judge('ownPolicies', { kind: 'always' })).toBe('failed');
});
