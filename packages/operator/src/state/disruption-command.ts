import {
  fromTimestamp,
  isConditionTrue,
  oncePerObject,
  toTimestamp,
  type DisruptionReason,
  type Instant,
  type NodeClaim,
  byTextOf,
  inOrder,
} from '@nodewright/apis';
import type { ConsolidationType } from '@nodewright/engine';
import { disruptionCommandAnnotation, replacementForAnnotation } from '../names.ts';

/** What a candidate's annotation holds: enough to go on with the command after a restart. */
export type CommandRecord = {
  readonly id: string;
  readonly reason: DisruptionReason;
  readonly consolidationType?: ConsolidationType;
  /** How many replacements belong to it; fewer in existence means it never got going, or lost one. */
  readonly replacements: number;
  readonly startedAt: Instant;
};

const consolidationTypes: readonly ConsolidationType[] = ['empty', 'multi', 'single'];

/** A disruption under way, put together from the claims that carry it. */
export type StoredCommand = CommandRecord & {
  readonly candidates: readonly NodeClaim[];
  readonly created: readonly NodeClaim[];
};

export const printCommandRecord = ({ startedAt, ...record }: CommandRecord): string =>
  JSON.stringify({ ...record, startedAt: toTimestamp(startedAt) });

/** All commands that candidates tell of, oldest first. Several controllers ask about the same list of claims. */
export const disruptionCommands = oncePerObject((claims: readonly NodeClaim[]): readonly StoredCommand[] => {
  const told = claims.flatMap((claim) => {
    const record = commandRecordOf(claim);
    return record === undefined ? [] : [{ claim, record }];
  });
  if (told.length === 0) return [];
  const candidates = groupByKey(told, ({ record }) => record.id);
  const created = groupByKey(claims, ({ metadata }) => metadata.annotations?.[replacementForAnnotation]);
  return [...candidates.values()]
    .flatMap((those) => those.slice(0, 1).map(({ record }) => commandOfClaims(record, those, created.get(record.id))))
    .toSorted(oldestCommandFirst);
});

const commandOfClaims = (
  record: CommandRecord,
  told: readonly { readonly claim: NodeClaim }[],
  created: readonly NodeClaim[] = [],
): StoredCommand => ({ ...record, candidates: told.map(({ claim }) => claim), created });

/** By key, in order; what has none is left out. */
function groupByKey<T>(all: readonly T[], keyOf: (each: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

/** Every replacement exists: from here on the candidates count as leaving. */
export const isCompleteCommand = (command: StoredCommand): boolean => command.created.length >= command.replacements;

/**
 * It got going: its replacements were made, or its candidates tell so, which they do last. A command that has not is
 * what an operator left that died on the way: it has no effect, and is taken up again or cleared away.
 */
export const hasBegun = (command: StoredCommand): boolean =>
  isCompleteCommand(command) || command.candidates.some((claim) => isConditionTrue(claim, 'DisruptionReason'));

/** The record on a candidate; `undefined` when there is none, or none that can be read. */
export const commandRecordOf = oncePerObject((claim: NodeClaim): CommandRecord | undefined => {
  const text = claim.metadata.annotations?.[disruptionCommandAnnotation];
  if (text === undefined) return undefined;
  const parsed = parseObject(text);
  const { id, reason, consolidationType: type, replacements, startedAt } = parsed;
  if (typeof id !== 'string' || typeof replacements !== 'number' || typeof startedAt !== 'string') return undefined;
  if (reason !== 'Drifted' && reason !== 'Empty' && reason !== 'Underutilized') return undefined;
  const consolidationType = consolidationTypes.find((each) => each === type);
  return {
    id,
    reason,
    ...(consolidationType === undefined ? {} : { consolidationType }),
    replacements,
    startedAt: fromTimestamp(startedAt),
  };
});

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {}; // written by another program: no command of ours
  }
}

const oldestCommandFirst = inOrder<StoredCommand>(
  (a, b) => a.startedAt - b.startedAt,
  byTextOf(({ id }) => id),
);
