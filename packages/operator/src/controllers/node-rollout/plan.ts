import { earliest, instant, type Instant, type NodeRolloutPolicyStatus, seconds } from '@nodewright/apis';
import { planRollouts, reportPolicy, reportPromotion, type RolloutPlan } from '@nodewright/engine';
import type { FreeSeats } from '../../state/open-seats.ts';
import { lookPeriodOf } from './look-period.ts';
import type { ObservedPolicy } from './observe.ts';

export type PolicyPlan = {
  readonly status: NodeRolloutPolicyStatus;
  /** Absent before images were decided on: nothing is done, and nothing begun is taken back. */
  readonly rollouts?: RolloutPlan;
  readonly recheckAt?: Instant;
};

/** What has just changed may lead to the next step at once. */
const nextStepMs = seconds(1);

/** The status of the policy, its rollouts, and what follows from them. */
export function planRolloutPolicy(seen: ObservedPolicy, now: Instant): PolicyPlan {
  if (seen.rollouts === undefined) return { status: reportPolicy({ ...seen, now }) };
  const rollouts = planRollouts(seen.rollouts);
  const recheckAt = earliest(
    rollouts.nextChangeAt,
    isRolloutUnderWay(rollouts) ? instant(now + lookPeriodOf(seen.rollouts.nodes, now)) : undefined,
    hasMoved(rollouts) ? instant(now + nextStepMs) : undefined,
  );
  const status = reportPromotion({
    status: rollouts.policyStatus,
    held: rollouts.heldImages,
    seen: seen.rollouts,
    publication: seen.publication,
    now,
  });
  return { status, rollouts, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

const isRolloutUnderWay = ({ policyStatus }: RolloutPlan): boolean =>
  policyStatus.rollout !== undefined || (policyStatus.admitted ?? []).length > 0;

const hasMoved = ({ happenings, created }: RolloutPlan): boolean => happenings.length + created.length > 0;

export function openSeatsOfPlan({ rollouts }: PolicyPlan): FreeSeats | undefined {
  const rollout = rollouts?.policyStatus.rollout;
  return rollouts === undefined || rollout === undefined ? undefined : { rollout, seats: rollouts.openSeats };
}
