import { byText, conditionOf, fromTimestamp, oncePerObject } from '@nodewright/apis';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';

/** Nodes that drifted longest ago first, then by name. */
export const longestDriftedFirst = (a: DisruptionCandidate, b: DisruptionCandidate): number =>
  driftedAt(a.state) - driftedAt(b.state) || byText(nodeNameOf(a.state), nodeNameOf(b.state));

const driftedAt = oncePerObject(({ nodeClaim }: NodeState): number => {
  const since = nodeClaim && conditionOf(nodeClaim, 'Drifted')?.lastTransitionTime;
  return since === undefined ? 0 : fromTimestamp(since);
});
