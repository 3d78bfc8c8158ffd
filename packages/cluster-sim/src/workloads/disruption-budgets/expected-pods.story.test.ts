import type { DaemonSet, Deployment, KubernetesObject, Pod, ReplicaSet, StatefulSet } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { countExpectedPods, type ControllerLookup } from './expected-pods.ts';

const named = (kind: string, name: string, owner?: string): KubernetesObject['metadata'] => ({
  name,
  namespace: 'default',
  uid: name,
  ...(owner === undefined
    ? {}
    : { ownerReferences: [{ apiVersion: 'apps/v1', kind, name: owner, uid: owner, controller: true }] }),
});

const selector = { matchLabels: { app: 'web' } };
const template = { spec: { containers: [] } };
const deployment: Deployment = { metadata: named('', 'web'), spec: { replicas: 5, selector, template } };
const replicaSet: ReplicaSet = { metadata: named('Deployment', 'web-1', 'web'), spec: { replicas: 3, selector } };
const loneSet: ReplicaSet = { metadata: named('', 'lone'), spec: { replicas: 4, selector } };
const statefulSet: StatefulSet = { metadata: named('', 'db'), spec: { replicas: 3, selector } };
const daemonSet: DaemonSet = {
  metadata: named('', 'agent'),
  spec: { selector, template },
  status: { desiredNumberScheduled: 7, currentNumberScheduled: 6, numberMisscheduled: 0, numberReady: 5 },
};

const find =
  <T extends KubernetesObject>(...objects: readonly T[]) =>
  (key: string): T | undefined =>
    objects.find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key);

const everything: ControllerLookup = {
  deployment: find(deployment),
  replicaSet: find(replicaSet, loneSet),
  statefulSet: find(statefulSet),
  daemonSet: find(daemonSet),
};
const nothing: ControllerLookup = {
  deployment: find<Deployment>(),
  replicaSet: find<ReplicaSet>(),
  statefulSet: find<StatefulSet>(),
  daemonSet: find<DaemonSet>(),
};

const podOf = (kind: string, owner?: string, name = 'pod'): Pod => ({
  metadata: named(kind, name, owner),
  spec: { containers: [] },
});

for (const { fact, pods, lookup = everything, count } of [
  { fact: 'no pods', pods: [], count: 0 },
  { fact: 'pods without a controller', pods: [podOf('', undefined, 'a'), podOf('', undefined, 'b')], count: 2 },
  { fact: 'the Deployment of a ReplicaSet, not the set', pods: [podOf('ReplicaSet', 'web-1')], count: 5 },
  { fact: 'a ReplicaSet of its own', pods: [podOf('ReplicaSet', 'lone')], count: 4 },
  { fact: 'a StatefulSet', pods: [podOf('StatefulSet', 'db')], count: 3 },
  { fact: 'a DaemonSet by its status', pods: [podOf('DaemonSet', 'agent')], count: 7 },
  {
    fact: 'two pods of one controller once',
    pods: [podOf('StatefulSet', 'db', 'db-0'), podOf('StatefulSet', 'db', 'db-1')],
    count: 3,
  },
  {
    fact: 'several controllers together',
    pods: [podOf('ReplicaSet', 'web-1', 'a'), podOf('StatefulSet', 'db', 'b')],
    count: 8,
  },
  {
    fact: 'a controller that is gone as one for each pod',
    pods: [podOf('ReplicaSet', 'web-1', 'a'), podOf('ReplicaSet', 'web-1', 'b')],
    lookup: nothing,
    count: 2,
  },
]) {
  test(`expected pods count ${fact}`, () => {
    expect(countExpectedPods(pods, lookup)).toBe(count);
  });
}
