import {
  byTextOf,
  type DisruptionPause,
  fromTimestamp,
  type Instant,
  labelSelectorPredicate,
  type PausedReason,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';

/** A NodePool or NodeGroup as pauses select it. */
export type PausableObject = {
  readonly kind: 'NodePool' | 'NodeGroup';
  readonly labels: Readonly<Record<string, string>>;
};

/** The pause that keeps disruption for this reason from beginning, if one does: the one that holds longest. */
export function findPause(
  pauses: readonly DisruptionPause[],
  object: PausableObject,
  reason: PausedReason,
  now: Instant,
): DisruptionPause | undefined {
  return pauses
    .filter((pause) => isPauseInForce(pause, now) && isInScope(pause, object, reason))
    .toSorted(byTextOf(({ metadata }) => metadata.name))
    .toSorted(inReverse(byNumberOf(endOfPause)))[0];
}

/** Without `until` it holds until it is deleted. */
export const endOfPause = ({ spec }: DisruptionPause): number =>
  spec.until === undefined ? Infinity : fromTimestamp(spec.until);

/** One that has run out stays as an object until it is deleted, and holds nothing. */
export const isPauseInForce = (pause: DisruptionPause, now: Instant): boolean => endOfPause(pause) > now;

/** When pauses that hold now end. */
export const endsOfPauses = (pauses: readonly DisruptionPause[], now: Instant): readonly Instant[] =>
  pauses.flatMap((pause) =>
    pause.spec.until !== undefined && isPauseInForce(pause, now) ? [fromTimestamp(pause.spec.until)] : [],
  );

function isInScope(
  { spec: { scope } }: DisruptionPause,
  { kind, labels }: PausableObject,
  reason: PausedReason,
): boolean {
  if (scope === undefined) return true;
  const { nodePools, nodeGroups, reasons } = scope;
  if (reasons !== undefined && !reasons.includes(reason)) return false;
  if (nodePools === undefined && nodeGroups === undefined) return true;
  return labelSelectorPredicate(kind === 'NodePool' ? nodePools : nodeGroups)(labels);
}

/** Why, for people: `DisruptionPause incident-7: INC-7`. */
export const printPause = ({ metadata, spec }: DisruptionPause): string =>
  `DisruptionPause ${metadata.name}: ${spec.reason}`;
