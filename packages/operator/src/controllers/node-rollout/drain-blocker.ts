import type { Instant, Node } from '@nodewright/apis';
import { type EvictionRules, podName, type RolloutNode } from '@nodewright/engine';
import type { Objects } from '../../state/objects.ts';

type DrainSources = {
  readonly objects: Pick<Objects, 'pods'>;
  readonly rules: EvictionRules;
  readonly now: Instant;
};

/** The first pod that keeps a node from being emptied, with its budgets. */
export function findDrainBlocker(
  { objects, rules, now }: DrainSources,
  node: Node | undefined,
): Pick<RolloutNode, 'blockedBy'> {
  if (node === undefined) return {};
  for (const pod of objects.pods.by('node', node.metadata.name)) {
    const blocker = rules.blockerOf(pod, now);
    if (blocker !== undefined)
      return { blockedBy: { pod: podName(pod), podDisruptionBudget: blocker.budgets.join(', ') } };
  }
  return {};
}
