import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { listImageCandidates } from './candidates.ts';
import type { GovernedObject, RolloutNode, RolloutSnapshot } from './snapshot.ts';
import { viewRollout } from './view.ts';

const variant = 'AL2023/amd64/none';
const aNode = (name: string, object: string, pods: number): RolloutNode => ({
  name,
  object,
  variant,
  image: 'ami-1',
  labels: name === 'preferred' ? { canary: 'true' } : {},
  zone: 'a',
  createdAt: instant(0),
  ready: true,
  readySince: instant(0),
  troubles: [],
  pods,
  leaving: false,
});
const anObject = (id: string, source: string, moves: GovernedObject['moves']): GovernedObject => ({
  id,
  labels: {},
  source,
  moves,
  specHash: '',
});
const imageIn = (source: string, image: string) => ({ source, variant, image });
const sources = ['EC2NodeClass/default', 'NodeGroup/plain', 'NodeGroup/eks'];

/** The order in which nodes go, of a pool, a plain group and a managed one. */
function orderOf(nodes: readonly RolloutNode[], soaks: boolean): readonly string[] {
  const rollout = {
    metadata: { name: 'p-1' },
    spec: {
      policy: 'p',
      number: 1,
      cause: 'NewRelease' as const,
      from: sources.map((source) => imageIn(source, 'ami-1')),
      to: sources.map((source) => imageIn(source, 'ami-2')),
      kubernetesVersion: '1.33',
      members: nodes.length,
    },
  };
  const seen: RolloutSnapshot = {
    now: instant(0),
    policy: { metadata: { name: 'p' }, spec: {} },
    rollouts: [rollout],
    objects: [
      anObject('NodePool/web', 'EC2NodeClass/default', 'byNode'),
      anObject('NodeGroup/plain', 'NodeGroup/plain', 'byNode'),
      anObject('NodeGroup/eks', 'NodeGroup/eks', 'whole'),
    ],
    nodes,
    wanted: [],
    obstacles: new Map(),
    kubernetesVersion: '1.33',
    rules: [],
    pauses: [],
    services: [],
    counters: [],
    checks: [],
    upstream: [],
    requests: [],
  };
  const order = { prefer: { matchLabels: { canary: 'true' } }, reason: 'Image', soaks } as const;
  return listImageCandidates(viewRollout(rollout, seen), seen, order).map(({ name }) => name);
}

const fleet = [
  aNode('pool-empty', 'NodePool/web', 0),
  aNode('plain-empty', 'NodeGroup/plain', 0),
  aNode('plain-busy', 'NodeGroup/plain', 3),
  aNode('eks-1', 'NodeGroup/eks', 0),
];

test('where new nodes have to soak, those of groups that would have no pods come last', () => {
  expect(orderOf(fleet, true)).toEqual(['pool-empty', 'plain-busy', 'NodeGroup/eks', 'plain-empty']);
});

test('where no node soaks, the emptiest go first', () => {
  expect(orderOf(fleet, false)).toEqual(['NodeGroup/eks', 'plain-empty', 'pool-empty', 'plain-busy']);
});

test('of an Auto Scaling group those in its fullest zone go first, whatever pods they have', () => {
  const inZone = (zone: string, name: string, pods: number) => ({ ...aNode(name, 'NodeGroup/plain', pods), zone });
  const nodes = [inZone('b', 'alone', 1), inZone('a', 'second', 9), inZone('a', 'first', 5)];
  expect(orderOf(nodes, true)).toEqual(['first', 'second', 'alone']);
});

test('a node that the wave prefers goes first, empty or not', () => {
  expect(orderOf([...fleet, aNode('preferred', 'NodeGroup/plain', 0)], true)[0]).toBe('preferred');
});
