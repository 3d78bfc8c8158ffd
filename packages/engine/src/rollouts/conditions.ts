import { byTextOf, type Condition, type ConditionStatus, type Instant, toTimestamp } from '@nodewright/apis';

export type ConditionReading = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
};

/** The conditions as they are stored: by type, `lastTransitionTime` moves only with the status. */
export function stampConditions(
  readings: readonly ConditionReading[],
  before: readonly Condition[] | undefined,
  { generation, now }: { readonly generation: number | undefined; readonly now: Instant },
): readonly Condition[] {
  return readings
    .map(({ type, status, reason, message }) => {
      const previous = before?.find((each) => each.type === type);
      const kept = previous?.status === status ? previous.lastTransitionTime : undefined;
      return {
        type,
        status,
        reason,
        message,
        lastTransitionTime: kept ?? toTimestamp(now),
        ...(generation === undefined ? {} : { observedGeneration: generation }),
      };
    })
    .toSorted(byTextOf(({ type }) => type));
}
