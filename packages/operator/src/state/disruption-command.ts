import {
  fromTimestamp,
  isConditionTrue,
  oncePerObject,
  readOwn,
  toTimestamp,
  type DisruptionReason,
  type Instant,
  type NodeClaim,
  byTextOf,
  inOrder,
  byNumberOf,
} from '@nodewright/apis';
import type { ConsolidationType } from '@nodewright/engine';
import { disruptionCommandAnnotation, replacementForAnnotation } from '../names.ts';
import type { Objects } from './objects.ts';

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
  /** The replacements that exist. One that is deleted will take no pods: the command has lost it already. */
  readonly created: readonly NodeClaim[];
};

export const printCommandRecord = ({ startedAt, ...record }: CommandRecord): string =>
  JSON.stringify({ ...record, startedAt: toTimestamp(startedAt) });

/** All commands that candidates tell of, oldest first. Claims without part in one are not looked at. */
export const storedCommands = ({ nodeClaims }: Pick<Objects, 'nodeClaims'>): readonly StoredCommand[] =>
  commandsOfClaims(nodeClaims.by('disruption', 'candidate'), (id) => nodeClaims.by('replacementFor', id));

/** @param createdFor the replacements of the command with an id */
export const commandsOfClaims = (
  claims: readonly NodeClaim[],
  createdFor: (id: string) => readonly NodeClaim[],
): readonly StoredCommand[] =>
  commandGroupsOf(claims).map(({ record, candidates }) => ({
    ...record,
    candidates,
    created: createdFor(record.id).filter(({ metadata }) => metadata.deletionTimestamp === undefined),
  }));

type CommandGroup = { readonly record: CommandRecord; readonly candidates: readonly NodeClaim[] };

/** Most claims that change are named by no command. The list of the others then stays the same. */
const commandGroupsOf = oncePerObject((claims: readonly NodeClaim[]): readonly CommandGroup[] => {
  const commands = new Map<string, { readonly record: CommandRecord; readonly candidates: NodeClaim[] }>();
  for (const claim of claims) {
    const record = commandRecordOf(claim);
    if (record === undefined) continue;
    const known = commands.get(record.id);
    if (known === undefined) commands.set(record.id, { record, candidates: [claim] });
    else known.candidates.push(claim);
  }
  return [...commands.values()].toSorted(oldestCommandFirst);
});

/** Whether a change of a claim leaves the candidates and the replacements of every command as they are. */
export const isSamePartOfCommand = (before: NodeClaim | undefined, after: NodeClaim | undefined): boolean =>
  claimAnnotation(before, disruptionCommandAnnotation) === claimAnnotation(after, disruptionCommandAnnotation) &&
  claimAnnotation(before, replacementForAnnotation) === claimAnnotation(after, replacementForAnnotation) &&
  before?.metadata.deletionTimestamp === after?.metadata.deletionTimestamp;

const claimAnnotation = (claim: NodeClaim | undefined, annotation: string): string | undefined =>
  readOwn(claim?.metadata.annotations, annotation);

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

const oldestCommandFirst = inOrder<CommandGroup>(
  byNumberOf(({ record }) => record.startedAt),
  byTextOf(({ record }) => record.id),
);
