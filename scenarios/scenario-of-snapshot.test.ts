import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeSnapshot } from '@nodewright/forecast';
import { playScenario, prepareScenario, readScenarios } from '@nodewright/scenario-files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapCluster } from './support/snapped-world.ts';

let folder: string;
let nodeCount: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scenario-of-snapshot-'));
  // No policy holds its nodes: all of them may move at once.
  const { snapshot } = await snapCluster('scenario-2', 9);
  expect(snapshot.kubernetes['noderolloutpolicies.nodewright.dev'] ?? []).toEqual([]);
  nodeCount = snapshot.kubernetes['nodes']?.length ?? 0;
  writeFileSync(join(folder, 'production.json.gz'), encodeSnapshot(snapshot));
});
afterAll(() => rmSync(folder, { recursive: true }));

function prepare(cluster: string, steps: string) {
  const text = `
apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: ours}
spec:
  cluster: ${cluster}
  steps:
${steps.trim().replaceAll(/^ */gm, '    ')}
`;
  const [scenario] = readScenarios(join(folder, 'ours.yaml'), text);
  const [played] = scenario?.cases ?? [];
  if (scenario === undefined || played === undefined) throw new Error('the text holds no scenario');
  return prepareScenario(scenario, played, { standardInput: () => '' });
}

test('a scenario begins with the nodes of a snapshot, and the controller goes on with them', async () => {
  expect(nodeCount).toBeGreaterThan(0);
  const prepared = prepare(
    '{snapshot: production.json.gz}',
    `
    - expect: nodes.size() == ${nodeCount} && nodes.all(n, n.ready && n.price > 0.0) && claims.size() == ${nodeCount}
    - patch: {kind: NodePool, merge: {spec: {disruption: {budgets: [{nodes: 100%}]}, template: {metadata: {labels: {round: second}}}}}}
    - waitUntil: nodes.all(n, n.ready && n.labels.round == "second") && pods.all(p, p.ready)
    - expect: instances.filter(i, !i.running).size() >= ${nodeCount}`,
  );
  const { failure, startedAt } = await playScenario(prepared, { seed: 1 });
  expect(failure).toBeUndefined();
  expect(new Date(startedAt).toISOString()).toBe('2025-03-03T06:09:00.000Z');
});

test('what a snapshot says is not said a second time, and other files are refused at their place', () => {
  expect(() => prepare('{snapshot: production.json.gz, zones: 2}', '- advance: 1m')).toThrow(
    'spec.cluster.zones is no field of a scenario; there are snapshot, featureGates',
  );
  expect(() => prepare('{snapshot: ours.json}', '- advance: 1m')).toThrow('ours.yaml:6:23: ours.json: ENOENT');
});
