import type { Instant } from '@nodewright/apis';
import type { AwsAccount } from '../account.ts';
import type {
  AutoScalingGroupRecord,
  GroupInstance,
  LifecycleHook,
  LifecycleState,
  LifecycleTransition,
} from '../autoscaling/group/group.ts';
import { listOwnHooks } from '../eks/nodegroups/own-hooks.ts';
import type { GroupInstanceFacts, ScalingGroupFacts } from './group-facts.ts';

type RestoredGroupPlace = {
  readonly account: AwsAccount;
  readonly isManaged: boolean;
  /** Of an instance, by its id. */
  readonly launchedAt: (id: string) => Instant;
};

/** The group as Auto Scaling would have kept it. What it did in the past and its instance refreshes are not known. */
export function restoredScalingGroup(facts: ScalingGroupFacts, place: RestoredGroupPlace): AutoScalingGroupRecord {
  const { tagsAtLaunch, isDeleting, tags, hooks, instances, warm, ...rest } = facts;
  const own = place.isManaged ? listOwnHooks(place.account) : [];
  return {
    ...rest,
    tags: Object.entries(tags).map(([key, value]) => ({ key, value, atLaunch: tagsAtLaunch.includes(key) })),
    hooks: [...own, ...hooks.map(restoredHook)],
    instances: instances.map((instance) => restoredMember(instance, place)),
    ...(warm.length === 0 ? {} : { warm: warm.map((instance) => restoredMember(instance, place)) }),
    activities: [],
    refreshes: [],
    deleting: isDeleting,
  };
}

const restoredHook = ({ transition, defaultResult, ...hook }: ScalingGroupFacts['hooks'][number]): LifecycleHook => ({
  ...hook,
  transition: transition as LifecycleTransition,
  defaultResult: defaultResult === 'CONTINUE' ? 'CONTINUE' : 'ABANDON',
});

/** An instance that waits for a hook comes to the hook again: who has to answer is told anew. */
const restoredMember = (
  { lifecycle, ...instance }: GroupInstanceFacts,
  { launchedAt }: RestoredGroupPlace,
): GroupInstance => ({
  ...instance,
  lifecycle: lifecycle.replace(/^(Pending|Terminating):Wait$/, '$1') as LifecycleState,
  launchedAt: launchedAt(instance.id),
  activityId: `before-${instance.id}`,
});
