import {
  minutes,
  nodeClaims,
  nodePools,
  nodes,
  oncePerObject,
  type DisruptionReason,
  type Instant,
  type Node,
  type NodeClaim,
  type NodePool,
} from '@nodewright/apis';
import {
  allowanceOfBudget,
  budgetComplaints,
  countsByPool,
  nodePoolNameOf,
  printBlockedEvent,
  type DisruptionBlocker,
  type DisruptionMethod,
  type DisruptionSnapshot,
  type NodeRemark,
  type NodeState,
} from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';
import { counterEntry, eventEntries, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { StoredCommand } from '../../state/disruption-command.ts';
import { commandFields } from './command-log.ts';
import { reportMoves, reportRejection } from './consolidation-report.ts';
import type { MethodEvaluation, Pass } from './pass.ts';
import type { PlannedCommand } from './plan.ts';
import { isCutShort, isLateSearch, type ConsolidationSearch } from './search-progress.ts';

/** One pass, and what it was made on. */
export type ReportedPass = {
  readonly pass: Pass;
  readonly problem: DisruptionSnapshot | undefined;
  /** How long each method took. */
  readonly durations: readonly MethodDuration[];
  /** The search for a single node, as far as this pass has come. */
  readonly search: ConsolidationSearch | undefined;
  readonly now: Instant;
};

export type MethodDuration = { readonly method: DisruptionMethod; readonly tookMs: number };

/** What one pass found: how much there is to do for each reason, what budgets close, and what came of a proposal. */
export const reportPass = ({ pass, problem, durations, search, now }: ReportedPass): readonly ReportEntry[] => [
  ...durations.map(({ method, tookMs }) => counterEntry('methodEvaluated', method, tookMs)),
  ...pass.evaluations.flatMap((evaluation) => reportTimeout(evaluation, search, now)),
  ...[...eligibleByReason(pass.evaluations)].flatMap(([reason, eligible]) => [
    counterEntry('nodesEligible', reason, eligible.size),
    ...(problem === undefined || eligible.size === 0 ? [] : reportClosedBudgets(problem, reason, now)),
  ]),
  ...pass.evaluations.flatMap(({ plan }) => eventEntries((plan.unconsolidatable ?? []).flatMap(unconsolidatable))),
  ...pass.evaluations.flatMap(reportMoves),
  ...(pass.validation === undefined ? [] : reportDropped(pass.validation)),
];

/** A search for several nodes has to end within one pass; one for a single node may take several passes. */
function reportTimeout(
  { method: { consolidationType }, plan }: MethodEvaluation,
  search: ConsolidationSearch | undefined,
  now: Instant,
): readonly ReportEntry[] {
  if (consolidationType === undefined || !isCutShort(plan)) return [];
  if (consolidationType === 'multi') return [counterEntry('consolidationTimedOut', 'multi')];
  return plan.commands.length === 0 && isLateSearch(search, now)
    ? [counterEntry('consolidationTimedOut', 'single')]
    : [];
}

/** Several methods of one reason may consider the same nodes. */
function eligibleByReason(
  evaluations: readonly MethodEvaluation[],
): ReadonlyMap<DisruptionReason, ReadonlySet<NodeState>> {
  const byReason = new Map<DisruptionReason, Set<NodeState>>();
  for (const { method, plan } of evaluations)
    byReason.set(method.reason, new Set([...(byReason.get(method.reason) ?? []), ...plan.eligible]));
  return byReason;
}

/** Pools that have nodes, and whose budgets let none of them go for the reason now. */
function reportClosedBudgets(seen: DisruptionSnapshot, reason: DisruptionReason, now: Instant): readonly ReportEntry[] {
  const counts = countsByPool(seen.nodes);
  return [...seen.supplies, ...(seen.staticSupplies ?? [])].flatMap(({ nodePool }) => {
    const total = counts.get(nodePool.metadata.name)?.total ?? 0;
    const isClosed = total > 0 && allowanceOfBudget(nodePool.spec.disruption?.budgets, total, { reason, now }) === 0;
    return isClosed ? [eventEntry(blockedByBudget(nodePool, reason))] : [];
  });
}

const blockedByBudget = (pool: NodePool, reason: DisruptionReason): EventReport => ({
  kind: nodePools,
  about: pool,
  type: 'Normal',
  reason: 'DisruptionBlocked',
  message: `No allowed disruptions for disruption reason ${reason} due to blocking budget`,
  dedupe: [pool.metadata.uid ?? pool.metadata.name, reason],
  windowMs: minutes(1),
});

const unconsolidatable = ({ node: { node, nodeClaim }, message }: NodeRemark): readonly EventReport[] =>
  eventsOnPair({ node, claim: nodeClaim }, { reason: 'Unconsolidatable', message, windowMs: minutes(15) });

function reportDropped({ of, dropped }: NonNullable<Pass['validation']>): readonly ReportEntry[] {
  const { method, command } = of;
  return [
    ...dropped.flatMap(({ claim, because }) => [
      counterEntry('validationFailed', method, because),
      logEntry('debug', 'leaving node alone after all', { method: method.name, NodeClaim: { name: claim }, because }),
    ]),
    ...(method.reason === 'Underutilized' ? reportRejection(command, dropped) : []),
  ];
}

/** A budget that cannot be read allows nothing. */
export function reportBudgetErrors(pools: readonly NodePool[]): readonly ReportEntry[] {
  const errors = pools.flatMap(({ metadata, spec }) =>
    budgetComplaints(spec.disruption?.budgets).map(({ message }) => `${metadata.name}: ${message}`),
  );
  return errors.length === 0 ? [] : [logEntry('error', 'detected disruption budget errors', { errors })];
}

/** On the node and its claim; a budget is the pool's affair, but both may ask what holds them. */
export const reportBlocked = ({ node, nodeClaim }: NodeState, blocker: DisruptionBlocker): readonly ReportEntry[] =>
  eventEntries(
    eventsOnPair({ node, claim: nodeClaim }, { reason: 'DisruptionBlocked', message: blockedMessage(blocker) }),
  );

/** One budget holds many nodes with one blocker. */
const blockedMessage = oncePerObject(printBlockedEvent);

/** A command is about to be started. */
export const reportCommand = (id: string, command: PlannedCommand): readonly ReportEntry[] => [
  logEntry('info', 'disrupting node(s)', commandFields(id, command)),
];

/** A command is under way: its candidates tell of it. */
export const reportCommandStart = (command: PlannedCommand): readonly ReportEntry[] => [
  counterEntry('disruptionDecided', command, poolNamesOfCandidates(command.candidates)),
];

const poolNamesOfCandidates = (candidates: readonly NodeState[]): readonly string[] =>
  [...new Set(candidates.map((state) => nodePoolNameOf(state) ?? ''))].toSorted();

/** A candidate of a command was deleted, and so many pods of its node have to move. */
export const reportDisruption = (
  pair: DisruptedPair & { readonly claim: NodeClaim },
  { reason, policy, pods }: { readonly reason: string; readonly policy: string | undefined; readonly pods: number },
): readonly ReportEntry[] => [
  ...eventEntries([
    ...eventsOnPair({ node: pair.node }, terminatingBy('Node', reason)),
    ...eventsOnPair({ claim: pair.claim }, terminatingBy('NodeClaim', reason)),
  ]),
  counterEntry('claimDisrupted', pair.claim, reason.toLowerCase(), { policy, pods }),
];

const terminatingBy = (what: string, reason: string): DisruptionWords => ({
  reason: 'DisruptionTerminating',
  message: `Disrupting ${what}: ${reason}`,
  dedupe: [reason],
});

export const reportCommandSuccess = ({ id }: StoredCommand): readonly ReportEntry[] => [
  logEntry('debug', 'command succeeded', { 'command-id': id }),
];

/** A command waits for its replacements. */
export const reportWaiting = ({ created, reason }: StoredCommand): readonly ReportEntry[] =>
  eventEntries(
    created.flatMap((claim) => [
      ...eventsOnPair(
        { claim },
        { reason: 'DisruptionLaunching', message: `Launching NodeClaim: ${reason}`, dedupe: [reason] },
      ),
      ...eventsOnPair(
        { claim },
        { reason: 'DisruptionWaitingReadiness', message: 'Waiting on readiness to continue disruption' },
      ),
    ]),
  );

/** @param failed how many of the replacements are not ready */
export const reportRollBack = (command: StoredCommand, failed: number, because: string): readonly ReportEntry[] => [
  counterEntry('replacementsFailed', command, failed),
  logEntry('error', 'failed to disrupt nodes', { 'command-id': command.id, error: because }),
];

type DisruptedPair = { readonly claim?: NodeClaim | undefined; readonly node?: Node | undefined };
type DisruptionWords = {
  readonly reason: string;
  readonly message: string;
  readonly dedupe?: readonly string[];
  readonly windowMs?: number;
};

/** The same event on the node and on the claim, whichever exist. */
function eventsOnPair({ claim, node }: DisruptedPair, words: DisruptionWords): readonly EventReport[] {
  const told: EventReport[] = [];
  if (node !== undefined) told.push(eventOn(nodes, node, words));
  if (claim !== undefined) told.push(eventOn(nodeClaims, claim, words));
  return told;
}

const eventOn = (
  kind: EventReport['kind'],
  about: Node | NodeClaim,
  { reason, message, dedupe = noValues, windowMs }: DisruptionWords,
): EventReport => {
  const values = [about.metadata.uid ?? '', ...dedupe];
  const report = { kind, about, type: 'Normal', reason, message, dedupe: values } as const;
  return windowMs === undefined ? report : { ...report, windowMs };
};

const noValues: readonly string[] = [];
