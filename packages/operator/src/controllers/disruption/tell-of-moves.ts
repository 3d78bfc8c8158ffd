import type { NodePool } from '@nodewright/apis';
import type { DisruptionCandidate, DisruptionCommand, CommandValidation, WeighedMove } from '@nodewright/engine';
import * as reports from './consolidation-report.ts';
import type { Counters } from '../../reporting/counters.ts';
import type { Reporter } from '../../reporting/report.ts';
import type { MethodEvaluation } from './pass.ts';

type MoveDeps = { readonly report: Reporter; readonly counters: Counters };

/** Moves that a pass of consolidation found to work, and what the policies of their pools said. */
export function tellOfMoves(deps: MoveDeps, { method, plan: { search } }: MethodEvaluation): void {
  if (search === undefined) return;
  const { found, outweighed } = search;
  const weighed = found === undefined ? outweighed : [...outweighed, found];
  for (const { move } of weighed)
    if (move.replacements.length > 0) for (const report of reports.consolidationCandidate(move)) deps.report(report);
  // Of the tries for several nodes only the last says what became of them.
  const counted = method.consolidationType === 'multi' ? weighed.slice(-1) : weighed;
  for (const each of counted) countVerdicts(deps, each);
  if (found !== undefined) tellOfApproval(deps, found);
}

function countVerdicts({ counters }: MoveDeps, { move, scores }: WeighedMove): void {
  for (const [nodePool, { spec }] of poolsOfCandidates(move.candidates)) {
    const score = scores.find((each) => each.nodePool === nodePool);
    counters.moveWeighed({
      nodePool,
      policy: spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized',
      isApproved: score?.isApproved ?? true,
      ...(score === undefined ? {} : { score: score.score }),
    });
  }
}

const poolsOfCandidates = (candidates: readonly DisruptionCandidate[]): ReadonlyMap<string, NodePool> =>
  new Map(candidates.map(({ nodePool }) => [nodePool.metadata.name, nodePool]));

function tellOfApproval({ report }: MoveDeps, { move, scores }: WeighedMove): void {
  const [first, ...others] = move.candidates;
  const pools = poolsOfCandidates(move.candidates);
  for (const score of scores) {
    const pool = pools.get(score.nodePool);
    if (others.length > 0 && pool !== undefined) report(reports.consolidationOfPoolApproved(pool, score));
    else if (first !== undefined) for (const each of reports.consolidationApproved(first.state, score)) report(each);
  }
}

/** A move that was found and is not made after all. */
export function tellOfRejection(
  { report }: MoveDeps,
  command: DisruptionCommand,
  dropped: CommandValidation['dropped'],
): void {
  const [first] = dropped;
  if (first === undefined) return;
  for (const each of reports.consolidationRejected(command, first)) report(each);
}
