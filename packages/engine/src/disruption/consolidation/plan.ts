import { type Instant, isConditionTrue, latestPerObject } from '@nodewright/apis';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { ConsolidationType, DisruptionCommand } from '../command.ts';
import type { BlockedNode, MethodPlan, NodeRemark, CommandValidation } from '../method.ts';
import { nextDisruptionChange } from '../next-change.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { printRefusalEvent } from '../moves/refusal-event.ts';
import { isBarrierReported, printBarrierEvent } from './barrier.ts';
import type { ConsolidationJudgement } from './consider.ts';
import { gatherCandidates, type GatheredCandidates } from './gather.ts';
import type { ConsolidationMove } from '../moves/move.ts';
import { searchTogether } from './multi-node.ts';
import type { SearchLimits } from '../moves/search-effort.ts';
import type { SearchOutcome } from '../moves/search.ts';
import { searchSingly } from './single-node.ts';
import { checkMove } from './validate.ts';

export type ConsolidationRequest = {
  /** Whether spot nodes may be replaced by spot nodes: the gate `SpotToSpotConsolidation`. */
  readonly spotToSpot: boolean;
  readonly limits?: SearchLimits;
  /** Names of claims that earlier plans of the same search came to. */
  readonly looked?: ReadonlySet<string>;
};

/** The most nodes that can go together: method `MultiNodeConsolidation`. */
export function planTogether(seen: DisruptionSnapshot, now: Instant, request: ConsolidationRequest): MethodPlan {
  const judgement = judgementOf(seen, now, request);
  const gathered = gatheredCandidates(judgement);
  const recheckAt = nextDisruptionChange(
    [...gathered.blocked, ...heldByBudgets(gathered.candidates, judgement)],
    seen,
    now,
  );
  return {
    ...planFromSearch('multi', gathered, searchTogether(gathered.candidates, judgement, request.limits)),
    ...(recheckAt === undefined ? {} : { recheckAt }),
  };
}

/** The next single node that can be removed: method `SingleNodeConsolidation`. Reports why the others stay. */
export function planSingly(seen: DisruptionSnapshot, now: Instant, request: ConsolidationRequest): MethodPlan {
  const judgement = judgementOf(seen, now, request);
  const gathered = gatheredCandidates(judgement);
  const search = searchSingly(gathered.candidates, judgement, request);
  const blocked = [...gathered.blocked.filter(isBlockerReported), ...heldByBudgets(gathered.candidates, judgement)];
  const recheckAt = nextDisruptionChange(blocked, seen, now);
  return {
    ...planFromSearch('single', gathered, search),
    blocked,
    unconsolidatable: [...barredOf(gathered), ...refusedOf(search)],
    ...(recheckAt === undefined ? {} : { recheckAt }),
  };
}

/** Checks a move again after the validation period. It is valid as a whole or not at all. */
export function validateConsolidation(
  command: DisruptionCommand,
  seen: DisruptionSnapshot,
  now: Instant,
  { spotToSpot }: Pick<ConsolidationRequest, 'spotToSpot'>,
): CommandValidation {
  const check = checkMove(command, judgementOf(seen, now, { spotToSpot }));
  if ('move' in check) return { command: { ...command, ...check.move }, dropped: [] };
  const { kind: because, because: detail } = check.objection;
  return {
    dropped: command.candidates.map((candidate) => ({ claim: consolidatedClaimName(candidate), because, detail })),
  };
}

/** Both methods of a pass consider the same nodes. */
const gatheredCandidates = (judgement: ConsolidationJudgement): GatheredCandidates =>
  latestGathered(judgement.seen, judgement);

/** The eviction rules of a judgement follow from its snapshot. */
const latestGathered = latestPerObject(
  (_: DisruptionSnapshot, judgement: ConsolidationJudgement) => gatherCandidates(judgement),
  (before, now) => before.now === now.now && before.spotToSpot === now.spotToSpot,
);

const judgementOf = (
  seen: DisruptionSnapshot,
  now: Instant,
  { spotToSpot }: Pick<ConsolidationRequest, 'spotToSpot'>,
): ConsolidationJudgement => ({ seen, rules: new EvictionRules(seen.podDisruptionBudgets), now, spotToSpot });

const planFromSearch = (
  consolidationType: ConsolidationType,
  { candidates }: GatheredCandidates,
  search: SearchOutcome,
): MethodPlan => ({
  commands: search.found === undefined ? [] : [consolidationCommand(search.found.move, consolidationType)],
  eligible: candidates.map(({ state }) => state),
  blocked: [],
  isUnfinished: search.isCutShort,
  search,
});

const consolidationCommand = (move: ConsolidationMove, consolidationType: ConsolidationType): DisruptionCommand => ({
  reason: 'Underutilized',
  consolidationType,
  ...move,
});

const consolidatedClaimName = ({ state }: DisruptionCandidate): string => state.nodeClaim?.metadata.name ?? '';

/** Whether a blocker is worth a report. New nodes, and nodes with recent pod changes, are not expected to be removed. */
const isBlockerReported = ({ node: { nodeClaim } }: BlockedNode): boolean =>
  nodeClaim !== undefined && isConditionTrue(nodeClaim, 'Consolidatable');

function heldByBudgets(
  candidates: readonly DisruptionCandidate[],
  { seen, now }: ConsolidationJudgement,
): readonly BlockedNode[] {
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Underutilized', now });
  return candidates.flatMap(({ state: node, nodePool }) => {
    const blocker = ledger.blockerOf(nodePool);
    return blocker === undefined ? [] : [{ node, blocker }];
  });
}

const barredOf = ({ barred }: GatheredCandidates): readonly NodeRemark[] =>
  barred
    .filter(({ barrier }) => isBarrierReported(barrier))
    .map(({ node, barrier }) => ({ node, message: printBarrierEvent(barrier) }));

const refusedOf = ({ refused }: SearchOutcome): readonly NodeRemark[] =>
  refused.map(({ node, refusal }) => ({ node, message: printRefusalEvent(refusal) }));
