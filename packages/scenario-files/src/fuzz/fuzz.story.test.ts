import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { prepareScenario } from '../manifests/prepare-scenario.ts';
import { readScenarios } from '../reading/read-scenarios.ts';
import { drawEvents, endTrouble, type WrittenStep } from './draw-events.ts';
import { type FuzzSubject, readFuzzSubject } from './fuzz-subject.ts';
import { shrinkEvents } from './shrink-events.ts';
import { writeHistory } from './write-history.ts';

const manifests = `
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {role: r, amiSelectorTerms: [{alias: bottlerocket@latest}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;

const text = `
apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: ours}
spec:
  cluster: {zones: 2}
  given: '-'
  never: [nodes > 40]
  cases:
    - {name: first, steps: [{advance: 1m}]}
    - {name: strict, never: [nodes > 9], steps: [{advance: 1m}]}
`;

function aSubject(played = 0): FuzzSubject {
  const [scenario] = readScenarios('ours.yaml', text);
  const found = scenario?.cases[played];
  if (scenario === undefined || found === undefined) throw new Error('the text holds no such case');
  const prepared = prepareScenario(scenario, found, { standardInput: () => manifests });
  return readFuzzSubject(prepared, text, { scenario: 0, case: played });
}

test('a subject has the rules of its case, and what manifests let happen', () => {
  expect(aSubject(1)).toEqual({
    name: 'ours (strict)',
    spec: { cluster: { zones: 2 }, given: ['-'], never: ['nodes > 40', 'nodes > 9'] },
    workloads: [{ kind: 'deployment', key: 'default/web', replicas: 3, labels: { app: 'web' } }],
    families: ['Bottlerocket'],
    zones: ['us-east-1a', 'us-east-1b'],
    nextMinor: '1.35',
  });
});

test('every history that is drawn is a scenario file without a problem', () => {
  const subject = aSubject();
  const [kinds, faults, behaviors] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let number = 1; number <= 200; number += 1) {
    const events = drawEvents(subject, seededRandom(`fuzz ${number}`));
    for (const event of events) {
      for (const kind of Object.keys(event)) kinds.add(kind);
      const { fault, release } = event as { fault?: { kind: string }; release?: { behavior: unknown } };
      if (fault !== undefined) faults.add(fault.kind);
      if (release !== undefined) behaviors.add(Array.isArray(release.behavior) ? 'list' : typeof release.behavior);
    }
    const [scenario] = readScenarios('history.yaml', writeHistory(subject, events, `history ${number}`));
    expect(scenario?.steps.length).toBeGreaterThan(events.length);
  }
  expect([...kinds].toSorted()).toEqual([
    'advance',
    'cordon',
    'delete',
    'fault',
    'interrupt',
    'kill',
    'release',
    'scale',
    'terminate',
    'upgrade',
  ]);
  expect(faults.size).toBe(12);
  expect([...behaviors].toSorted()).toEqual(['list', 'object', 'string']);
});

test('the same number draws the same history', () => {
  const [first, second] = [1, 1].map((number) => drawEvents(aSubject(), seededRandom(`fuzz ${number}`)));
  expect(first).toEqual(second);
});

test('trouble ends with what it was made of', () => {
  const events: readonly WrittenStep[] = [
    { fault: { kind: 'throttle', for: '5m' } },
    { release: { family: 'AL2023', version: 'v1', behavior: 'neverJoins' } },
    { release: { family: 'AL2023', version: 'v2', behavior: 'healthy' } },
    { scale: { deployment: 'default/web', replicas: 6 } },
    { scale: { deployment: 'default/other', replicas: 6 } },
  ];
  expect(endTrouble(events, aSubject())).toEqual([
    { clear: 'faults' },
    { withdraw: { family: 'AL2023', version: 'v1' } },
    { scale: { deployment: 'default/web', replicas: 3 } },
  ]);
});

const named = (names: string): readonly WrittenStep[] => names.split('').map((name) => ({ name }));
const namesOf = (events: readonly WrittenStep[]): string => events.map(({ name }) => String(name)).join('');

test.each([
  ['two events that fail together', 'abcdefgh', ['b', 'g'], 'bg'],
  ['one event', 'abcdefgh', ['h'], 'h'],
  ['all of them', 'abc', ['a', 'b', 'c'], 'abc'],
])('shrinking leaves %s', async (_fact, all, needed, left) => {
  const fails = (events: readonly WrittenStep[]): Promise<boolean> =>
    Promise.resolve(needed.every((name) => events.some((event) => event['name'] === name)));
  expect(namesOf(await shrinkEvents(named(all), { fails, mostTries: 60 }))).toBe(left);
});

test('shrinking ends when the tries are over, with events that fail', async () => {
  let tries = 0;
  const fails = (events: readonly WrittenStep[]): Promise<boolean> => {
    tries += 1;
    return Promise.resolve(namesOf(events).includes('h'));
  };
  const left = await shrinkEvents(named('abcdefgh'), { fails, mostTries: 2 });
  expect([tries, namesOf(left)]).toEqual([2, 'efgh']);
});
