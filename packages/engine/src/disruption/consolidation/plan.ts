import { isConditionTrue, type Instant } from '@nodewright/apis';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { ConsolidationType, DisruptionCommand } from '../command.ts';
import type { BlockedNode, MethodPlan, NodeRemark, Validation } from '../method.ts';
import { nextChange } from '../next-change.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { isWorthTelling, printedBarrier } from './barrier.ts';
import type { ConsolidationJudgement } from './consider.ts';
import { latestPerObject } from '../../memo/latest-per-object.ts';
import { gather, type Gathered } from './gather.ts';
import type { ConsolidationMove } from '../moves/move.ts';
import { searchTogether } from './multi-node.ts';
import { printedRefusal } from '../moves/refusal.ts';
import type { SearchOutcome } from '../moves/search.ts';
import { searchSingly } from './single-node.ts';
import { checked } from './validate.ts';

export type ConsolidationRequest = {
  /** Whether spot nodes may be replaced by spot nodes: the gate `SpotToSpotConsolidation`. */
  readonly spotToSpot: boolean;
  /** Asked before every try, which is one simulation of the scheduler. */
  readonly isTimeUp: () => boolean;
  /** Names of claims that the last plan came to before its time was up. */
  readonly looked?: ReadonlySet<string>;
};

/** The most nodes that can go together: method `MultiNodeConsolidation`. */
export function planTogether(seen: DisruptionSnapshot, now: Instant, request: ConsolidationRequest): MethodPlan {
  const judgement = judgementOf(seen, now, request);
  const gathered = gatheredOnce(judgement);
  return planOf('multi', gathered, searchTogether(gathered.candidates, judgement, request.isTimeUp));
}

/** The next single node that can be removed: method `SingleNodeConsolidation`. Reports why the others stay. */
export function planSingly(seen: DisruptionSnapshot, now: Instant, request: ConsolidationRequest): MethodPlan {
  const judgement = judgementOf(seen, now, request);
  const gathered = gatheredOnce(judgement);
  const search = searchSingly(gathered.candidates, judgement, request);
  const blocked = [...gathered.blocked.filter(isQuiet), ...heldByBudgets(gathered.candidates, judgement)];
  const recheckAt = nextChange(blocked, seen, now);
  return {
    ...planOf('single', gathered, search),
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
): Validation {
  const check = checked(command, judgementOf(seen, now, { spotToSpot }));
  if ('move' in check) return { command: { ...command, ...check.move }, dropped: [] };
  const { kind: because, because: detail } = check.objection;
  return { dropped: command.candidates.map((candidate) => ({ claim: claimNameOf(candidate), because, detail })) };
}

/** Both methods of a pass consider the same nodes. */
const gatheredOnce = (judgement: ConsolidationJudgement): Gathered => latestGathered(judgement.seen, judgement);

/** The eviction rules of a judgement follow from its snapshot. */
const latestGathered = latestPerObject(
  (_: DisruptionSnapshot, judgement: ConsolidationJudgement) => gather(judgement),
  (before, now) => before.now === now.now && before.spotToSpot === now.spotToSpot,
);

const judgementOf = (
  seen: DisruptionSnapshot,
  now: Instant,
  { spotToSpot }: Pick<ConsolidationRequest, 'spotToSpot'>,
): ConsolidationJudgement => ({ seen, rules: new EvictionRules(seen.podDisruptionBudgets), now, spotToSpot });

const planOf = (consolidationType: ConsolidationType, { candidates }: Gathered, search: SearchOutcome): MethodPlan => ({
  commands: search.found === undefined ? [] : [commandOf(search.found.move, consolidationType)],
  eligible: candidates.map(({ state }) => state),
  blocked: [],
  isUnfinished: search.isTimedOut,
  search,
});

const commandOf = (move: ConsolidationMove, consolidationType: ConsolidationType): DisruptionCommand => ({
  reason: 'Underutilized',
  consolidationType,
  ...move,
});

const claimNameOf = ({ state }: Candidate): string => state.nodeClaim?.metadata.name ?? '';

/** Whether a blocker is worth a report. New nodes, and nodes with recent pod changes, are not expected to be removed. */
const isQuiet = ({ node: { nodeClaim } }: BlockedNode): boolean =>
  nodeClaim !== undefined && isConditionTrue(nodeClaim, 'Consolidatable');

function heldByBudgets(
  candidates: readonly Candidate[],
  { seen, now }: ConsolidationJudgement,
): readonly BlockedNode[] {
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Underutilized', now });
  return candidates.flatMap(({ state: node, nodePool }) => {
    const blocker = ledger.blockerOf(nodePool);
    return blocker === undefined ? [] : [{ node, blocker }];
  });
}

const barredOf = ({ barred }: Gathered): readonly NodeRemark[] =>
  barred
    .filter(({ barrier }) => isWorthTelling(barrier))
    .map(({ node, barrier }) => ({ node, message: printedBarrier(barrier) }));

const refusedOf = ({ refused }: SearchOutcome): readonly NodeRemark[] =>
  refused.map(({ node, refusal }) => ({ node, message: printedRefusal(refusal) }));
