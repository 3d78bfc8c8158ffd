import { type Instant, karpenterAnnotations, type Node } from '@nodewright/apis';
import { type EvictionRules, isProtected, podName, type RolloutNode } from '@nodewright/engine';
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

/**
 * What protects a node from disruption for its own sake: its annotation `karpenter.sh/do-not-disrupt`, or that of one of
 * its pods. Node groups do not look at either.
 */
export function findProtection(
  { objects, now }: Pick<DrainSources, 'objects' | 'now'>,
  node: Node | undefined,
): Pick<RolloutNode, 'blockedBy'> {
  if (node === undefined) return {};
  if (node.metadata.annotations?.[karpenterAnnotations.doNotDisrupt] === 'true') return { blockedBy: {} };
  const pod = objects.pods.by('node', node.metadata.name).find((each) => isProtected(each, now));
  return pod === undefined ? {} : { blockedBy: { pod: podName(pod) } };
}
