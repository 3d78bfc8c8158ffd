import { type Condition, fromTimestamp, type NodeClaim, type Pod, type PodStatus } from '@nodewright/apis';
import type { ClusterReading } from '@nodewright/operator';
import { aNode, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { describeTroubledConditions } from './condition-words.ts';
import { explainNode } from './explain-node.ts';
import { explainPod } from './explain-pod.ts';
import { NoSuchObjectError } from './no-such-object.ts';
import { findNamed, printExplanation } from './explanation.ts';
import { nodeTroubles } from './node-trouble.ts';
import { podTrouble } from './pod-trouble.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');

const emptyReading = {
  nodeClaims: [],
  nodeGroups: [],
  nodePools: [],
  spotToSpot: false,
  unsuppliedPools: new Map<string, string>(),
};

describe('an explanation is printed', () => {
  const subject = { kind: 'Pod', name: 'web', namespace: 'team' };
  for (const { fact, explanation, text } of [
    { fact: 'with its namespace', explanation: { subject, answer: 'runs', reasons: [] }, text: 'Pod team/web: runs' },
    {
      fact: 'with a line for each reason',
      explanation: { subject: { kind: 'Node', name: 'a' }, answer: 'stays', reasons: ['one', 'two'] },
      text: 'Node a: stays\n  - one\n  - two',
    },
    {
      fact: 'with when time alone changes it',
      explanation: { subject, answer: 'waits', reasons: [], changesAt: '2024-03-01T13:00:00Z' },
      text: 'Pod team/web: waits\n  changes by itself at 2024-03-01T13:00:00Z',
    },
    {
      fact: 'with what changes then',
      explanation: { subject, answer: 'waits', reasons: [], changesAt: '2024-03-01T13:00:00Z', change: 'it goes' },
      text: 'Pod team/web: waits\n  changes by itself at 2024-03-01T13:00:00Z: it goes',
    },
  ]) {
    test(fact, () => expect(printExplanation(explanation)).toBe(text));
  }
});

describe('a name that nothing has is told with the names that there are', () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ metadata: { name: `p${String(count - index).padStart(2, '0')}` } }));
  test.each<readonly [number, string]>([
    [0, 'no NodePool x; there is none'],
    [2, 'no NodePool x; there is p01, p02'],
    [10, 'no NodePool x; there is p01, p02, p03, p04, p05, p06, p07, p08, p09, p10'],
    [12, 'no NodePool x; there is p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, 2 more'],
  ])('of %d', (count, message) => {
    expect(() => findNamed('NodePool', named(count), 'x')).toThrow(new NoSuchObjectError(message));
  });

  test('a known name is found', () => {
    expect(findNamed('NodePool', named(3), 'p02')).toEqual({ metadata: { name: 'p02' } });
  });

  test('of many nodes, ten', () => {
    const nodes = Array.from({ length: 5_000 }, (_, index) => aNode(`n${index}`));
    const disruption = { nodes } as unknown as ClusterReading['disruption'];
    const reading = { ...emptyReading, disruption };
    expect(() => explainNode('x', reading, now)).toThrow(/^no Node or NodeClaim x; there is n0, .*, 4990 more$/);
  });
});

describe('conditions that are not as they should be', () => {
  test.each<readonly [string, readonly Condition[] | undefined, readonly string[]]>([
    ['none without conditions', undefined, []],
    ['not those that are true', [{ type: 'Launched', status: 'True' }], []],
    ['not the sum of the others', [{ type: 'Ready', status: 'False' }], []],
    [
      'by their types, with reason and message',
      [
        { type: 'Registered', status: 'Unknown', reason: 'NodeNotFound', message: 'no node yet' },
        { type: 'Launched', status: 'False', reason: 'LaunchFailed' },
        { type: 'Initialized', status: 'False', message: '' },
      ],
      ['Initialized is False', 'Launched is False, LaunchFailed', 'Registered is Unknown, NodeNotFound: no node yet'],
    ],
  ])('%s', (_, conditions, lines) => expect(describeTroubledConditions(conditions)).toEqual(lines));

  test('are told of a claim that has no machine yet', () => {
    const { nodeClaim } = aNode('a', {
      claimConditions: [{ type: 'Launched', status: 'False', reason: 'NoCapacity' }],
    });
    const disruption = { nodes: [] } as unknown as ClusterReading['disruption'];
    const nodeClaims: readonly NodeClaim[] = nodeClaim === undefined ? [] : [nodeClaim];
    expect(explainNode('a-claim', { ...emptyReading, disruption, nodeClaims }, now)).toEqual({
      subject: { kind: 'NodeClaim', name: 'a-claim' },
      answer: 'has no machine yet',
      reasons: ['Launched is False, NoCapacity'],
    });
  });
});

const container = (more: object) => ({
  name: 'main',
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  ...more,
});
const onNode = (status: PodStatus, name = 'web'): Pod => ({ ...aPod(name, { nodeName: 'a' }), status });
const early: Condition = { type: 'Ready', status: 'False', lastTransitionTime: '2024-03-01T11:58:00Z' };
const late: Condition = { ...early, lastTransitionTime: '2024-03-01T11:55:00Z' };

describe('the trouble of a pod', () => {
  test.each<readonly [string, PodStatus, string | undefined]>([
    ['none while it is ready', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }, undefined],
    ['none when it has succeeded', { phase: 'Succeeded' }, undefined],
    ['that it has failed', { phase: 'Failed' }, 'has failed'],
    ['why it has failed', { phase: 'Failed', reason: 'Evicted', message: 'disk' }, 'has failed: Evicted, disk'],
    [
      'none while it pulls its image',
      { conditions: [early], containerStatuses: [container({ state: { waiting: { reason: 'ContainerCreating' } } })] },
      undefined,
    ],
    [
      'an image that cannot be pulled',
      { conditions: [early], containerStatuses: [container({ state: { waiting: { reason: 'ImagePullBackOff' } } })] },
      'does not run: container main is in ImagePullBackOff',
    ],
    [
      'an init container that fails goes first',
      {
        conditions: [early],
        initContainerStatuses: [container({ name: 'init', state: { terminated: { exitCode: 2 } }, restartCount: 3 })],
        containerStatuses: [container({ state: { waiting: { reason: 'CrashLoopBackOff' } } })],
      },
      'does not run: container init ended with exit code 2, restarted 3 times',
    ],
    [
      'none of a container that ended well',
      { conditions: [early], containerStatuses: [container({ state: { terminated: { exitCode: 0 } } })] },
      undefined,
    ],
    ['none for the first minutes', { phase: 'Running', conditions: [early] }, undefined],
    [
      'that it is not ready for five minutes',
      { phase: 'Running', conditions: [late] },
      'is not ready since 2024-03-01T11:55:00Z',
    ],
    [
      'since its start where no condition says so',
      { phase: 'Running', startTime: '2024-03-01T11:00:00Z' },
      'is not ready since 2024-03-01T11:00:00Z',
    ],
  ])('is %s', (_, status, trouble) => expect(podTrouble(onNode(status), now)).toBe(trouble));
});

test('of the troubled pods of a node three are named', () => {
  const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => onNode({ phase: 'Running', conditions: [late] }, name));
  expect(nodeTroubles(aNode('a', { pods }), now)).toEqual([
    'its pod default/a is not ready since 2024-03-01T11:55:00Z',
    'its pod default/b is not ready since 2024-03-01T11:55:00Z',
    'its pod default/c is not ready since 2024-03-01T11:55:00Z',
    '2 more of its pods do not run',
  ]);
});

describe('a pod that no round decides on', () => {
  const nothing = { ignored: [], newNodes: [], existing: [], waiting: [], unschedulable: [], deferred: [] };
  const answerFor = (pod: Pod, round: Partial<ClusterReading['round']> = {}): string =>
    explainPod({ name: 'web', namespace: 'default' }, { pods: [pod], round: { ...nothing, ...round } }, now).answer;
  const pending = aPod('web');

  test.each<readonly [string, Pod, string]>([
    ['has ended', aPod('web', { phase: 'Succeeded' }), 'has ended, or is ending'],
    ['is ending', aPod('web', { deleting: true }), 'has ended, or is ending'],
    [
      'is a daemon',
      aPod('web', { ownerKind: 'DaemonSet' }),
      'waits for its own node: pods of a DaemonSet start no others',
    ],
    [
      'preempts others',
      { ...pending, status: { ...pending.status, nominatedNodeName: 'a' } },
      'waits for others to make room on node a',
    ],
    [
      'has gates',
      { ...pending, spec: { ...pending.spec, schedulingGates: [{ name: 'quota' }, { name: 'approval' }] } },
      'is held by its scheduling gates: quota, approval',
    ],
    ['runs', aPod('web', { nodeName: 'a' }), 'is on node a, Running'],
    ['does not run', onNode({ phase: 'Failed', reason: 'Evicted' }), 'is on node a, Failed, and has failed: Evicted'],
    ['is in no round', pending, 'is not considered now'],
  ])('%s', (_, pod, answer) => expect(answerFor(pod)).toBe(answer));

  test.each<readonly [string, Partial<ClusterReading['round']>, string]>([
    [
      'reserved capacity',
      { deferred: [pending] },
      'waits for reserved capacity: what is left of it is promised to other pods',
    ],
    [
      'the nodes of others',
      { ignored: [{ pod: pending, complaint: { kind: 'notOurs' } }] as never },
      'asks for nodes that are not ours',
    ],
    [
      'what nobody understands',
      { ignored: [{ pod: pending, complaint: { kind: 'invalid', message: 'bad affinity' } }] as never },
      'is passed over: bad affinity',
    ],
    [
      'a node that was launched for it',
      { waiting: [{ node: aNode('b'), pods: [pending] }] as never },
      'waits for b, which was launched for it and does not suit it yet',
    ],
  ])('or asks for %s', (_, round, answer) => expect(answerFor(pending, round)).toBe(answer));

  test('is not found in another namespace', () => {
    expect(() => explainPod({ name: 'web', namespace: 'x' }, { pods: [pending], round: nothing }, now)).toThrow(
      new NoSuchObjectError('no pod web in namespace x; -n names another'),
    );
  });
});
