import type { ManifestDiff, NodeDiff, ObjectDiff } from '@nodewright/forecast';
import { expect, test } from 'vitest';
import { printDiff } from './print-diff.ts';

const aPoolDiff = (more: Partial<ObjectDiff> = {}): ObjectDiff => ({
  kind: 'NodePool',
  name: 'default',
  change: 'changed',
  fields: [{ path: 'spec.weight', before: 10, after: 20 }],
  hash: { before: '1', after: '2' },
  ...more,
});

const aNodeDiff = (node: string, more: Partial<NodeDiff> = {}): NodeDiff => ({
  node,
  nodePool: 'default',
  nodeClass: 'web',
  ...more,
});
const rolled = (node: string, more: Partial<NodeDiff> = {}): NodeDiff =>
  aNodeDiff(node, { after: 'NodePoolDrift', because: 'the hash differs', ...more });

const images = (...ids: readonly string[]) =>
  ids.map((id) => ({ id, name: `name-of-${id}`, release: `v${id}` })) as unknown as NonNullable<
    ObjectDiff['images']
  >['after'];

for (const { fact, diff, text } of [
  {
    fact: 'a change that replaces nodes: how many, why, and each of them',
    diff: { objects: [aPoolDiff()], nodes: [rolled('a'), rolled('b'), aNodeDiff('c')] },
    text: `2 of 3 nodes would be replaced: 2 NodePoolDrift

NodePool default: 1 field changes, hash 1 becomes 2
  spec.weight: 10 becomes 20

NODE   NODEPOOL   NODECLASS   REASON          BECAUSE
a      default    web         NodePoolDrift   the hash differs
b      default    web         NodePoolDrift   the hash differs`,
  },
  {
    fact: 'reasons by their names, and the policies whose waves count',
    diff: {
      objects: [],
      nodes: [
        rolled('a', { after: 'NodeClassDrift' }),
        rolled('b', { after: 'AMIDrift', policy: 'web' }),
        rolled('c', { after: 'AMIDrift', policy: 'batch' }),
      ],
    },
    text: `3 of 3 nodes would be replaced: 2 AMIDrift, 1 NodeClassDrift
images go in the waves of batch, web

NODE   NODEPOOL   NODECLASS   REASON           BECAUSE
a      default    web         NodeClassDrift   the hash differs
b      default    web         AMIDrift         the hash differs
c      default    web         AMIDrift         the hash differs`,
  },
  {
    fact: 'nodes that go anyway are not counted for the change',
    diff: { objects: [], nodes: [rolled('a', { now: 'AMIDrift' })] },
    text: `no node would be replaced
1 node to be replaced already`,
  },
  {
    fact: 'a change that replaces nothing names the hash that stays',
    diff: { objects: [aPoolDiff({ hash: { before: '1', after: '1' } })], nodes: [aNodeDiff('a')] },
    text: `no node would be replaced: the hash 1 of NodePool default does not change

NodePool default: 1 field changes, hash 1 stays
  spec.weight: 10 becomes 20`,
  },
  {
    fact: 'manifests as the cluster has them',
    diff: { objects: [aPoolDiff({ change: 'same', fields: [], hash: { before: '1', after: '1' } })], nodes: [] },
    text: `no node would be replaced: the hash 1 of NodePool default does not change

NodePool default: as it is, hash 1 stays`,
  },
  {
    fact: 'an object that is new, with what is beside it',
    diff: {
      objects: [aPoolDiff({ change: 'new', fields: [], hash: { after: '2' } })],
      nodes: [],
      others: ['Deployment web', 'Service web'],
    },
    text: `no node would be replaced

NodePool default: new, hash 2

replaces no node by itself: Deployment web, Service web`,
  },
  {
    fact: 'fields that come, go and change, as texts and as values',
    diff: {
      objects: [
        aPoolDiff({
          fields: [
            { path: 'spec.limits.cpu', after: '10' },
            { path: 'spec.taints', before: [{ key: 'a' }] },
            { path: 'spec.weight', before: 0, after: false },
          ],
        }),
      ],
      nodes: [],
    },
    text: `no node would be replaced

NodePool default: 3 fields change, hash 1 becomes 2
  spec.limits.cpu: 10 is added
  spec.taints: [{"key":"a"}] is taken away
  spec.weight: 0 becomes false`,
  },
  {
    fact: 'images that become others, and those that stay',
    diff: {
      objects: [
        aPoolDiff({ kind: 'EC2NodeClass', fields: [], images: { before: images('1'), after: images('2', '3') } }),
        aPoolDiff({ kind: 'EC2NodeClass', name: 'b', fields: [], images: { before: images('1'), after: images('1') } }),
      ],
      nodes: [],
    },
    text: `no node would be replaced

EC2NodeClass default: 0 fields change, hash 1 becomes 2
  images: v1 (1)
  become: v2 (2), v3 (3)

EC2NodeClass b: 0 fields change, hash 1 becomes 2
  images stay: v1 (1)`,
  },
  {
    fact: 'a class that could launch nothing',
    diff: {
      objects: [
        aPoolDiff({
          kind: 'EC2NodeClass',
          fields: [],
          images: { before: images('1'), after: [] },
          problem: 'no image',
        }),
      ],
      nodes: [],
    },
    text: `no node would be replaced

EC2NodeClass default: 0 fields change, hash 1 becomes 2
  images: v1 (1)
  become: none
  nothing could be launched: no image`,
  },
] satisfies readonly { fact: string; diff: Partial<ManifestDiff>; text: string }[]) {
  test(`a diff shows ${fact}`, () => {
    const { others = [], ...rest }: Partial<ManifestDiff> = diff;
    expect(printDiff({ objects: [], nodes: [], others, ...rest })).toBe(text);
  });
}
