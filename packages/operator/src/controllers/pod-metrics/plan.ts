import { conditionOf, fromTimestamp, isConditionTrue, type Instant, type Pod } from '@nodewright/apis';

/** A pod has got its node, or runs and is ready. */
export type PodMilestone = { readonly kind: 'bound' | 'ready'; readonly at: Instant };

const milestoneConditions = [
  { kind: 'bound', condition: 'PodScheduled' },
  { kind: 'ready', condition: 'Ready' },
] as const;

/** What a change of a pod says that it has reached. A condition without a time says nothing. */
export const listPodMilestones = (before: Pod, after: Pod): readonly PodMilestone[] =>
  milestoneConditions.flatMap(({ kind, condition }) => {
    if (isConditionTrue(before, condition) || !isConditionTrue(after, condition)) return [];
    const at = conditionOf(after, condition)?.lastTransitionTime;
    return at ? [{ kind, at: fromTimestamp(at) }] : [];
  });
