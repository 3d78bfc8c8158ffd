import {
  fromTimestamp,
  hours,
  instant,
  type Instant,
  jsonAnnotation,
  minutes,
  type NodeClaim,
  type NodePool,
  toTimestamp,
  withAnnotations,
} from '@nodewright/apis';
import { replacementFailuresAnnotation } from '../names.ts';

/**
 * Replacements of nodes of a governed NodePool could not be launched, one after the other; or no replacement of one node
 * could be planned, because its pods would have no place.
 */
export type ReplacementFailure = {
  /** The NodeRollout whose target they are for; empty for replacements with the proven image. */
  readonly rollout: string;
  /** How many in a row. Failures that were under way together count as one. */
  readonly attempts: number;
  readonly because: string;
  /** When the last one failed. */
  readonly failedAt: Instant;
  /** When one more is tried. */
  readonly until: Instant;
};

const shortestBackOffMs = minutes(1);
const longestBackOffMs = hours(1);
const longestCause = 300;

/** What is stored on a NodePool or NodeClaim. What is not of the right form counts as nothing. */
export function replacementFailureOn(object: NodePool | NodeClaim): ReplacementFailure | undefined {
  const { rollout, attempts, because, failedAt, until } = jsonAnnotation(object, replacementFailuresAnnotation) ?? {};
  if (typeof rollout !== 'string' || typeof attempts !== 'number' || typeof because !== 'string') return undefined;
  if (!isWrittenInstant(failedAt) || !isWrittenInstant(until)) return undefined;
  return { rollout, attempts, because, failedAt: fromTimestamp(failedAt), until: fromTimestamp(until) };
}

const isWrittenInstant = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** The object with the failure stored on it, or with none; the same object where nothing changes. */
export function withReplacementFailure<T extends NodePool | NodeClaim>(
  object: T,
  failure: ReplacementFailure | undefined,
): T {
  const text =
    failure === undefined
      ? undefined
      : JSON.stringify({
          ...failure,
          failedAt: toTimestamp(failure.failedAt),
          until: toTimestamp(failure.until),
        });
  if (text === object.metadata.annotations?.[replacementFailuresAnnotation]) return object;
  return withAnnotations(object, { [replacementFailuresAnnotation]: text });
}

export type FailedReplacement = {
  readonly rollout: string;
  /** When its claim was created. */
  readonly createdAt: Instant;
  readonly because: string;
  readonly now: Instant;
};

/**
 * What is on record once a replacement could not be launched: a pause of a minute, doubled each time up to an hour.
 * Replacements that were under way together count once. Those of another rollout begin anew.
 */
export function nextReplacementFailure(
  known: ReplacementFailure | undefined,
  { rollout, createdAt, because, now }: FailedReplacement,
): ReplacementFailure {
  const before = known?.rollout === rollout ? known : undefined;
  if (before !== undefined && createdAt < before.failedAt) return before;
  const attempts = (before?.attempts ?? 0) + 1;
  const pauseMs = Math.min(longestBackOffMs, shortestBackOffMs * 2 ** (attempts - 1));
  return { rollout, attempts, because: because.slice(0, longestCause), failedAt: now, until: instant(now + pauseMs) };
}
