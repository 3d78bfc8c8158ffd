import { byText, conditionOf, fromTimestamp, oncePerItem, byNumberOf, inOrder } from '@nodewright/apis';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';

/** Empty nodes first, then the nodes that drifted longest ago, then by name. */
export const sortByDrift = (candidates: readonly DisruptionCandidate[]): readonly DisruptionCandidate[] =>
  sortRanked(
    candidates,
    inOrder(
      byNumberOf(({ isBusy }) => Number(isBusy)),
      longestDriftedFirst,
    ),
  );

/** Those that drifted longest ago first, then by name. */
export const sortByTimeOfDrift = (candidates: readonly DisruptionCandidate[]): readonly DisruptionCandidate[] =>
  sortRanked(candidates, longestDriftedFirst);

type RankedCandidate = {
  readonly candidate: DisruptionCandidate;
  readonly isBusy: boolean;
  readonly driftedAt: number;
  readonly name: string;
};

const ranked = oncePerItem((candidate: DisruptionCandidate): RankedCandidate => ({
  candidate,
  isBusy: candidate.reschedulable.length > 0,
  driftedAt: driftedAt(candidate.state),
  name: nodeNameOf(candidate.state),
}));

function driftedAt({ nodeClaim }: NodeState): number {
  const since = nodeClaim && conditionOf(nodeClaim, 'Drifted')?.lastTransitionTime;
  return since === undefined ? 0 : fromTimestamp(since);
}

const longestDriftedFirst = (a: RankedCandidate, b: RankedCandidate): number =>
  a.driftedAt - b.driftedAt || byText(a.name, b.name);

const sortRanked = (
  candidates: readonly DisruptionCandidate[],
  order: (a: RankedCandidate, b: RankedCandidate) => number,
): readonly DisruptionCandidate[] =>
  ranked(candidates)
    .toSorted(order)
    .map(({ candidate }) => candidate);
