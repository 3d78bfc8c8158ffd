import {
  byTextOf,
  conditionOf,
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
  byNumberOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';
import { joinFailuresAnnotation } from '../names.ts';

/** Machines of an image did not become nodes of a NodePool, one launch after the other. */
export type JoinFailure = {
  /** The id of the image. */
  readonly image: string;
  /** Its name, or its id where the name is not known. */
  readonly name: string;
  /** How many launches in a row. Launches that were under way together count as one. */
  readonly attempts: number;
  /** When the last one was given up. */
  readonly failedAt: Instant;
  /** When one more is tried. */
  readonly until: Instant;
  /** The specs of the NodePool and its EC2NodeClass, as `specFingerprint` tells them apart. */
  readonly specs: string;
};

const shortestPauseMs = minutes(1);
const longestPauseMs = hours(1);
/** More than this are not stored: the latest ones are. */
const mostJoinFailures = 10;

/** What is stored on a NodePool. What is not of the right form counts as nothing. */
export const joinFailuresOn = (pool: NodePool): readonly JoinFailure[] =>
  Object.entries(jsonAnnotation(pool, joinFailuresAnnotation) ?? {}).flatMap(
    ([image, written]) => parseJoinFailure(image, written) ?? [],
  );

/** The NodePool with these failures stored on it; the same object when they are stored already. */
export function withJoinFailures(pool: NodePool, failures: readonly JoinFailure[]): NodePool {
  const kept = failures
    .toSorted(inOrder(inReverse(byNumberOf(({ failedAt }) => failedAt)), compareImage))
    .slice(0, mostJoinFailures);
  const text =
    kept.length === 0
      ? undefined
      : JSON.stringify(Object.fromEntries(kept.toSorted(compareImage).map(writeJoinFailure)));
  if (text === pool.metadata.annotations?.[joinFailuresAnnotation]) return pool;
  return withAnnotations(pool, { [joinFailuresAnnotation]: text });
}

const compareImage = byTextOf(({ image }: JoinFailure) => image);

const writeJoinFailure = ({ image, failedAt, until, ...rest }: JoinFailure) =>
  [image, { ...rest, failedAt: toTimestamp(failedAt), until: toTimestamp(until) }] as const;

function parseJoinFailure(image: string, value: unknown): JoinFailure | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, attempts, failedAt, until, specs } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof attempts !== 'number' || typeof specs !== 'string') return undefined;
  if (!isWrittenTime(failedAt) || !isWrittenTime(until)) return undefined;
  return { image, name, attempts, specs, failedAt: fromTimestamp(failedAt), until: fromTimestamp(until) };
}

const isWrittenTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

type FailedJoin = {
  readonly claim: NodeClaim;
  /** The name of its image. */
  readonly name: string;
  readonly specs: string;
  /** The claims of the pool. */
  readonly others: readonly NodeClaim[];
  readonly now: Instant;
};

/**
 * The failure that is on record once a claim was given up because its machine never joined: a pause of a minute, doubled
 * each time up to an hour. Launches that were under way together count once. While other machines of the image do join,
 * the image is not to blame, and nothing changes.
 */
export function nextJoinFailure(known: readonly JoinFailure[], failed: FailedJoin): JoinFailure | undefined {
  const { claim, name, specs, others, now } = failed;
  const image = claim.status?.imageID;
  const launchedAt = timeOfCondition(claim, 'Launched');
  if (image === undefined || launchedAt === undefined) return undefined;
  if (
    others.some(
      (other) => other.status?.imageID === image && (timeOfCondition(other, 'Registered') ?? -Infinity) >= launchedAt,
    )
  )
    return undefined;
  const before = known.find((each) => each.image === image && each.specs === specs);
  if (before !== undefined && launchedAt < before.failedAt) return undefined;
  const attempts = (before?.attempts ?? 0) + 1;
  const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** (attempts - 1));
  return { image, name, attempts, failedAt: now, until: instant(now + pauseMs), specs };
}

/** When a condition of the claim became True. */
export function timeOfCondition(claim: NodeClaim, type: string): Instant | undefined {
  const { status, lastTransitionTime } = conditionOf(claim, type) ?? {};
  return status === 'True' && lastTransitionTime !== undefined ? fromTimestamp(lastTransitionTime) : undefined;
}
