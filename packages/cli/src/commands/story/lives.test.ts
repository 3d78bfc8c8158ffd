import type { Event, Node, NodeClaim } from '@nodewright/apis';
import { beforeEach, describe, expect, test } from 'vitest';
import { Lives } from './lives.ts';

type Condition = { readonly type: string; readonly status: string; readonly reason?: string };

const aClaim = (
  name: string,
  createdAt: string,
  conditions: readonly Condition[] = [],
  node = `node-${name}`,
): NodeClaim =>
  ({
    metadata: { name, creationTimestamp: createdAt, labels: { 'karpenter.sh/nodepool': 'default' } },
    spec: {},
    status: { imageID: 'ami-1', ...(node === '' ? {} : { nodeName: node }), conditions },
  }) as unknown as NodeClaim;
const aNode = (name: string): Node => ({
  metadata: { name },
  status: { nodeInfo: { osImage: 'Amazon Linux 2', kubeletVersion: 'v1.28.5' } },
});
const replacing = (claim: string): Event =>
  ({
    metadata: { name: 'e' },
    involvedObject: { kind: 'NodeClaim', name: claim },
    reason: 'DisruptionLaunching',
    message: 'Launching NodeClaim: Drifted',
  }) as unknown as Event;
const releases = (image: string) =>
  image === 'ami-1' ? { family: 'AL2', version: 'v20240117', kubernetesVersion: '1.28' } : undefined;

let lives: Lives;
beforeEach(() => {
  lives = new Lives();
});
const leaving: Condition = { type: 'DisruptionReason', status: 'True', reason: 'Drifted' };

describe('the life of a node', () => {
  test('has what claim and node say of it', () => {
    lives.sawClaim(aClaim('a', '2024-01-28T16:00:00Z'));
    lives.sawNode(aNode('node-a'));
    expect(lives.all(releases)).toEqual([
      {
        name: 'node-a',
        nodePool: 'default',
        image: 'ami-1',
        release: 'AL2 v20240117',
        osImage: 'Amazon Linux 2',
        kubeletVersion: 'v1.28.5',
        createdAt: '2024-01-28T16:00:00Z',
        cameBecause: 'pending pods',
      },
    ]);
  });

  test('is told without a node that was never seen, and without a release of an image that is none', () => {
    lives.sawClaim(aClaim('a', '2024-01-28T16:00:00Z'));
    expect(lives.all(() => undefined)).toMatchObject([{ release: '', osImage: '', kubeletVersion: '' }]);
  });

  test('does not begin before a claim has a node', () => {
    lives.sawClaim(aClaim('a', '2024-01-28T16:00:00Z', [], ''));
    expect(lives.all(releases)).toEqual([]);
  });

  test('is that of the claim as it was seen last, and is kept after the claim is gone', () => {
    lives.sawClaim(aClaim('a', '2024-01-28T16:00:00Z', [], ''));
    lives.sawClaim(aClaim('a', '2024-01-28T16:00:00Z'));
    lives.removed('a', '2024-01-28T18:00:00Z');
    expect(lives.all(releases)).toMatchObject([{ name: 'node-a', removedAt: '2024-01-28T18:00:00Z' }]);
  });

  test('of several: the oldest first, then by name', () => {
    for (const [name, at] of [
      ['c', '2024-01-28T16:01:00Z'],
      ['b', '2024-01-28T16:00:00Z'],
      ['a', '2024-01-28T16:01:00Z'],
    ] as const)
      lives.sawClaim(aClaim(name, at));
    expect(lives.all(releases).map(({ name }) => name)).toEqual(['node-b', 'node-a', 'node-c']);
  });
});

describe('a node goes', () => {
  test.each<readonly [conditions: readonly Condition[], because: string]>([
    [[], 'deleted'],
    [[{ ...leaving, status: 'False' }], 'deleted'],
    [[{ type: 'DisruptionReason', status: 'True', reason: 'Empty' }], 'Empty'],
    [[leaving, { type: 'Drifted', status: 'True', reason: 'AMIDrift' }], 'Drifted: AMIDrift'],
    [[leaving, { type: 'Drifted', status: 'False', reason: 'NotDrifted' }], 'Drifted'],
  ])('%j: %s', (conditions, wentBecause) => {
    lives.sawClaim(aClaim('a', '2024-01-28T16:00:00Z', conditions));
    expect(lives.all(releases)[0]).not.toHaveProperty('wentBecause');
    lives.removed('a', '2024-01-28T18:00:00Z');
    expect(lives.all(releases)).toMatchObject([{ wentBecause }]);
  });
});

describe('a node comes', () => {
  beforeEach(() => {
    lives.sawClaim(aClaim('old', '2024-01-28T16:00:00Z', [leaving]));
    lives.sawClaim(aClaim('new', '2024-01-28T17:00:00Z'));
  });
  const cameBecause = (): string | undefined =>
    lives.all(releases).find(({ name }) => name === 'node-new')?.cameBecause;

  test('for pending pods where nothing says otherwise', () => expect(cameBecause()).toBe('pending pods'));

  test('in the place of the nodes that are leaving then', () => {
    lives.sawClaim(aClaim('other', '2024-01-28T16:00:00Z', [leaving], ''));
    lives.sawEvent(replacing('new'));
    lives.removed('old', '2024-01-28T17:30:00Z');
    expect(cameBecause()).toBe('replaces node-old, other');
  });

  test('not in the place of one that is gone already', () => {
    lives.sawClaim(aClaim('gone', '2024-01-28T15:00:00Z', [leaving]));
    lives.removed('gone', '2024-01-28T16:30:00Z');
    lives.sawEvent(replacing('new'));
    expect(cameBecause()).toBe('replaces node-old');
  });

  test('whatever other events are about it', () => {
    lives.sawEvent({ ...replacing('new'), reason: 'Launched', message: 'Status condition transitioned' });
    expect(cameBecause()).toBe('pending pods');
  });
});
