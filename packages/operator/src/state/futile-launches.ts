import {
  byTextOf,
  fromTimestamp,
  jsonAnnotation,
  toTimestamp,
  withAnnotations,
  type Instant,
  type NodePool,
  byNumberOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';
import { futileLaunchesAnnotation } from '../names.ts';

/** Nodes of a NodePool were launched for pods of a class, and the pods did not bind to them. */
export type FutileRecord = {
  readonly schedulingClass: string;
  /** The node that was looked at. */
  readonly node: string;
  /** What stands against the pods there. */
  readonly why: string;
  /** How often it happened, one pause after the other. */
  readonly attempts: number;
  /** When the claim of the node was created. */
  readonly launchedAt: Instant;
  readonly judgedAt: Instant;
  /** When one more node is tried. */
  readonly until: Instant;
  /** What each NodePool was like that could have been launched from, by its name. */
  readonly pools: ReadonlyMap<string, string>;
};

/** More than this are not stored: the ones that last longest are. */
const mostRecords = 50;

/** What is stored on a NodePool, by class. What is not of the right form counts as nothing. */
export const futileRecordsOn = (pool: NodePool): readonly FutileRecord[] =>
  Object.entries(jsonAnnotation(pool, futileLaunchesAnnotation) ?? {}).flatMap(
    ([name, written]) => parseFutileRecord(name, written) ?? [],
  );

/** The NodePool with these records stored on it; the same object when they are stored already. */
export function withFutileRecords(pool: NodePool, records: readonly FutileRecord[]): NodePool {
  const kept = records
    .toSorted(inOrder(inReverse(byNumberOf(({ until }) => until)), compareClass))
    .slice(0, mostRecords);
  const text =
    kept.length === 0
      ? undefined
      : JSON.stringify(Object.fromEntries(kept.toSorted(compareClass).map(writeFutileRecord)));
  if (text === pool.metadata.annotations?.[futileLaunchesAnnotation]) return pool;
  return withAnnotations(pool, { [futileLaunchesAnnotation]: text });
}

const compareClass = byTextOf(({ schedulingClass }: FutileRecord) => schedulingClass);

const writeFutileRecord = ({ schedulingClass, launchedAt, judgedAt, until, pools, ...rest }: FutileRecord) =>
  [
    schedulingClass,
    {
      ...rest,
      launchedAt: toTimestamp(launchedAt),
      judgedAt: toTimestamp(judgedAt),
      until: toTimestamp(until),
      pools: Object.fromEntries(pools),
    },
  ] as const;

function parseFutileRecord(schedulingClass: string, value: unknown): FutileRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { node, why, attempts, launchedAt, judgedAt, until, pools } = value as Readonly<Record<string, unknown>>;
  if (typeof node !== 'string' || typeof why !== 'string' || typeof attempts !== 'number') return undefined;
  if (!isTimestamp(launchedAt) || !isTimestamp(judgedAt) || !isTimestamp(until)) return undefined;
  const times = {
    launchedAt: fromTimestamp(launchedAt),
    judgedAt: fromTimestamp(judgedAt),
    until: fromTimestamp(until),
  };
  const texts = Object.entries(typeof pools === 'object' && pools !== null ? pools : {}).flatMap(
    ([name, text]: [string, unknown]) => (typeof text === 'string' ? [[name, text] as const] : []),
  );
  return { schedulingClass, node, why, attempts, ...times, pools: new Map(texts) };
}

const isTimestamp = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));
