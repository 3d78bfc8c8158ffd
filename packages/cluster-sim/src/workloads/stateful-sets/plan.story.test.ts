import {
  fromTimestamp,
  instant,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
  statefulSets,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planRevision } from '../revisions/revisions.ts';
import { memberClaims, memberPod } from './members.ts';
import { plan, type StatefulSetAction, type StatefulSetSnapshot } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

const aSet = (spec: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  metadata: { name: 'web', namespace: 'default', generation: 1 },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    volumeClaimTemplates: [{ metadata: { name: 'data' } }],
    ...spec,
  },
});

const { history, present } = planRevision(statefulSets, aSet(), []);
const template = { spec: { containers: [{ name: 'web', image: 'web:1' }] } };

const aMember = (ordinal: number, revision = present.metadata.name): Pod => ({
  ...memberPod(aSet(), ordinal, template, revision),
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});
const claimsOf = (...ordinals: readonly number[]): readonly PersistentVolumeClaim[] =>
  ordinals.flatMap((ordinal) => memberClaims(aSet(), ordinal));

const showAction = (action: StatefulSetAction): string => {
  if ('pod' in action) return `${action.kind} ${action.pod.metadata.name}`;
  return 'claim' in action ? `${action.kind} ${action.claim.metadata.name}` : action.kind;
};

const planFor = (changes: Partial<StatefulSetSnapshot>) =>
  plan({ set: aSet(), owned: [], claims: [], revisions: history, heldUntil: undefined, now, ...changes });

const deletesClaims = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } as const;

for (const { fact, changes, actions } of [
  {
    fact: 'records its revision, then creates the claim and the pod of the first ordinal',
    changes: { revisions: [] },
    actions: ['createRevision', 'createClaim data-web-0', 'createPod web-0', 'writeStatus'],
  },
  {
    fact: 'uses a claim that is there',
    changes: { claims: claimsOf(0) },
    actions: ['createPod web-0', 'writeStatus'],
  },
  {
    fact: 'creates the next pod when the one before is ready',
    changes: { owned: [aMember(0)], claims: claimsOf(0, 1) },
    actions: ['createPod web-1', 'writeStatus'],
  },
  {
    fact: 'only counts while the watch may not show its own writes',
    changes: { heldUntil: instant(now + 5) },
    actions: ['writeStatus'],
  },
  {
    fact: 'keeps the claim of an ordinal that it gave up',
    changes: { owned: [aMember(0), aMember(1)], claims: claimsOf(0, 1, 2) },
    actions: ['writeStatus'],
  },
  {
    fact: 'deletes the claim of an ordinal that it gave up when its policy says so',
    changes: { set: aSet(deletesClaims), owned: [aMember(0), aMember(1)], claims: claimsOf(2, 0, 1) },
    actions: ['deleteClaim data-web-2', 'writeStatus'],
  },
  {
    fact: 'keeps the claim of a pod that is still there',
    changes: { set: aSet(deletesClaims), owned: [aMember(0), aMember(1), aMember(2)], claims: claimsOf(0, 1, 2) },
    actions: ['deletePod web-2', 'writeStatus'],
  },
  {
    fact: 'updates from the highest ordinal',
    changes: { owned: [aMember(0, 'web-old'), aMember(1, 'web-old')], claims: claimsOf(0, 1) },
    actions: ['deletePod web-1', 'writeStatus'],
  },
]) {
  test(`a StatefulSet ${fact}`, () => {
    expect(planFor(changes).actions.map(showAction)).toEqual(actions);
  });
}

test('a pod below the partition comes back with the template of its own revision', () => {
  const status: StatefulSet['status'] = { replicas: 0, currentRevision: present.metadata.name };
  const updated = aSet({
    template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  });
  const { actions } = planFor({ set: { ...updated, status }, claims: claimsOf(0, 1) });
  expect(actions).toMatchObject([
    { kind: 'createRevision' },
    { kind: 'createPod', pod: { spec: { containers: [{ image: 'web:1' }] } } },
    { kind: 'writeStatus' },
  ]);
});
