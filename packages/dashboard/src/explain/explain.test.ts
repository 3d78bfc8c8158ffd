import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Budget, type Condition, fromTimestamp, type NodePool, type Pod, type PodStatus } from '@nodewright/apis';
import type { DisruptionSnapshot, NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { parseManifests } from '@nodewright/runtime';
import { aNode, aNodeClass, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { ImageReport, ReportedImage } from '../images/image-report.ts';
import { explainBudget } from './explain-budget.ts';
import { explainNodeClass } from './explain-node-class.ts';
import { explainNodePool } from './explain-node-pool.ts';
import { explainNode } from './explain-node.ts';
import { explainPod } from './explain-pod.ts';
import { printExplanation } from './explanation.ts';

/** A Friday. */
const now = fromTimestamp('2024-03-01T12:00:00Z');
const driftedSince = (at: string) => ({
  claimConditions: [{ type: 'Drifted', status: 'True', reason: 'AMIDrift', lastTransitionTime: at } as const],
});

const reading = (nodes: readonly NodeState[], pool: NodePool = aNodePool('default', noBudget)) => {
  const disruption: DisruptionSnapshot = {
    supplies: [{ nodePool: pool, instanceTypes: [anInstanceType('c4')] }],
    nodes,
    queued: new Set(),
    pendingPods: [],
    daemonPods: [],
    namespaces: [],
    podDisruptionBudgets: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  };
  return {
    nodePools: [pool],
    nodeClaims: nodes.flatMap(({ nodeClaim }) => nodeClaim ?? []),
    nodeGroups: [],
    disruption,
    spotToSpot: false,
    unsuppliedPools: new Map<string, string>(),
  };
};
const noBudget = { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] } } as const;
const withBudgets = (budgets: readonly Budget[]): NodePool =>
  aNodePool('default', { disruption: { consolidateAfter: '0s', budgets } });

describe('a node', () => {
  const drifted = aNode('a', driftedSince('2024-03-01T10:00:00Z'));
  for (const { fact, nodes, pool, answer } of [
    {
      fact: 'that has not drifted stays',
      nodes: [aNode('a')],
      answer: 'stays: it is what its NodePool and NodeClass ask for',
    },
    { fact: 'that has drifted is next', nodes: [drifted], answer: 'has drifted and is replaced next' },
    {
      fact: 'waits for the one before it',
      nodes: [drifted, aNode('b', driftedSince('2024-03-01T09:00:00Z'))],
      answer: 'has drifted and is not replaced now: node b goes first',
    },
    {
      fact: 'waits for a budget',
      nodes: [drifted],
      pool: withBudgets([{ nodes: '0' }]),
      answer:
        'has drifted and is not replaced now: the disruption budgets of NodePool default allow 0 nodes, 0 are away',
    },
    {
      fact: 'that nobody manages is left alone',
      nodes: [aNode('a', { managed: false })],
      answer: 'is left alone: no NodePool and no NodeGroup keeps it',
    },
    {
      fact: 'that nobody manages and that is silent does not work',
      nodes: [aNode('a', { managed: false, ready: false })],
      answer: expect.stringMatching(
        /^does not work as it should: its kubelet .*; no NodePool and no NodeGroup keeps it$/,
      ),
    },
    { fact: 'that goes is leaving', nodes: [aNode('a', { markedForDeletion: true })], answer: 'is leaving' },
  ]) {
    test(fact, () => {
      expect(explainNode('a', reading(nodes, pool), now).answer).toEqual(answer);
    });
  }

  test('is found by its claim, and tells since when it drifted', () => {
    const { subject, reasons } = explainNode('a-claim', reading([drifted]), now);
    expect([subject.name, reasons[0]]).toEqual(['a', 'AMIDrift since 2024-03-01T10:00:00Z']);
  });

  test('that pods have just left tells when it will have been quiet for consolidateAfter', () => {
    const pool = aNodePool('default', { disruption: { ...noBudget.disruption, consolidateAfter: '5m' } });
    const since = '2024-03-01T11:58:00Z';
    const node = aNode('a', { claimConditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: since }] });
    const { reasons, changesAt, change } = explainNode('a', reading([node], pool), now);
    expect(reasons).toContain('it is not deleted as empty: pods have come or gone within consolidateAfter');
    expect(changesAt).toBe('2024-03-01T12:03:00Z');
    expect(change).toContain('no pod has come or gone');
  });

  test('of a pool with a number of nodes is none to be consolidated', () => {
    const pool = aNodePool('default', { ...noBudget, replicas: 1 });
    const { disruption, ...rest } = reading([aNode('a')], pool);
    const seen = {
      ...disruption,
      supplies: [],
      staticPools: new Set(['default']),
      staticSupplies: disruption.supplies,
    };
    expect(explainNode('a', { ...rest, disruption: seen }, now).reasons).toContain(
      'it is not consolidated: NodePool default has a fixed number of nodes',
    );
  });

  test('that does not exist is told with those that do', () => {
    expect(() => explainNode('x', reading([drifted]), now)).toThrow('no Node or NodeClaim x; there is a');
  });
});

test('a node held by a PodDisruptionBudget that can never yield is told so', () => {
  const labels = { app: 'web' };
  const node = aNode('a', { ...driftedSince('2024-03-01T10:00:00Z'), pods: [aPod('web', { nodeName: 'a', labels })] });
  const { disruption, ...rest } = reading([node]);
  const podDisruptionBudgets = [
    { metadata: { name: 'web', namespace: 'default' }, spec: { selector: { matchLabels: labels }, maxUnavailable: 0 } },
  ];
  const { answer } = explainNode('a', { ...rest, disruption: { ...disruption, podDisruptionBudgets } }, now);
  expect(answer).toBe(
    'has drifted and is not replaced now: PodDisruptionBudget default/web never allows an eviction of pod default/web as it is: its maxUnavailable is 0',
  );
});

describe('a node that does not work is never called fine', () => {
  const since = '2024-03-01T11:50:00Z';
  const withConditions = (...conditions: readonly Condition[]): NodeState => {
    const state = aNode('a');
    const { node } = state;
    return node === undefined ? state : { ...state, node: { ...node, status: { ...node.status, conditions } } };
  };
  const withPod = (status: PodStatus): NodeState =>
    aNode('a', { pods: [{ ...aPod('web', { nodeName: 'a' }), status }] });
  const waiting = (reason: string, restartCount = 0): PodStatus => ({
    phase: 'Pending',
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2024-03-01T11:59:00Z' }],
    containerStatuses: [
      { name: 'main', image: '', imageID: '', ready: false, restartCount, state: { waiting: { reason } } },
    ],
  });
  const unreadySince = (lastTransitionTime: string): PodStatus => ({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }],
  });
  const ready: Condition = { type: 'Ready', status: 'True' };
  const fine = 'stays: it is what its NodePool and NodeClass ask for';
  const bad = (trouble: string): string =>
    `does not work as it should: ${trouble}; its NodePool and NodeClass ask for nothing else`;

  for (const { fact, node, answer } of [
    {
      fact: 'whose kubelet is silent',
      node: withConditions({
        type: 'Ready',
        status: 'Unknown',
        lastTransitionTime: since,
        reason: 'NodeStatusUnknown',
      }),
      answer: bad(`its kubelet is silent since ${since} (NodeStatusUnknown)`),
    },
    {
      fact: 'that is not ready',
      node: withConditions({ type: 'Ready', status: 'False', lastTransitionTime: since, message: 'no CNI' }),
      answer: bad(`its kubelet reports that it is not ready since ${since} (no CNI)`),
    },
    { fact: 'whose kubelet never reported', node: withConditions(), answer: bad('its kubelet has not reported yet') },
    {
      fact: 'under pressure',
      node: withConditions(ready, { type: 'DiskPressure', status: 'True', lastTransitionTime: since }),
      answer: bad(`its condition DiskPressure is True since ${since}`),
    },
    {
      fact: 'whose kernel is not ready',
      node: withConditions(ready, { type: 'KernelReady', status: 'False' }),
      answer: bad('its condition KernelReady is False'),
    },
    { fact: 'with all well', node: withConditions(ready, { type: 'KernelReady', status: 'True' }), answer: fine },
    {
      fact: 'that has not joined',
      node: aNode('a', { stage: 'inFlight' }),
      answer: bad('it has not joined the cluster'),
    },
    {
      fact: 'whose pods do not start',
      node: withPod(waiting('RunContainerError')),
      answer: bad('its pod default/web does not run: container main is in RunContainerError'),
    },
    {
      fact: 'whose pods crash',
      node: withPod(waiting('CrashLoopBackOff', 4)),
      answer: bad('its pod default/web does not run: container main is in CrashLoopBackOff, restarted 4 times'),
    },
    {
      fact: 'whose pods are not ready for long',
      node: withPod(unreadySince(since)),
      answer: bad(`its pod default/web is not ready since ${since}`),
    },
    { fact: 'whose pods start', node: withPod(waiting('ContainerCreating')), answer: fine },
    { fact: 'whose pods are not ready yet', node: withPod(unreadySince('2024-03-01T11:58:00Z')), answer: fine },
    { fact: 'with a pod of the past that failed', node: withPod({ phase: 'Failed' }), answer: fine },
  ] as readonly { fact: string; node: NodeState; answer: string }[]) {
    test(`one ${fact}`, () => {
      const name = node.node === undefined ? 'a-claim' : 'a';
      expect(explainNode(name, reading([node]), now).answer).toBe(answer);
    });
  }
});

describe('the budgets of the image guide', () => {
  const path = join(import.meta.dirname, '../../../../examples/managing-amis/budgets.yaml');
  const [pool] = parseManifests(readFileSync(path, 'utf8')) as readonly [NodePool];
  const nodes = Array.from({ length: 10 }, (_, index) => aNode(`n${index}`));
  const at = (time: string) => explainBudget('default', reading(nodes, pool), fromTimestamp(time));

  for (const { fact, time, answer, changesAt } of [
    {
      fact: 'allow 15% on a weekday at noon',
      time: '2024-03-01T12:00:00Z',
      answer: 'Drifted 2 more, Underutilized 2 more, Empty 2 more',
      changesAt: '2024-03-01T17:00:00Z',
    },
    {
      fact: 'hold drift outside of working hours',
      time: '2024-02-29T20:00:00Z',
      answer: 'Drifted 0 more, Underutilized 2 more, Empty 2 more',
      changesAt: '2024-03-01T09:00:00Z',
    },
    {
      fact: 'hold everything at the weekend',
      time: '2024-03-03T12:00:00Z',
      answer: 'Drifted 0 more, Underutilized 0 more, Empty 0 more',
      changesAt: '2024-03-04T09:00:00Z',
    },
  ]) {
    test(fact, () => {
      expect(at(time)).toMatchObject({ answer, changesAt });
    });
  }

  test('tell what they allow after the change', () => {
    expect(at('2024-03-03T12:00:00Z').change).toBe(
      'the budgets allow Drifted 2 more, Underutilized 2 more, Empty 2 more',
    );
  });

  test('are told one by one', () => {
    expect(at('2024-03-03T12:00:00Z').reasons).toEqual([
      'nodes that count: 10, of which away or leaving: 0',
      '15% of 10 nodes is 2, for every reason: always',
      'nodes: 3, for every reason: always',
      'nodes: 0, for every reason: counts now until 2024-03-04T09:00:00Z (0 9 * * sat-sun UTC for 24h)',
      'nodes: 0, for Drifted: does not count until 2024-03-04T17:00:00Z (0 17 * * mon-fri UTC for 16h)',
    ]);
  });
});

test('a NodePool tells what its nodes wait for', () => {
  const nodes = [aNode('a', driftedSince('2024-03-01T10:00:00Z')), aNode('b')];
  const { answer, reasons } = explainNodePool('default', reading(nodes), now);
  expect(answer).toBe('launches nothing now');
  expect(reasons.slice(-2)).toEqual([
    'a has drifted and is replaced next',
    'b stays: it is what its NodePool and NodeClass ask for',
  ]);
});

test('a NodePool with a fixed number of nodes tells its types, and why it can launch none of them', () => {
  const Ready = { type: 'Ready', status: 'True', lastTransitionTime: '2024-03-01T10:00:00Z' } as const;
  const ofTypes = (...values: string[]) => {
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values } as const];
    const pool = {
      ...aNodePool('default', { ...noBudget, replicas: 1, requirements }),
      status: { conditions: [Ready] },
    };
    const { disruption, ...rest } = reading([], pool);
    const seen = { ...rest, disruption: { ...disruption, supplies: [], staticSupplies: disruption.supplies } };
    return explainNodePool('default', seen, now);
  };
  expect(ofTypes('c4').answer).toBe('launches nodes of 1 instance types now, of 1 of EC2NodeClass default');
  expect(ofTypes('c4').reasons.join()).not.toContain('no instance type');
  const { answer, reasons } = ofTypes('c5');
  expect(answer).toBe('launches nodes of 0 instance types now, of 1 of EC2NodeClass default');
  expect(reasons.join('|')).toContain(
    'NodePool default: no instance type of its NodeClass meets the requirements of the NodePool: 1 type; 0 after node.kubernetes.io/instance-type In [c5] (there is c4)',
  );
});

describe('a pod', () => {
  const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' } as const;
  const waiting: Pod = { ...aPod('web'), status: { conditions: [unschedulable] } };
  const nothing: ClusterReading['round'] = {
    ignored: [],
    newNodes: [],
    existing: [],
    waiting: [],
    unschedulable: [],
    deferred: [],
  };
  const explained = (pod: Pod, round: Partial<ClusterReading['round']> = {}) =>
    explainPod({ name: 'web', namespace: 'default' }, { pods: [pod], round: { ...nothing, ...round } }, now);

  test('that runs tells where', () => {
    const running: Pod = { ...waiting, spec: { ...waiting.spec, nodeName: 'a' }, status: { phase: 'Running' } };
    expect(explained(running).answer).toBe('is on node a, Running');
  });

  test('without a place tells every reason', () => {
    const refused = { pod: waiting, reasons: ['no instance type is large enough', 'taints'] };
    expect(explained(waiting, { unschedulable: [refused] }).reasons).toEqual([
      'no instance type is large enough',
      'taints',
    ]);
  });

  test('that waits for capacity tells when it is tried again', () => {
    const until = fromTimestamp('2024-03-04T12:03:00Z');
    const refused = { pod: waiting, reasons: ['out of capacity'], until };
    expect(explained(waiting, { unschedulable: [refused] }).changesAt).toBe('2024-03-04T12:03:00Z');
  });

  test('that will fit somewhere tells where', () => {
    const place = { node: aNode('a'), pods: [waiting] };
    expect(explained(waiting, { existing: [place] }).answer).toBe('fits on a, as soon as that is ready for it');
  });

  test('that nobody has tried to place yet waits for the scheduler', () => {
    expect(explained({ ...waiting, status: {} }).answer).toContain('waits for the scheduler');
  });
});

test('a NodeClass tells what it launches and why nothing newer', () => {
  const image = (id: string, traits: Partial<ReportedImage>): ReportedImage => ({
    id,
    name: id,
    release: `v${id.slice(4)}`,
    variant: 'standard',
    arch: 'amd64',
    state: 'older',
    because: 'another is newer',
    nodes: 0,
    ...traits,
  });
  const report: ImageReport = {
    name: 'default',
    kubernetesVersion: '1.29',
    terms: ['alias: al2023@latest'],
    changesAt: '2024-03-09T00:00:00Z',
    change: 'v3 is old enough to be launched',
    advice: [],
    images: [
      image('ami-3', { state: 'baking', because: 'too young until 2024-03-09T00:00:00Z' }),
      image('ami-2', { state: 'selected', publishedAt: '2024-02-20T00:00:00Z', ageSeconds: 950_400, nodes: 2 }),
      image('ami-1', {}),
    ],
  };
  expect(printExplanation(explainNodeClass(aNodeClass(), report))).toBe(
    [
      'EC2NodeClass default: launches v2 standard/amd64 (ami-2)',
      '  - v2 standard/amd64 (ami-2) was published 2024-02-20T00:00:00Z, 11d ago; 2 nodes run it',
      '  - v3 standard/amd64 (ami-3) is not launched: too young until 2024-03-09T00:00:00Z; 0 nodes run it',
      '  changes by itself at 2024-03-09T00:00:00Z: v3 is old enough to be launched',
      '  nodewright diff -f FILE tells what a change would replace, nodewright forecast -f FILE when and what stands in its way',
    ].join('\n'),
  );
});
