import type { Condition, EC2NodeClass, Event, Node, NodeClaim, Pod } from '@nodewright/apis';
import { instant } from '@nodewright/apis';
import { aNodeClass, aPod } from '@nodewright/testkit';
import { aClaim } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import {
  lineOfClaim,
  lineOfNode,
  lineOfNodeClass,
  lineOfPod,
  lineOfRolloutEvent,
  replacementReason,
  type StoryLine,
} from './chronicle.ts';
import { Lives } from './lives.ts';
import { printCommand, printLine, printLives } from './print.ts';

const printed = (lines: readonly Omit<StoryLine, 'at'>[]): readonly string[] =>
  lines.map(({ what, who, text }) => `${what} ${who}: ${text}`);
const imageName = (id: string): string | undefined => (id === 'ami-1' ? 'AL2 v20240117' : undefined);

const withConditions = (...types: readonly (readonly [type: string, reason?: string])[]): NodeClaim => {
  const conditions = types.map(([type, reason]): Condition => ({
    type,
    status: 'True',
    ...(reason === undefined ? {} : { reason }),
  }));
  return { ...aClaim('one'), status: { conditions, imageID: 'ami-1', nodeName: 'ip-1' } };
};
const wanted: NodeClaim = {
  ...aClaim('one'),
  spec: {
    ...aClaim('one').spec,
    resources: { requests: { memory: '1Gi', cpu: '2' } },
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c4', 'm5'] }],
  },
};

describe('of a claim is told', () => {
  test.each<readonly [string, NodeClaim | undefined, NodeClaim | undefined, readonly string[]]>([
    ['what it wants', undefined, wanted, ['claim one: wanted: cpu 2, memory 1Gi; 2 instance types fit']],
    ['what was bought', wanted, withConditions(['Launched']), ['launch one: c4 on-demand in zone-a, AL2 v20240117']],
    [
      'what was bought, by the id of an image without a name',
      wanted,
      { ...withConditions(['Launched']), status: { ...withConditions(['Launched']).status, imageID: 'ami-9' } },
      ['launch one: c4 on-demand in zone-a, ami-9'],
    ],
    [
      'its node',
      withConditions(['Launched']),
      withConditions(['Launched'], ['Registered'], ['Initialized']),
      ['register one: its node is ip-1', 'ready one: the node is initialized'],
    ],
    [
      'why it drifted and what follows',
      withConditions(['Launched']),
      withConditions(['Launched'], ['Drifted', 'AMIDrift'], ['DisruptionReason', 'Drifted'], ['Drained']),
      [
        'drift one: AMIDrift',
        'disrupt one: Drifted: a replacement comes first',
        'drained one: no pod is left that could be moved',
      ],
    ],
    ['nothing twice', withConditions(['Launched']), withConditions(['Launched']), []],
    ['its end', withConditions(['Launched']), undefined, ['gone one: the claim is deleted']],
    ['nothing of what was never there', undefined, undefined, []],
  ])('%s', (_, before, after, lines) => {
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    expect(printed(lineOfClaim(change, imageName))).toEqual(lines);
  });
});

describe('of a node is told', () => {
  const bare: Node = { metadata: { name: 'ip-1' } };
  const joined: Node = {
    ...bare,
    status: { nodeInfo: { kubeletVersion: 'v1.28.5', osImage: 'Amazon Linux 2' } },
  };
  const tainted: Node = { ...joined, spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } };
  test.each<readonly [string, Node | undefined, Node | undefined, readonly string[]]>([
    ['nothing before its kubelet reports', undefined, bare, []],
    ['its version', bare, joined, ['join ip-1: v1.28.5, Amazon Linux 2']],
    ['that it takes no new pods', joined, tainted, ['taint ip-1: no new pods: karpenter.sh/disrupted']],
    ['nothing twice', tainted, tainted, []],
    ['its end', tainted, undefined, ['gone ip-1: the node is deleted']],
  ])('%s', (_, before, after, lines) => {
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    expect(printed(lineOfNode(change))).toEqual(lines);
  });
});

describe('of a pod is told', () => {
  const pending = aPod('web');
  const running = aPod('web', { nodeName: 'ip-1' });
  const leaving = aPod('web', { nodeName: 'ip-1', deleting: true });
  const told: Pod = {
    ...pending,
    status: {
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }],
    },
  };
  test.each<readonly [string, Pod | undefined, Pod | undefined, readonly string[]]>([
    ['that no node fits', undefined, pending, ['pending web: no node fits']],
    ['what the scheduler says', undefined, told, ['pending web: 0/3 nodes']],
    ['nothing twice', pending, pending, []],
    ['where it runs', pending, running, ['run web: on ip-1']],
    ['what it leaves', running, leaving, ['evict web: leaves ip-1']],
    ['nothing of its end', leaving, undefined, []],
  ])('%s', (_, before, after, lines) => {
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    expect(printed(lineOfPod(change))).toEqual(lines);
  });
});

describe('of a class is told', () => {
  const withImages = (...ids: readonly string[]): EC2NodeClass => ({
    ...aNodeClass(),
    status: { amis: ids.map((id) => ({ id, name: id, requirements: [] })) },
  });
  test.each<readonly [string, EC2NodeClass | undefined, EC2NodeClass | undefined, readonly string[]]>([
    ['nothing before it selects', undefined, aNodeClass(), []],
    [
      'each image once, by its name',
      undefined,
      withImages('ami-1', 'ami-1', 'ami-2'),
      ['image ec2nodeclass/default: selects AL2 v20240117, ami-2'],
    ],
    ['nothing while that stays', withImages('ami-1'), withImages('ami-1', 'ami-1'), []],
    ['nothing of its end', withImages('ami-1'), undefined, []],
  ])('%s', (_, before, after, lines) => {
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    expect(printed(lineOfNodeClass(change, imageName))).toEqual(lines);
  });
});

const anEvent = (kind: string, reason: string, message: string, name = 'one'): Event => ({
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind, name },
  reason,
  message,
  type: 'Normal',
});

test('of events those of rollouts are told', () => {
  expect(printed(lineOfRolloutEvent(anEvent('NodeRollout', 'Halted', 'one node failed', 'web-1')))).toEqual([
    'rollout web-1: Halted: one node failed',
  ]);
  expect(lineOfRolloutEvent(anEvent('Node', 'Halted', ''))).toEqual([]);
});

test('a replacement has a reason, another event has none', () => {
  expect(replacementReason(anEvent('NodeClaim', 'DisruptionLaunching', 'Launching NodeClaim: Drifted'))).toBe(
    'Drifted',
  );
  expect(replacementReason(anEvent('NodeClaim', 'Launched', 'Launched: yes'))).toBeUndefined();
});

test('lines have a time of the clock, columns, and nothing trailing', () => {
  const at = instant(Date.UTC(2024, 0, 28, 16, 1, 38));
  expect(printLine({ at, what: 'launch', who: 'default-w6fg6', text: 'm6g.xlarge' })).toBe(
    '16:01:38  launch    default-w6fg6                     m6g.xlarge',
  );
  expect(printLine({ at, what: 'gone', who: 'a', text: '' })).toBe('16:01:38  gone      a');
  expect(printCommand(at, 'kubectl get nodes')).toBe('\n16:01:38  $ kubectl get nodes');
});

describe('the table of lives', () => {
  const release = { family: 'AL2', version: 'v20240117', kubernetesVersion: '1.28' };
  const claimOf = (name: string, createdAt: string, ...conditions: readonly Condition[]): NodeClaim => ({
    ...aClaim(name, { createdAt, claimConditions: conditions }),
    status: { conditions, imageID: 'ami-1', nodeName: `ip-${name}` },
  });
  const drifted: readonly Condition[] = [
    { type: 'DisruptionReason', status: 'True', reason: 'Drifted' },
    { type: 'Drifted', status: 'True', reason: 'AMIDrift' },
  ];
  const livesOf = (): Lives => {
    const lives = new Lives();
    lives.sawClaim(claimOf('b', '2024-01-28T16:00:00Z', ...drifted));
    lives.sawEvent(anEvent('NodeClaim', 'DisruptionLaunching', 'Launching NodeClaim: Drifted', 'c'));
    lives.removed('b', '2024-01-28T17:00:00Z');
    lives.sawClaim(claimOf('c', '2024-01-28T16:30:00Z'));
    lives.sawClaim(claimOf('a', '2024-01-28T16:00:00Z'));
    lives.removed('a', '2024-01-28T18:00:00Z');
    lives.sawClaim({ ...aClaim('d'), status: {} });
    lives.sawNode({ metadata: { name: 'ip-b' }, status: { nodeInfo: { kubeletVersion: 'v1.28.5' } } });
    return lives;
  };

  test('has every claim that got a node, the oldest first, with why it came and went', () => {
    expect(printLives(livesOf().all(() => release))).toBe(
      `NODE   VERSION   RELEASE         IMAGE   WHY IT CAME     WHY IT WENT
ip-a             AL2 v20240117   ami-1   pending pods    deleted
ip-b   v1.28.5   AL2 v20240117   ami-1   pending pods    Drifted: AMIDrift
ip-c             AL2 v20240117   ami-1   replaces ip-b   is running`,
    );
  });

  test('has no release of an image that is not known', () => {
    expect(
      livesOf()
        .all(() => undefined)
        .map((life) => life.release),
    ).toEqual(['', '', '']);
  });
});
