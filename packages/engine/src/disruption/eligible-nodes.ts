import type { Instant, PausedReason } from '@nodewright/apis';
import type { NodeState } from '../cluster/node-state.ts';
import { candidaciesOf, type DisruptionCandidate, type DisruptionClass } from './candidates/candidate.ts';
import type { BlockedNode } from './method.ts';
import type { EvictionRules } from './evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from './snapshot.ts';

export type EligibilityQuestion = {
  readonly disruptionClass: DisruptionClass;
  readonly reason: PausedReason;
  readonly rules: EvictionRules;
  readonly now: Instant;
};

/** The nodes that may be disrupted, and the blockers of the others. */
export function splitEligibleNodes(
  nodes: readonly NodeState[],
  { supplies, staticSupplies = [], queued, pauses, watched }: DisruptionSnapshot,
  question: EligibilityQuestion,
): { readonly candidates: readonly DisruptionCandidate[]; readonly blocked: readonly BlockedNode[] } {
  const context = { supplies: [...supplies, ...staticSupplies], queued, pauses, watched, ...question };
  const candidates: DisruptionCandidate[] = [];
  const blocked: BlockedNode[] = [];
  const candidacies = candidaciesOf(nodes, context);
  for (const [index, node] of nodes.entries()) {
    const candidacy = candidacies[index];
    if (candidacy?.kind === 'candidate') candidates.push(candidacy.candidate);
    else if (candidacy !== undefined) blocked.push({ node, blocker: candidacy.blocker });
  }
  return { candidates, blocked };
}
