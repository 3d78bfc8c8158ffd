import type { Condition } from '@nodewright/apis';

/**
 * `conditions` with `changes` laid over them by type. The transition time of a condition moves only
 * with its status.
 */
export function mergeConditions<T extends Condition>(
  conditions: readonly T[] | undefined,
  changes: readonly T[],
  at: string,
): readonly T[] {
  const merged = changes.map((change) => stampChange(change, conditions, at));
  const kept = (conditions ?? []).filter(({ type }) => !changes.some((change) => change.type === type));
  return [...kept, ...merged];
}

function stampChange<T extends Condition>(change: T, conditions: readonly T[] | undefined, at: string): T {
  const before = conditions?.find(({ type }) => type === change.type);
  const lastTransitionTime = before?.status === change.status ? (before.lastTransitionTime ?? at) : at;
  return { ...change, lastTransitionTime };
}

export const statusOfCondition = (conditions: readonly Condition[] | undefined, type: string): string | undefined =>
  conditions?.find((condition) => condition.type === type)?.status;

export const isTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
