import { type KubernetesObject, type OwnerReference, pods, replicaSets } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { foreground, type Item, orphaning, type OwnerState } from './owners.ts';
import { concernsOwners, type OwnershipAction, plan } from './plan.ts';

const referenceTo = (uid: string, changes: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: uid,
  uid,
  ...changes,
});

const aPodItem = (name: string, metadata: Partial<KubernetesObject['metadata']> = {}): Item => ({
  type: pods,
  object: { metadata: { name, uid: name, ...metadata } },
});
const owner: Item = {
  type: replicaSets,
  object: { metadata: { name: 'set', uid: 'set', finalizers: ['other', orphaning, foreground] } },
};

const showAction = (action: OwnershipAction): string => {
  const { name } = action.item.object.metadata;
  switch (action.kind) {
    case 'keepReferences':
      return `${name} keeps owners [${action.ownerReferences.map(({ uid }) => uid).join(' ')}]`;
    case 'keepFinalizers':
      return `${name} keeps finalizers [${action.finalizers.join(' ')}]`;
    case 'delete':
      return `delete ${name} ${action.policy}`;
    case 'enqueue':
      return `enqueue ${name}`;
  }
};

type OwnedCase = {
  readonly fact: string;
  readonly states: readonly OwnerState[];
  readonly hasDependents?: boolean;
  readonly finalizers?: readonly string[];
  readonly actions: readonly string[];
};

const ownedCases: readonly OwnedCase[] = [
  { fact: 'without owners stays', states: [], actions: [] },
  { fact: 'with all its owners stays', states: ['present', 'present'], actions: [] },
  { fact: 'goes when its only owner is gone', states: ['absent'], actions: ['delete web Background'] },
  {
    fact: 'keeps its references to owners that are there',
    states: ['absent', 'present'],
    actions: ['web keeps owners [owner-1]'],
  },
  {
    fact: 'leaves an owner that waits while another stays',
    states: ['leaving', 'present'],
    actions: ['web keeps owners [owner-1]'],
  },
  { fact: 'goes before an owner that waits for it', states: ['leaving'], actions: ['delete web Background'] },
  {
    fact: 'with dependents of its own goes in the foreground, too',
    states: ['leaving'],
    hasDependents: true,
    actions: ['delete web Foreground'],
  },
  {
    fact: 'orphans its dependents when its finalizer says so',
    states: ['absent'],
    finalizers: [orphaning],
    actions: ['delete web Orphan'],
  },
  {
    fact: 'goes in the foreground when its finalizer says so',
    states: ['absent'],
    finalizers: [foreground],
    actions: ['delete web Foreground'],
  },
];

for (const { fact, states, hasDependents = false, finalizers = [], actions } of ownedCases) {
  test(`an object ${fact}`, () => {
    const item = aPodItem('web', { finalizers });
    const owners = states.map((state, index) => ({ reference: referenceTo(`owner-${index}`), state }));
    expect(plan({ kind: 'owned', item, owners, hasDependents }).actions.map(showAction)).toEqual(actions);
  });
}

test('an orphaning owner lets its dependents keep their other owners, then goes', () => {
  const dependents = [aPodItem('a', { ownerReferences: [referenceTo('set'), referenceTo('other')] })];
  expect(plan({ kind: 'orphaning', item: owner, dependents }).actions.map(showAction)).toEqual([
    'a keeps owners [other]',
    `set keeps finalizers [other ${foreground}]`,
  ]);
});

test('an owner in the foreground waits for the dependents that block it, and for no others', () => {
  const blocking = aPodItem('a', { ownerReferences: [referenceTo('set', { blockOwnerDeletion: true })] });
  const free = aPodItem('b', { ownerReferences: [referenceTo('set')] });
  const showPlan = (dependents: readonly Item[]) =>
    plan({ kind: 'foreground', item: owner, dependents }).actions.map(showAction);
  expect(showPlan([blocking, free])).toEqual(['enqueue a']);
  expect(showPlan([free])).toEqual([`set keeps finalizers [other ${orphaning}]`]);
});

const owned = { ownerReferences: [referenceTo('set')] };
const deleted = { deletionTimestamp: '2024-01-28T16:00:00Z' };

for (const { fact, before, after, concerns } of [
  { fact: 'a new object without owners', before: undefined, after: {}, concerns: false },
  { fact: 'a new object with owners', before: undefined, after: owned, concerns: true },
  { fact: 'an object that is first seen deleted', before: undefined, after: deleted, concerns: true },
  { fact: 'another label', before: owned, after: { ...owned, labels: { app: 'web' } }, concerns: false },
  { fact: 'another owner', before: owned, after: { ownerReferences: [referenceTo('other')] }, concerns: true },
  { fact: 'the loss of the last owner', before: owned, after: {}, concerns: false },
  { fact: 'a deletion', before: {}, after: deleted, concerns: true },
  {
    fact: 'a finalizer of a deleted object',
    before: { ...deleted, finalizers: ['a'] },
    after: deleted,
    concerns: true,
  },
  { fact: 'a finalizer of another object', before: { finalizers: ['a'] }, after: {}, concerns: false },
]) {
  test(`${fact} ${concerns ? 'concerns' : 'does not concern'} the collector`, () => {
    const metadata = { name: 'web' };
    const was = before === undefined ? undefined : { metadata: { ...metadata, ...before } };
    expect(concernsOwners(was, { metadata: { ...metadata, ...after } })).toBe(concerns);
  });
}
