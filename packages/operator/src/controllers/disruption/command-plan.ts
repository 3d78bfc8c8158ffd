import {
  disruptedTaint,
  earliest,
  filterPerItem,
  hours,
  instant,
  isConditionTrue,
  minutes,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import { commandRecordOf, hasBegun, isCompleteCommand, type StoredCommand } from '../../state/disruption-command.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';
import { hasTaint } from '../../state/taints.ts';

export type CommandAction =
  | { readonly kind: 'announce'; readonly command: StoredCommand; readonly because: string }
  | { readonly kind: 'deleteCandidates'; readonly command: StoredCommand; readonly because: string }
  | { readonly kind: 'awaitReplacements'; readonly command: StoredCommand; readonly because: string }
  | { readonly kind: 'rollBack'; readonly command: StoredCommand; readonly because: string }
  | { readonly kind: 'release'; readonly node: Node; readonly claim: NodeClaim; readonly because: string };

const shortestTimeoutMs = minutes(10);
const longestCommandTimeoutMs = hours(1);
const msPerCandidate = 80;

/** The next step of every command that has begun. */
export function planCommands(commands: readonly StoredCommand[], now: Instant): readonly CommandAction[] {
  const dueAt = dueTimes(commands);
  return underWay(commands).map((command) => planCommand(command, dueAt(command), now));
}

/** It waits for its replacements: meanwhile others may begin. */
export const needsOnlyTime = ({ kind }: CommandAction): boolean => kind === 'awaitReplacements';

/** When the first of the commands under way has taken too long; `undefined` when none is. */
export function firstTimeout(commands: readonly StoredCommand[]): Instant | undefined {
  return earliest(...underWay(commands).map(dueTimes(commands)));
}

/**
 * When each command has taken too long. One whose replacement is a new node of a rollout waits until the rollout has judged
 * that node: given up before, it would be launched again and again, and no failure would ever be known.
 */
function dueTimes(commands: readonly StoredCommand[]): (command: StoredCommand) => Instant {
  const timeout = timeoutMs(commands);
  return ({ startedAt, created }) =>
    instant(
      startedAt + (created.some((claim) => rolloutOfClaim(claim) !== undefined) ? longestCommandTimeoutMs : timeout),
    );
}

function timeoutMs(commands: readonly StoredCommand[]): number {
  const queued = commands.reduce((count, { candidates }) => count + candidates.length, 0);
  return Math.min(longestCommandTimeoutMs, Math.max(shortestTimeoutMs, msPerCandidate * queued));
}

const underWay = (commands: readonly StoredCommand[]): readonly StoredCommand[] =>
  commands.filter((command) => isOpenCommand(command) && hasBegun(command));

/** Commands whose candidates all leave already need nothing more. */
const isOpenCommand = ({ candidates }: StoredCommand): boolean => candidates.some(hasNoDeletionTimestamp);

function planCommand(command: StoredCommand, due: Instant, now: Instant): CommandAction {
  const wanted = command.replacements;
  if (!isCompleteCommand(command)) {
    return { kind: 'rollBack', command, because: `${command.created.length} of ${wanted} replacements exist` };
  }
  if (
    command.candidates.some((claim) => hasNoDeletionTimestamp(claim) && !isConditionTrue(claim, 'DisruptionReason'))
  ) {
    return { kind: 'announce', command, because: 'its candidates do not tell of it yet' };
  }
  if (command.created.every((claim) => isConditionTrue(claim, 'Initialized'))) {
    return { kind: 'deleteCandidates', command, because: `all ${wanted} replacements are initialized` };
  }
  if (now >= due) return { kind: 'rollBack', command, because: 'the replacements took too long' };
  return { kind: 'awaitReplacements', command, because: 'a replacement is not initialized yet' };
}

const markedAsDisrupted = filterPerItem(
  ({ node, nodeClaim }: NodeState): boolean =>
    nodeClaim !== undefined &&
    (hasTaint(node?.spec?.taints, disruptedTaint) ||
      isConditionTrue(nodeClaim, 'DisruptionReason') ||
      commandRecordOf(nodeClaim) !== undefined),
);

/** Marked as disrupted although no command that has begun tells of it: the writer ended in between. */
export function leftBehind(commands: readonly StoredCommand[], nodes: readonly NodeState[]): readonly CommandAction[] {
  const begun = commands.filter(hasBegun);
  const candidates = new Set(begun.flatMap((command) => command.candidates.map(({ metadata }) => metadata.name)));
  return markedAsDisrupted(nodes).flatMap(({ node, nodeClaim }) => {
    if (node === undefined || nodeClaim === undefined || candidates.has(nodeClaim.metadata.name)) return [];
    if (!hasNoDeletionTimestamp(nodeClaim) || !hasNoDeletionTimestamp(node)) return [];
    return [{ kind: 'release', node, claim: nodeClaim, because: 'no disruption command is under way for it' }];
  });
}

export const hasNoDeletionTimestamp = ({ metadata }: NodeClaim | Node): boolean =>
  metadata.deletionTimestamp === undefined;
