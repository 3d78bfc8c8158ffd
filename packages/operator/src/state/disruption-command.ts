import {
  fromTimestamp,
  isConditionTrue,
  toTimestamp,
  type DisruptionReason,
  type Instant,
  type NodeClaim,
} from '@nodewright/apis';
import { disruptionCommandAnnotation, replacementForAnnotation } from '../names.ts';

/** What a candidate's annotation holds: enough to go on with the command after a restart. */
export type CommandRecord = {
  readonly id: string;
  readonly reason: DisruptionReason;
  /** How many replacements belong to it; fewer in existence means it never got going, or lost one. */
  readonly replacements: number;
  readonly startedAt: Instant;
};

/** A disruption under way, put together from the claims that carry it. */
export type DisruptionCommand = CommandRecord & {
  readonly candidates: readonly NodeClaim[];
  readonly created: readonly NodeClaim[];
};

export const printCommandRecord = ({ startedAt, ...record }: CommandRecord): string =>
  JSON.stringify({ ...record, startedAt: toTimestamp(startedAt) });

/** All commands that candidates tell of, oldest first. */
export function disruptionCommands(claims: readonly NodeClaim[]): readonly DisruptionCommand[] {
  const byId = new Map<string, DisruptionCommand>();
  for (const claim of claims) {
    const record = commandRecordOf(claim);
    if (record === undefined) continue;
    const command = byId.get(record.id) ?? { ...record, candidates: [], created: replacementsOf(record.id, claims) };
    byId.set(record.id, { ...command, candidates: [...command.candidates, claim] });
  }
  return [...byId.values()].toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
}

/** Every replacement exists: from here on the candidates count as leaving. */
export const isComplete = (command: DisruptionCommand): boolean => command.created.length >= command.replacements;

/**
 * It got going: its replacements were made, or its candidates tell so, which they do last. A command that has not is
 * what an operator left that died on the way: it binds nobody, and is taken up again or cleared away.
 */
export const hasBegun = (command: DisruptionCommand): boolean =>
  isComplete(command) || command.candidates.some((claim) => isConditionTrue(claim, 'DisruptionReason'));

/** The record on a candidate; `undefined` when there is none, or none that can be read. */
export function commandRecordOf(claim: NodeClaim): CommandRecord | undefined {
  const text = claim.metadata.annotations?.[disruptionCommandAnnotation];
  if (text === undefined) return undefined;
  const parsed = parseObject(text);
  const { id, reason, replacements, startedAt } = parsed;
  if (typeof id !== 'string' || typeof replacements !== 'number' || typeof startedAt !== 'string') return undefined;
  if (reason !== 'Drifted' && reason !== 'Empty' && reason !== 'Underutilized') return undefined;
  return { id, reason, replacements, startedAt: fromTimestamp(startedAt) };
}

const replacementsOf = (id: string, claims: readonly NodeClaim[]): readonly NodeClaim[] =>
  claims.filter((claim) => claim.metadata.annotations?.[replacementForAnnotation] === id);

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {}; // written by somebody else: no command of ours
  }
}
