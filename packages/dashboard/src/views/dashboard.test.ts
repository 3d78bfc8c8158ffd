import { type Condition, fromTimestamp, instant, minutes, type PodDisruptionBudget } from '@nodewright/apis';
import { forecastWaves, planRollouts } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { seededRandom } from '@nodewright/runtime';
import { aClusterReading, aLoosePool, aNode, aNodeClass, aPod, aRunningPod, SimulatedFleet } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { explainMachine } from '../explain/explain-machine.ts';
import { createNodeJudges } from '../explain/node-judges.ts';
import { explainPod } from '../explain/explain-pod.ts';
import type { ImageReport, ReportedImage } from '../images/image-report.ts';
import { viewBlockers } from './blockers.ts';
import { viewDashboard } from './dashboard.ts';
import { viewFleet } from './fleet.ts';
import { viewImages, viewNodeClasses } from './images.ts';
import { viewRollouts } from './rollouts.ts';
import { viewSpending } from './spending.ts';
import { viewWaitingPods } from './waiting-pods.ts';

/** A Friday. */
const now = fromTimestamp('2024-03-01T12:00:00Z');
const since = '2024-03-01T10:00:00Z';
const drifted: readonly Condition[] = [
  { type: 'Drifted', status: 'True', reason: 'AMIDrift', lastTransitionTime: since },
];
const web = { app: 'web' };
const blockingBudget: PodDisruptionBudget = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { matchLabels: web }, maxUnavailable: 0 },
};

describe('the fleet', () => {
  const nodes = [
    aNode('fine', { pods: [aRunningPod('web', 'fine', 2)], createdAt: '2024-02-20T00:00:00Z' }),
    aNode('drifted', { claimConditions: drifted }),
    aNode('going', { markedForDeletion: true }),
    aNode('silent', { ready: false }),
    aNode('new', { stage: 'inFlight', createdAt: '2024-03-01T11:58:00Z' }),
    aNode('never', { stage: 'inFlight', createdAt: '2024-03-01T11:44:00Z' }),
    aNode('booting', { ready: false, createdAt: '2024-03-01T11:59:00Z' }),
    aNode('foreign', { managed: false }),
  ];
  const reading = aClusterReading({ nodes });
  const rows = viewFleet(reading, [], createNodeJudges(reading, now));

  test('tells the stage of each node, in the order of their names', () => {
    expect(rows.map(({ id, stage }) => [id, stage])).toEqual([
      ['booting', 'starting'],
      ['drifted', 'toMove'],
      ['fine', 'ready'],
      ['foreign', 'unmanaged'],
      ['going', 'leaving'],
      ['never-claim', 'troubled'],
      ['new-claim', 'starting'],
      ['silent', 'troubled'],
    ]);
  });

  test('answers as explain does', () => {
    for (const { id, answer } of rows) expect(answer).toBe(explainMachine(id, reading, now).answer);
  });

  test('has the price and the use of a node in the words of explain', () => {
    const row = rows.find(({ id }) => id === 'fine');
    expect(explainMachine('fine', reading, now).reasons.at(-1)).toBe(
      `it costs $0.160 an hour; ${row?.pods} pod requests ${row?.cpuPercent}% of its CPU and ${row?.memoryPercent}% of its memory`,
    );
  });

  test('has price, use and drift of a node, and how many pods are on it', () => {
    expect(rows.find(({ id }) => id === 'fine')).toEqual({
      id: 'fine',
      group: 'NodePool/default',
      zone: 'zone-a',
      instanceType: 'c4',
      capacityType: 'on-demand',
      createdAt: '2024-02-20T00:00:00Z',
      microUsdPerHour: 160_000,
      stage: 'ready',
      answer: 'stays: it is what its NodePool and NodeClass ask for',
      pods: 1,
      cpuPercent: 50,
      memoryPercent: 0,
      explain: 'node/fine',
    });
    expect(rows.find(({ id }) => id === 'drifted')?.drift).toEqual({ reason: 'AMIDrift', since });
    expect(rows.find(({ id }) => id === 'foreign')?.group).toBe('(unmanaged)');
  });
});

describe('blockers', () => {
  for (const { fact, reading, row } of [
    {
      fact: 'name the PodDisruptionBudget that holds a drifted node',
      reading: aClusterReading({
        nodes: [aNode('a', { claimConditions: drifted, pods: [aPod('web', { nodeName: 'a', labels: web })] })],
        podDisruptionBudgets: [blockingBudget],
      }),
      row: {
        because: 'AMIDrift',
        since,
        causes: [
          {
            cause: 'eviction',
            message:
              'PodDisruptionBudget default/web never allows an eviction of pod default/web as it is: its maxUnavailable is 0',
            object: { kind: 'PodDisruptionBudget', name: 'default/web' },
          },
        ],
      },
    },
    {
      fact: 'name the budget of the pool',
      reading: aClusterReading({
        nodes: [aNode('a', { claimConditions: drifted })],
        pool: aLoosePool('default', { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } }),
      }),
      row: {
        because: 'AMIDrift',
        since,
        causes: [
          {
            cause: 'budget',
            message: 'the disruption budgets of NodePool default allow 0 nodes, 0 are away',
            object: { kind: 'NodePool', name: 'default' },
            isLasting: true,
          },
        ],
      },
    },
    {
      fact: 'name the budget that never opens behind another cause, too',
      reading: aClusterReading({
        nodes: [aNode('a', { claimConditions: drifted, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })],
        pool: aLoosePool('default', { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } }),
      }),
      row: {
        because: 'AMIDrift',
        since,
        causes: [
          { cause: 'doNotDisruptNode', message: 'the node carries the annotation karpenter.sh/do-not-disrupt' },
          {
            cause: 'budget',
            message: 'the disruption budgets of NodePool default never let a node go',
            object: { kind: 'NodePool', name: 'default' },
            isLasting: true,
          },
        ],
      },
    },
    {
      fact: 'name the pod that keeps a node that is leaving',
      reading: aClusterReading({
        nodes: [
          aNode('a', {
            markedForDeletion: true,
            pods: [aPod('web', { nodeName: 'a', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })],
          }),
        ],
      }),
      row: {
        because: 'it is leaving',
        causes: [
          {
            cause: 'protectedPod',
            message: 'pod default/web carries the annotation karpenter.sh/do-not-disrupt',
            object: { kind: 'Pod', name: 'default/web' },
          },
        ],
      },
    },
  ]) {
    test(fact, () => {
      expect(viewBlockers(reading, createNodeJudges(reading, now), now)).toEqual([
        { id: 'a', node: 'a', group: 'NodePool/default', explain: 'node/a', ...row },
      ]);
      const { answer, reasons } = explainMachine('a', reading, now);
      for (const { message } of row.causes) expect([answer, ...reasons].join('\n')).toContain(message);
    });
  }

  test('are none where nodes stay, or go next', () => {
    const reading = aClusterReading({ nodes: [aNode('a'), aNode('b', { claimConditions: drifted })] });
    expect(viewBlockers(reading, createNodeJudges(reading, now), now)).toEqual([]);
  });
});

/** A policy whose canary has just begun. */
function aRolloutReading(): ClusterReading {
  const fleet = new SimulatedFleet({ random: seededRandom('dashboard'), pools: [{ name: 'default', nodes: 4 }] });
  fleet.reconcile();
  fleet.publish('v2');
  for (let step = 0; step < 6; step += 1) {
    fleet.reconcile();
    fleet.advanceTime(minutes(5));
  }
  const snapshot = fleet.snapshot();
  const nodes = snapshot.nodes.map(({ name }) => aNode(name));
  const outlook = {
    policy: 'test',
    snapshot,
    plan: planRollouts(snapshot),
    waves: forecastWaves(snapshot),
    nodeNames: new Map(),
  };
  return aClusterReading({
    nodes,
    rollouts: [outlook],
    rolloutObjects: { policies: [fleet.policy], rollouts: fleet.rollouts },
  });
}

/** The same nodes and the same plan, in a group: nodes without NodeClaims, which the plan knows by their instances. */
function asNodesOfGroup(reading: ClusterReading, traits: { readonly ready?: boolean } = {}): ClusterReading {
  const [outlook] = reading.rollouts;
  if (outlook === undefined) throw new Error('there is no rollout');
  const { snapshot } = outlook;
  const nodes = snapshot.nodes.map((node) => ({ ...node, object: 'NodeGroup/workers' }));
  const nodeNames = new Map(nodes.map(({ name }) => [name, `ip-${name}`]));
  return aClusterReading({
    nodes: nodes.map(({ name }) => aNode(`ip-${name}`, { managed: false, ...traits })),
    rollouts: [{ ...outlook, snapshot: { ...snapshot, nodes }, nodeNames }],
    rolloutObjects: reading.rolloutObjects,
  });
}

describe('a rollout under way', () => {
  const reading = aRolloutReading();
  const at = reading.rollouts[0]?.snapshot.now ?? instant(0);

  test('is shown with its waves, its window and the commands in full', () => {
    const [row, ...others] = viewRollouts(reading, at);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ policy: 'test', cause: 'NewRelease', total: 4, window: { isOpen: true } });
    expect(row?.waves.length).toBeGreaterThan(1);
    expect(row?.waves.filter(({ startedAt }) => startedAt !== undefined).length).toBeGreaterThan(0);
    expect(row?.images[0]).toContain('v1 (ami-1-AL2023/amd64/none) -> v2');
    expect(row?.commands.map(({ command }) => command)).toContain(`nodewright rollout halt ${row?.id} --reason TEXT`);
  });

  test('holds nodes, and they are told which gates do, in the words of explain', () => {
    const rows = viewBlockers(reading, createNodeJudges(reading, at), at);
    expect(rows.length).toBeGreaterThan(0);
    for (const { node, causes, because, since: begun } of rows) {
      expect([because, begun]).toEqual([viewRollouts(reading, at)[0]?.id, viewRollouts(reading, at)[0]?.startedAt]);
      const { reasons } = explainMachine(node, reading, at);
      for (const { cause, message } of causes) expect(reasons).toContain(`gate ${cause}: ${message}`);
    }
  });

  test('shows on each node whether it runs the target', () => {
    const images = viewFleet(reading, [], createNodeJudges(reading, at)).map(({ governed }) => governed?.image);
    expect(new Set(images)).toEqual(new Set(['target', 'proven']));
  });

  test('gives each node the answer of explain', () => {
    for (const { id, answer } of viewFleet(reading, [], createNodeJudges(reading, at)))
      expect(answer).toBe(explainMachine(id, reading, at).answer);
  });

  describe('of an Auto Scaling group', () => {
    const ofGroup = asNodesOfGroup(reading);
    const { nodes } = ofGroup.disruption;
    const names = nodes.map(({ node }) => node?.metadata.name ?? '');

    test('tells every gate of its nodes, which have no NodeClaims', () => {
      const held = names
        .map((name) => explainMachine(name, ofGroup, at))
        .filter(({ answer }) => answer.startsWith('has to'));
      expect(held.length).toBeGreaterThan(0);
      for (const { reasons } of held) expect(reasons.some((reason) => reason.startsWith('gate '))).toBe(true);
    });

    test('never calls a node fine that does not work', () => {
      const silent = asNodesOfGroup(reading, { ready: false });
      for (const { id, answer } of viewFleet(silent, [], createNodeJudges(silent, at))) {
        const explained = explainMachine(id, silent, at);
        expect(answer).toBe(explained.answer);
        expect([answer, ...explained.reasons].join(' ')).toContain('does not work');
        expect(answer).not.toContain('has nothing to change');
      }
    });
  });
});

const anImageOf = (id: string, traits: Partial<ReportedImage>): ReportedImage => ({
  id,
  name: id,
  state: 'older',
  because: 'another one is newer',
  nodes: 0,
  ...traits,
});

test('images are an inventory of what is launched and what nodes run, and classes tell why nothing newer', () => {
  const report: ImageReport = {
    name: 'default',
    kubernetesVersion: '1.29',
    terms: ['alias: al2023@latest'],
    changesAt: '2024-03-05T00:00:00Z',
    advice: [],
    images: [
      anImageOf('ami-3', {
        release: 'v3',
        createdAt: '2024-03-01T00:00:00Z',
        state: 'baking',
        because: 'too young until 2024-03-05T00:00:00Z',
      }),
      anImageOf('ami-2', { release: 'v2', state: 'selected', because: 'this is what new nodes get', nodes: 2 }),
      ...Array.from({ length: 9 }, (_, index) => anImageOf(`ami-old-${index}`, {})),
      anImageOf('ami-1', { release: 'v1', nodes: 1 }),
    ],
  };
  const rows = viewImages([report]);
  expect(rows.map(({ image }) => image)).toEqual(['ami-1', 'ami-2', 'ami-3', 'ami-old-0', 'ami-old-1', 'ami-old-2']);
  const [row] = viewNodeClasses([aNodeClass()], [report]);
  expect(row).toMatchObject({ id: 'default', answer: 'launches v2 (ami-2)', isStuck: false });
  expect(row?.newer).toEqual(['v3: too young until 2024-03-05T00:00:00Z']);
  expect(row?.reasons).toContain('v3 (ami-3) is not launched: too young until 2024-03-05T00:00:00Z; 0 nodes run it');
});

test('money is told by pool and capacity type, with what starts and leaves apart', () => {
  const nodes = [
    aNode('a'),
    aNode('b', { markedForDeletion: true }),
    aNode('c', { labels: { 'karpenter.sh/capacity-type': 'spot' } }),
    aNode('d', { instanceType: 'unheard-of' }),
  ];
  expect(viewSpending(aClusterReading({ nodes }))).toEqual([
    {
      id: 'NodePool/default|on-demand',
      group: 'NodePool/default',
      capacityType: 'on-demand',
      nodes: 3,
      microUsdPerHour: 320_000,
      surgeMicroUsdPerHour: 160_000,
      unpriced: 1,
      explain: 'nodepool/default',
    },
    {
      id: 'NodePool/default|spot',
      group: 'NodePool/default',
      capacityType: 'spot',
      nodes: 1,
      microUsdPerHour: 56_000,
      surgeMicroUsdPerHour: 0,
      unpriced: 0,
      explain: 'nodepool/default',
    },
  ]);
});

test('pods that wait for the same reasons are one row, in the words of explain', () => {
  const [first, second, gated] = [aPod('b'), aPod('a'), aPod('c', { schedulingGates: [{ name: 'quota' }] })];
  const reasons = ['no instance type has 99 cores'];
  const unschedulable = [first, second].map((pod) => ({ pod, reasons }));
  const reading = aClusterReading({ pods: [first, second, gated], round: { unschedulable } });
  expect(viewWaitingPods(reading).map(({ stage, pods, names, explain }) => ({ stage, pods, names, explain }))).toEqual([
    { stage: 'held', pods: 1, names: ['default/c'], explain: 'pod/default/c' },
    { stage: 'noPlace', pods: 2, names: ['default/a', 'default/b'], explain: 'pod/default/a' },
  ]);
  const { answer } = explainPod({ name: 'a', namespace: 'default' }, reading, now);
  expect(viewWaitingPods(reading)[1]).toMatchObject({ answer, reasons });
});

test('an empty cluster is shown as empty', () => {
  const { at, ...sections } = viewDashboard({ reading: aClusterReading(), reports: [], now });
  expect(at).toBe('2024-03-01T12:00:00Z');
  expect(Object.values(sections).flat()).toEqual([]);
});
