import type { NodeGroup } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { aClusterReading, SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { explainNodeGroup } from './explain-node-group.ts';
import { printExplanation } from './explanation.ts';

const at = '2024-03-01T10:00:00Z';
const workers: NodeGroup = {
  metadata: { name: 'workers' },
  spec: { eks: { name: 'system' }, image: { amiSelectorTerms: [{ alias: 'al2023@latest' }] } },
};

const explain = (status: NodeGroup['status']): string =>
  printExplanation(
    explainNodeGroup('workers', aClusterReading({ nodeGroups: [{ ...workers, ...(status && { status }) }] })),
  );

test('a group that is held says how far it is, since when it is held and by what', () => {
  expect(
    explain({
      phase: 'Blocked',
      reason: 'PodDisruptionBudget web/api lets no pod go',
      target: { image: 'ami-2', release: 'v2' },
      nodes: { total: 3, updated: 1, ready: 2 },
      update: { number: 4, target: 'v2', startedAt: at, phase: 'Upgrade' },
      blockedBy: [{ reason: 'PodDisruptionBudget', message: 'web/api allows 0 evictions', since: at }],
    }),
  ).toBe(
    [
      'NodeGroup workers: is Blocked: PodDisruptionBudget web/api lets no pod go',
      '  - managed node group system',
      '  - 1 of 3 nodes run what it is to run, 2 are Ready',
      '  - the group is to run ami-2 (v2)',
      `  - update 4 to v2 is under way since ${at}, in phase Upgrade`,
      `  - held since ${at}: web/api allows 0 evictions`,
      '  nodewright nodegroup plan workers tells what an update would do',
    ].join('\n'),
  );
});

test('a group that was not looked at yet says so', () => {
  expect(explain(undefined)).toContain('NodeGroup workers: is Pending: it has not been looked at yet');
});

test('a name that is no NodeGroup is refused with those that are', () => {
  expect(() => explainNodeGroup('system', aClusterReading({ nodeGroups: [workers] }))).toThrow(/workers/);
});

test('a group that a policy holds names the policy and its gates, and none of another group', () => {
  const fleet = new SimulatedFleet({
    random: seededRandom('group'),
    policy: {},
    pools: [{ name: 'default', nodes: 1 }],
  });
  const held = (group: string, message: string) => ({
    node: `NodeGroup/${group}`,
    blockers: [{ gate: 'pause', message } as const],
  });
  const plan = { ...fleet.reconcile(), held: [held('workers', 'freeze pauses it'), held('system', 'another pause')] };
  const outlook = { policy: 'production', snapshot: fleet.snapshot(), plan, waves: [], nodeNames: new Map() };
  const { reasons } = explainNodeGroup('workers', {
    ...aClusterReading({ nodeGroups: [workers] }),
    rollouts: [outlook],
  });
  expect(reasons).toContain('NodeRolloutPolicy production holds it: freeze pauses it');
  expect(reasons.join()).not.toContain('another pause');
});

test('of an Auto Scaling group it is told how many nodes each gate holds', () => {
  const fleet = new SimulatedFleet({ random: seededRandom('group'), pools: [{ name: 'default', nodes: 3 }] });
  fleet.nodes = fleet.nodes.map((node, index) => (index < 2 ? { ...node, object: 'NodeGroup/workers' } : node));
  const blockers = [{ gate: 'wave', message: 'wave canary has 1 seat' } as const];
  const plan = { ...fleet.reconcile(), held: fleet.nodes.map(({ name }) => ({ node: name, blockers })) };
  const outlook = { policy: 'production', snapshot: fleet.snapshot(), plan, waves: [], nodeNames: new Map() };
  const reading = { ...aClusterReading({ nodeGroups: [workers] }), rollouts: [outlook] };
  expect(explainNodeGroup('workers', reading).reasons).toContain(
    'NodeRolloutPolicy production holds 2 nodes of it: wave canary has 1 seat',
  );
});
