import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Budget, fromTimestamp, type NodePool, type Pod } from '@nodewright/apis';
import type { DisruptionSnapshot, NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { aNode, aNodeClass, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
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
    disruption,
    spotToSpot: false,
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
      answer: 'is left alone: no NodeClaim stands behind it',
    },
    { fact: 'that goes is leaving', nodes: [aNode('a', { markedForDeletion: true })], answer: 'is leaving' },
  ]) {
    test(fact, () => {
      expect(explainNode('a', reading(nodes, pool), now).answer).toBe(answer);
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
    const { reasons, changesAt } = explainNode('a', reading([node], pool), now);
    expect(reasons).toContain('it is not deleted as empty: pods have come or gone within consolidateAfter');
    expect(changesAt).toBe('2024-03-01T12:03:00Z');
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

describe('the budgets of the image guide', () => {
  const path = join(import.meta.dirname, '../../../../examples/managing-amis/budgets.yaml');
  const pool = parse(readFileSync(path, 'utf8')) as NodePool;
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

describe('a pod', () => {
  const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' } as const;
  const waiting: Pod = { ...aPod('web'), status: { conditions: [unschedulable] } };
  const nothing: ClusterReading['round'] = { ignored: [], newNodes: [], existing: [], unschedulable: [], deferred: [] };
  const explained = (pod: Pod, round: Partial<ClusterReading['round']> = {}) =>
    explainPod({ name: 'web', namespace: 'default' }, { pods: [pod], round: { ...nothing, ...round } });

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
      '  changes by itself at 2024-03-09T00:00:00Z',
    ].join('\n'),
  );
});
