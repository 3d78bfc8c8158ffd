import {
  conditionOf,
  conditionTrue,
  disruptedTaint,
  fromTimestamp,
  instant,
  isConditionTrue,
  kubernetesLabels,
  seconds,
  type ConditionUpdate,
  type Instant,
  type Pod,
} from '@nodewright/apis';
import { hasTaint } from '../../state/taints.ts';
import { planDrain } from './drain.ts';
import type { LeavingNode } from './observe.ts';
import { attachmentsToWaitFor } from './volumes.ts';

export type TerminationAction =
  | { readonly kind: 'deleteClaim'; readonly because: string }
  | { readonly kind: 'taint'; readonly because: string }
  | { readonly kind: 'mark'; readonly condition: ConditionUpdate; readonly because: string }
  | { readonly kind: 'evict'; readonly pods: readonly Pod[]; readonly waitingFor: number; readonly because: string }
  | { readonly kind: 'awaitVolumes'; readonly attachments: readonly string[]; readonly because: string }
  | { readonly kind: 'terminateInstance'; readonly providerId: string; readonly because: string }
  | { readonly kind: 'release'; readonly because: string };

export type TerminationPlan = { readonly actions: readonly TerminationAction[]; readonly recheckAt?: Instant };

const drainPollMs = seconds(1);
const minimumDrainMs = seconds(5);

/** The next step of a node that is being deleted: taint, drain, detach, terminate, let go. */
export function planTermination(seen: LeavingNode, now: Instant): TerminationPlan {
  const { claim } = seen;
  if (seen.isInstanceGone) return steps({ kind: 'release', because: 'its instance is gone' });
  if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) {
    return steps({ kind: 'deleteClaim', because: 'its node is deleted' });
  }
  if (!isTainted(seen)) return steps({ kind: 'taint', because: 'no more pods may come' });
  return planPods(seen, now) ?? planVolumes(seen, now) ?? planInstance(seen);
}

function isTainted({ node }: LeavingNode): boolean {
  const isExcluded = node.metadata.labels?.[kubernetesLabels.excludeFromLoadBalancers] === 'karpenter';
  return isExcluded && hasTaint(node.spec?.taints, disruptedTaint);
}

/** `undefined` once the node is drained. */
function planPods(seen: LeavingNode, now: Instant): TerminationPlan | undefined {
  if (seen.claim !== undefined && isConditionTrue(seen.claim, 'Drained')) return undefined;
  const { evict, waitingFor } = planDrain(seen.pods, seen.deadline, now);
  const soon = { recheckAt: instant(now + drainPollMs) };
  const begun = drainingSince(seen);
  if (seen.claim !== undefined && begun === undefined) return steps(planCondition('Drained', 'Unknown', 'Draining'));
  if (waitingFor.length > 0) {
    const because = `${waitingFor.length} pods still run`;
    return { actions: [{ kind: 'evict', pods: evict, waitingFor: waitingFor.length, because }], ...soon };
  }
  if (seen.claim === undefined || begun === undefined) return undefined;
  // Pods bound a moment ago may not be visible yet.
  return now < begun + minimumDrainMs ? { actions: [], ...soon } : steps(done('Drained', 'no pod is left to wait for'));
}

function drainingSince({ claim }: LeavingNode): Instant | undefined {
  const since = claim === undefined ? undefined : conditionOf(claim, 'Drained')?.lastTransitionTime;
  return since === undefined ? undefined : fromTimestamp(since);
}

/** `undefined` once no volume holds the node back. */
function planVolumes(seen: LeavingNode, now: Instant): TerminationPlan | undefined {
  const { claim, deadline } = seen;
  const told = claim === undefined ? undefined : conditionOf(claim, 'VolumesDetached');
  if (told?.status === 'True' || told?.status === 'False') return undefined;
  const pending = attachmentsToWaitFor(seen, now).map(({ metadata }) => metadata.name);
  if (pending.length === 0)
    return claim === undefined ? undefined : steps(done('VolumesDetached', 'no volume is attached'));
  if (deadline !== undefined && now > deadline) {
    return claim === undefined
      ? undefined
      : steps(planCondition('VolumesDetached', 'False', 'TerminationGracePeriodElapsed'));
  }
  return {
    actions: [
      ...(claim === undefined || told !== undefined
        ? []
        : [planCondition('VolumesDetached', 'Unknown', 'AwaitingVolumeDetachment')]),
      { kind: 'awaitVolumes', attachments: pending, because: `${pending.length} volumes are attached` },
    ],
    recheckAt: instant(now + drainPollMs),
  };
}

function planInstance({ claim, node }: LeavingNode): TerminationPlan {
  if (claim === undefined) return steps({ kind: 'release', because: 'it has no claim, so no instance of ours' });
  const providerId = node.spec?.providerID ?? '';
  return steps({ kind: 'terminateInstance', providerId, because: 'the node is drained' });
}

const steps = (...actions: readonly TerminationAction[]): TerminationPlan => ({ actions });

const done = (type: string, because: string): TerminationAction => ({
  kind: 'mark',
  condition: conditionTrue(type),
  because,
});

const planCondition = (type: string, status: 'Unknown' | 'False', reason: string): TerminationAction => ({
  kind: 'mark',
  condition: { type, status, reason, message: reason },
  because: reason,
});
