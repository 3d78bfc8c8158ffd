import { fromTimestamp, type Namespace, pods } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { type NamespaceAction, type NamespaceSnapshot, plan } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const namespace: Namespace = { metadata: { name: 'team' }, spec: { finalizers: ['kubernetes', 'example.com/held'] } };
const deletedWith = (...contents: Extract<NamespaceSnapshot, { kind: 'deleted' }>['contents']): NamespaceSnapshot => ({
  kind: 'deleted',
  namespace,
  contents,
  now,
});
const staying = { type: pods, object: aPod('a') };
const leaving = { type: pods, object: aPod('b', { deleting: true }) };

type NamespaceCase = {
  readonly fact: string;
  readonly snapshot: NamespaceSnapshot;
  readonly actions: readonly NamespaceAction[];
  readonly waitsMs?: number;
};

const cases: readonly NamespaceCase[] = [
  {
    fact: 'a system namespace that is missing is created',
    snapshot: { kind: 'absent', name: 'kube-public' },
    actions: [{ kind: 'createNamespace', name: 'kube-public' }],
  },
  { fact: 'another namespace that is gone stays away', snapshot: { kind: 'absent', name: 'team' }, actions: [] },
  {
    fact: 'what is in a deleted namespace is deleted, once each',
    snapshot: deletedWith(staying, leaving),
    actions: [{ kind: 'deleteObject', content: staying }],
    waitsMs: 1_000,
  },
  {
    fact: 'a deleted namespace waits for objects that are leaving',
    snapshot: deletedWith(leaving),
    actions: [],
    waitsMs: 1_000,
  },
  {
    fact: 'an empty deleted namespace loses the finalizer of its contents, and only that',
    snapshot: deletedWith(),
    actions: [{ kind: 'finalize', namespace: { ...namespace, spec: { finalizers: ['example.com/held'] } } }],
  },
];

for (const { fact, snapshot, actions, waitsMs } of cases) {
  test(fact, () => {
    expect(plan(snapshot)).toEqual({ actions, ...(waitsMs === undefined ? {} : { recheckAt: now + waitsMs }) });
  });
}
