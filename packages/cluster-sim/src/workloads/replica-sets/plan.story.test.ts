import { fromTimestamp, instant, type Pod, type ReplicaSet } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { plan, type ReplicaSetSnapshot } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

const aSet = (replicas: number, changes: Partial<ReplicaSet['spec']> = {}): ReplicaSet => ({
  metadata: { name: 'web', namespace: 'default', generation: 2 },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } },
    ...changes,
  },
});

const ready = (name: string): Pod => aPod(name, { nodeName: 'node-1', labels: { app: 'web' } });
const notReady = (name: string): Pod => ({ ...ready(name), status: { phase: 'Running' } });
const unbound = (name: string): Pod => aPod(name, { labels: { app: 'web' } });
const bornAt = (pod: Pod, creationTimestamp: string): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, creationTimestamp },
});

const planFor = (set: ReplicaSet, active: readonly Pod[], changes: Partial<ReplicaSetSnapshot> = {}) =>
  plan({
    set,
    active: active.map((one) => ({ one, count: 1 })),
    listActive: () => active,
    heldUntil: undefined,
    now,
    ...changes,
  });

const createdAndDeleted = ({ actions }: ReturnType<typeof plan>): readonly string[] =>
  actions.flatMap((action) => {
    if (action.kind === 'createPod') return [`create ${action.pod.metadata.generateName}`];
    return action.kind === 'deletePod' ? [`delete ${action.pod.metadata.name}`] : [];
  });

for (const { fact, set = aSet(1), pods, moves } of [
  {
    fact: 'creates the pods that are missing',
    set: aSet(3),
    pods: [ready('a')],
    moves: ['create web-', 'create web-'],
  },
  { fact: 'does nothing when all are there', pods: [ready('a')], moves: [] },
  {
    fact: 'deletes pods without a node first',
    pods: [ready('a'), notReady('b'), unbound('c')],
    moves: ['delete c', 'delete b'],
  },
  {
    fact: 'deletes the youngest of equal pods',
    pods: [bornAt(ready('a'), '2024-01-28T15:00:00Z'), bornAt(ready('b'), '2024-01-28T14:00:00Z')],
    moves: ['delete a'],
  },
  { fact: 'deletes by name when pods are of one age', pods: [ready('b'), ready('a')], moves: ['delete a'] },
  {
    fact: 'creates nothing without a template',
    set: { ...aSet(1), spec: { replicas: 1, selector: {} } },
    pods: [],
    moves: [],
  },
]) {
  test(`a ReplicaSet ${fact}`, () => {
    expect(createdAndDeleted(planFor(set, pods))).toEqual(moves);
  });
}

test('while own writes are not in the watch the plan only counts', () => {
  const held = planFor(aSet(3), [], { heldUntil: instant(now + 5) });
  expect(held.actions.map(({ kind }) => kind)).toEqual(['writeStatus']);
  expect(held.recheckAt).toBe(now + 5);
});

test('the status is written when a count differs, and only then', () => {
  const pods = [ready('a'), notReady('b'), aPod('c', { nodeName: 'node-1', labels: { app: 'other' } })];
  const counts = {
    replicas: 3,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    observedGeneration: 2,
  };
  expect(planFor(aSet(3), pods).actions).toEqual([{ kind: 'writeStatus', status: counts }]);
  expect(planFor({ ...aSet(3), status: counts }, pods).actions).toEqual([]);
});

test('a ready pod is available after minReadySeconds, and the plan is due then', () => {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2024-01-28T15:59:50Z' }] as const;
  const pod: Pod = { ...ready('a'), status: { phase: 'Running', conditions } };
  const set = aSet(1, { minReadySeconds: 30 });
  const early = planFor(set, [pod]);
  expect(early.actions).toMatchObject([{ status: { readyReplicas: 1, availableReplicas: null } }]);
  expect(early.recheckAt).toBe(fromTimestamp('2024-01-28T16:00:20Z'));
  const late = planFor(set, [pod], { now: instant(now + 20_000) });
  expect(late).toMatchObject({ actions: [{ status: { availableReplicas: 1 } }], recheckAt: undefined });
});

test('from 1.35 on the status counts the pods that are being deleted', () => {
  const status = {
    replicas: 1,
    fullyLabeledReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 2,
  };
  const leaving = [{ one: ready('b'), count: 2 }];
  const planned = (terminating: ReplicaSetSnapshot['terminating']) =>
    planFor({ ...aSet(1), status }, [ready('a')], { terminating }).actions;
  expect(planned(leaving)).toMatchObject([{ status: { replicas: 1, terminatingReplicas: 2 } }]);
  expect(planned([])).toMatchObject([{ status: { terminatingReplicas: 0 } }]);
  expect(planned(undefined)).toEqual([]);
});
