import { instant, type KubernetesObject, type Node, type NodeClaim, type Pod } from '@nodewright/apis';
import { isMarkedForDeletion, nodeNameOf, type NodeState } from '@nodewright/engine';
import type { KubernetesClient } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { ClusterState } from './cluster-state.ts';
import { createObjects } from './objects.ts';

const objects = () => createObjects({} as KubernetesClient);

let version = 0;
const stored = <T extends KubernetesObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: object.metadata.name, resourceVersion: String((version += 1)) },
});

const aClaim = (name: string, providerID?: string): NodeClaim =>
  stored({
    metadata: { name, labels: { 'karpenter.sh/nodepool': 'default' } },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
    ...(providerID === undefined ? {} : { status: { providerID } }),
  });
const leavingClaim = (name: string, providerID: string): NodeClaim => {
  const claim = aClaim(name, providerID);
  return { ...claim, metadata: { ...claim.metadata, deletionTimestamp: '2024-01-28T16:00:00Z' } };
};
const aNode = (name: string, providerID?: string): Node =>
  stored({ metadata: { name }, ...(providerID === undefined ? {} : { spec: { providerID } }) });
const aPod = (name: string, nodeName?: string): Pod =>
  stored({
    metadata: { name, namespace: 'default' },
    spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
  });

test('the picture that is kept is the one that is made anew, after every change', () => {
  const all = objects();
  all.nodeClaims.cache.seen(aClaim('early', 'aws:///i-0'));
  const kept = new ClusterState(all);
  const one = aClaim('one', 'aws:///i-1');
  const bare = aNode('bare');
  const forged = { ...aNode('forged', 'aws:///i-1'), metadata: { ...aNode('forged').metadata, uid: 'first' } };
  const changes: readonly (() => void)[] = [
    () => all.nodeClaims.cache.seen(aClaim('one')),
    () => all.nodeClaims.cache.seen(one),
    () => all.nodes.cache.seen(aNode('ip-1', 'aws:///i-1')),
    () => all.pods.cache.seen(aPod('web')),
    () => all.pods.cache.seen(aPod('web', 'ip-1')),
    () => all.nodes.cache.seen(bare),
    () => all.pods.cache.seen(aPod('web', 'bare')),
    () => all.nodes.cache.seen(aNode('bare', 'aws:///i-2')),
    () => all.nodes.cache.seen(forged),
    () => all.nodeClaims.cache.seen({ ...stored(one), status: { providerID: 'aws:///i-1', nodeName: 'ip-1' } }),
    () => all.nodes.cache.gone(forged),
    () => all.nodeClaims.cache.seen(leavingClaim('early', 'aws:///i-0')),
    () => all.nodeClaims.cache.seen(aClaim('early', 'aws:///i-0')),
    () => all.nodes.cache.seen({ ...aNode('forged', 'aws:///i-1'), status: {} }),
    () => all.nodeClaims.cache.gone(one),
    () => all.nodes.cache.gone(bare),
  ];
  for (const change of changes) {
    change();
    expect(kept.nodes()).toEqual(new ClusterState(all).nodes());
    expect(kept.stayingNodes()).toEqual(kept.nodes().filter((state) => !isMarkedForDeletion(state)));
    expect(kept.leavingNodes()).toEqual(kept.nodes().filter(isMarkedForDeletion));
    expect(kept.usageOf('default')).toEqual(new ClusterState(all).usageOf('default'));
  }
  expect(kept.nodes().map(nodeNameOf)).toEqual(['early', 'forged', 'ip-1']);
});

test('a machine that is as it was is the same object, and a nomination makes another one', () => {
  const all = objects();
  const state = new ClusterState(all);
  all.nodeClaims.cache.seen(aClaim('one', 'aws:///i-1'));
  const [before] = state.nodes();
  all.nodeClaims.cache.seen(aClaim('two', 'aws:///i-2'));
  expect(state.nodes()[0]).toBe(before);
  state.nominate('aws:///i-1', instant(5));
  expect(state.nodes()[0]).toMatchObject({ nominatedUntil: 5, nodeClaim: before?.nodeClaim });
});

test('room for buffers is what the last round found, on exactly those machines', () => {
  const all = objects();
  const state = new ClusterState(all);
  for (const name of ['one', 'two', 'three']) all.nodeClaims.cache.seen(aClaim(name, `aws:///i-${name}`));
  const roomOn = () => state.nodes().map(({ bufferPods }) => bufferPods);
  const find = (name: string) => state.nodes().find((node) => nodeNameOf(node) === name) as NodeState;
  let told = 0;
  state.onReserved(() => (told += 1));
  state.reserve(new Map());
  expect(told).toBe(0);
  state.reserve(
    new Map([
      [find('one'), 2],
      [find('two'), 1],
    ]),
  );
  expect(roomOn()).toEqual([2, undefined, 1]);
  const before = find('one');
  state.reserve(
    new Map([
      [before, 2],
      [find('three'), 4],
    ]),
  );
  expect(roomOn()).toEqual([2, 4, undefined]);
  expect(find('one')).toBe(before);
  state.reserve(new Map());
  expect(roomOn()).toEqual([undefined, undefined, undefined]);
  expect(told).toBe(3);
});

test('a node that claims the instance of another one is a machine of its own, without a claim', () => {
  const all = objects();
  const state = new ClusterState(all);
  all.nodeClaims.cache.seen({ ...aClaim('one'), status: { providerID: 'aws:///i-1', nodeName: 'ip-1' } });
  all.nodes.cache.seen(aNode('forged', 'aws:///i-1'));
  all.nodes.cache.seen(aNode('ip-1', 'aws:///i-1'));
  const pairs = state.nodes().map(({ node, nodeClaim }) => [node?.metadata.name, nodeClaim?.metadata.name]);
  expect(pairs).toEqual([
    ['forged', undefined],
    ['ip-1', 'one'],
  ]);
});

test('a machine that leaves changes the list of those that stay only when it begins to leave', () => {
  const all = objects();
  all.nodeClaims.cache.seen(aClaim('one', 'aws:///i-1'));
  all.nodeClaims.cache.seen(aClaim('two', 'aws:///i-2'));
  const state = new ClusterState(all);
  all.nodeClaims.cache.seen(leavingClaim('one', 'aws:///i-1'));
  const [staying, leaving] = [state.stayingNodes(), state.leavingNodes()];
  expect([staying, leaving].map((nodes) => nodes.map(nodeNameOf))).toEqual([['two'], ['one']]);
  all.nodeClaims.cache.seen(leavingClaim('one', 'aws:///i-1'));
  expect(state.stayingNodes()).toBe(staying);
  expect(state.leavingNodes()).not.toBe(leaving);
  all.nodeClaims.cache.gone(leavingClaim('one', 'aws:///i-1'));
  expect(state.stayingNodes()).toBe(staying);
  expect(state.leavingNodes()).toEqual([]);
});
