import { byText, byNumberOf, byTextOf, inOrder, inReverse } from '../values/order.ts';
import {
  type Condition,
  type ConditionStatus,
  type Instant,
  type KubernetesObject,
  toTimestamp,
} from '../kubernetes/meta.ts';

/** The conditions of a kind: `root` sums up `dependents`; any others stand for themselves. */
export type ConditionSet = { readonly root: string; readonly dependents: readonly string[] };

/** An object that keeps conditions in its status. */
export type Conditioned = KubernetesObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

export type ConditionUpdate = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
};

export const nodePoolConditions: ConditionSet = {
  root: 'Ready',
  dependents: ['ValidationSucceeded', 'NodeClassReady'],
};
export const nodeClaimConditions: ConditionSet = {
  root: 'Ready',
  dependents: ['Launched', 'Registered', 'Initialized'],
};

export const nodeOverlayConditions: ConditionSet = { root: 'Ready', dependents: ['ValidationSucceeded'] };

/** `CapacityReservationsReady` joins the dependents while the gate `ReservedCapacity` is on. */
export const ec2NodeClassConditions = (gates: { readonly reservedCapacity: boolean }): ConditionSet => ({
  root: 'Ready',
  dependents: [
    'AMIsReady',
    'SubnetsReady',
    'SecurityGroupsReady',
    'InstanceProfileReady',
    'PlacementGroupReady',
    'ValidationSucceeded',
    ...(gates.reservedCapacity ? ['CapacityReservationsReady'] : []),
  ],
});

/** A loop, because hardly anything is asked as often. */
export function conditionOf({ status }: Conditioned, type: string): Condition | undefined {
  for (const condition of status?.conditions ?? noConditions) if (condition.type === type) return condition;
  return undefined;
}

const noConditions: readonly Condition[] = [];

/** Absent counts as not true. */
export const isConditionTrue = (object: Conditioned, type: string): boolean =>
  conditionOf(object, type)?.status === 'True';
export const isConditionFalse = (object: Conditioned, type: string): boolean =>
  conditionOf(object, type)?.status === 'False';
/** True for an absent condition as well. */
export const isConditionUnknown = (object: Conditioned, type: string): boolean =>
  (conditionOf(object, type)?.status ?? 'Unknown') === 'Unknown';

export const conditionTrue = (type: string, reason = type, message = ''): ConditionUpdate => ({
  type,
  status: 'True',
  reason,
  message,
});

export const conditionFalse = (type: string, reason: string, message: string): ConditionUpdate => ({
  type,
  status: 'False',
  reason,
  message,
});

export const conditionUnknown = (
  type: string,
  reason = 'AwaitingReconciliation',
  message = 'object is awaiting reconciliation',
): ConditionUpdate => ({ type, status: 'Unknown', reason, message });

/**
 * The object with every condition of the set present: what is missing is Unknown since the object's
 * creation. The same object when nothing was missing.
 */
export function withInitialConditions<T extends Conditioned>(set: ConditionSet, object: T, now: Instant): T {
  const missing = [set.root, ...set.dependents].filter((type) => conditionOf(object, type) === undefined);
  return missing.reduce((current, type) => withCondition(set, current, conditionUnknown(type), now), object);
}

/**
 * The object with the condition set, its root recomputed and the list sorted; the very same object
 * when nothing differs. `lastTransitionTime` moves only with the status.
 */
export function withCondition<T extends Conditioned>(
  set: ConditionSet,
  object: T,
  update: ConditionUpdate,
  now: Instant,
): T {
  const previous = conditionOf(object, update.type);
  const next = stampCondition(set, object, update, now);
  if (previous !== undefined && isSameCondition(previous, next)) return object;
  const others = othersThan(object, update.type);
  const written = withOrderedConditions(object, orderConditions([...others, next], set.root));
  return update.type === set.root ? written : withCondition(set, written, rootOf(set, written, now), now);
}

/**
 * The object with a condition that no other sums up; the very same object when nothing differs.
 * `lastTransitionTime` moves only with the status.
 */
export function withLoneCondition<T extends Conditioned>(object: T, update: ConditionUpdate, now: Instant): T {
  const none = { root: '', dependents: [] };
  const previous = conditionOf(object, update.type);
  const next = stampCondition(none, object, update, now);
  if (previous !== undefined && isSameCondition(previous, next)) return object;
  const others = (object.status?.conditions ?? []).filter(({ type }) => type !== update.type);
  return withOrderedConditions(object, [...others, next].toSorted(byConditionType));
}

/**
 * The object without the condition; the rest is then ordered by type. The very same object when it had none.
 * @throws when the condition is the root or a dependent: those never go away
 */
export function withoutCondition<T extends Conditioned>(set: ConditionSet, object: T, type: string): T {
  if (type === set.root || set.dependents.includes(type))
    throw new Error(`condition ${type} is part of the set and stays`);
  if (conditionOf(object, type) === undefined) return object;
  const rest = (object.status?.conditions ?? []).filter((condition) => condition.type !== type);
  return withOrderedConditions(object, rest.toSorted(byConditionType));
}

function stampCondition(set: ConditionSet, object: Conditioned, update: ConditionUpdate, now: Instant): Condition {
  const { type, status, reason = type, message = '' } = update;
  const generation = object.metadata.generation;
  return {
    type,
    status,
    lastTransitionTime: transitionTime(set, object, update, now),
    reason,
    message,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

function transitionTime(set: ConditionSet, object: Conditioned, update: ConditionUpdate, now: Instant): string {
  const previous = conditionOf(object, update.type);
  if (previous?.status === update.status && previous.lastTransitionTime !== undefined)
    return previous.lastTransitionTime;
  const isNewMember = previous === undefined && (update.type === set.root || set.dependents.includes(update.type));
  return isNewMember ? (object.metadata.creationTimestamp ?? toTimestamp(now)) : toTimestamp(now);
}

/** While the object is being deleted, every change brings the others up to the current generation. */
function othersThan(object: Conditioned, type: string): readonly Condition[] {
  const others = (object.status?.conditions ?? []).filter((condition) => condition.type !== type);
  const { deletionTimestamp, generation } = object.metadata;
  if (deletionTimestamp === undefined || generation === undefined) return others;
  return others.map((condition) => ({ ...condition, observedGeneration: generation }));
}

/** The message names the offending dependents, the latest transition first. */
function rootOf(set: ConditionSet, object: Conditioned, now: Instant): ConditionUpdate {
  const offending = (object.status?.conditions ?? [])
    .filter((condition) => set.dependents.includes(condition.type))
    .filter((condition) => condition.status !== 'True' || !isCurrent(condition, object));
  const changedNow = offending.filter((condition) => isTransitionOf(condition, object, now));
  const before = offending
    .filter((condition) => !changedNow.includes(condition))
    .toSorted(inReverse(byTextOf(transitionTimeOf)));
  return summarizeConditions(set, object, [...changedNow.toReversed(), ...before]);
}

/**
 * Whether a condition changed at this time. Times are whole seconds, so among such conditions the list tells the order: the
 * last one set is the last of the list. A condition that only exists since the object does has not changed.
 */
const isTransitionOf = (condition: Condition, { metadata }: Conditioned, now: Instant): boolean =>
  condition.lastTransitionTime === toTimestamp(now) &&
  !(condition.status === 'Unknown' && condition.lastTransitionTime === metadata.creationTimestamp);

function summarizeConditions(set: ConditionSet, object: Conditioned, offending: readonly Condition[]): ConditionUpdate {
  if (offending.length === 0) return conditionTrue(set.root);
  const message = offending.map(({ type, status }) => `${type}=${status}`).join(', ');
  return offending.some((condition) => condition.status === 'False' && isCurrent(condition, object))
    ? conditionFalse(set.root, 'UnhealthyDependents', message)
    : conditionUnknown(set.root, 'ReconcilingDependents', message);
}

const isCurrent = (condition: Condition, object: Conditioned): boolean =>
  condition.observedGeneration === object.metadata.generation;

const orderConditions = (conditions: readonly Condition[], root: string): readonly Condition[] =>
  conditions.toSorted(
    inOrder(
      byNumberOf(({ type }) => Number(type === root)),
      byTextOf(transitionTimeOf),
    ),
  );

const isSameCondition = (a: Condition, b: Condition): boolean =>
  a.status === b.status &&
  a.reason === b.reason &&
  (a.message ?? '') === (b.message ?? '') &&
  a.lastTransitionTime === b.lastTransitionTime &&
  a.observedGeneration === b.observedGeneration;

const withOrderedConditions = <T extends Conditioned>(object: T, conditions: readonly Condition[]): T => ({
  ...object,
  status: { ...object.status, conditions },
});

const transitionTimeOf = (condition: Condition): string => condition.lastTransitionTime ?? '';
const byConditionType = (a: Condition, b: Condition): number => byText(a.type, b.type);
