import {
  conditionTrue,
  finalizers,
  karpenterAnnotations,
  nodeClaimConditions,
  toTimestamp,
  withCondition,
  withInitialConditions,
  type Instant,
  type NodeClaim,
} from '@nodewright/apis';
import { isEndConfirmed } from '../termination/end-of-instance.ts';
import { nextInstancePoll } from '../termination/poll.ts';
import type { ClaimAction } from './action.ts';
import { launchableClaim } from './adoption.ts';
import type { ClaimDeps, PerformedClaimAction } from './claim-deps.ts';
import { deleteClaim } from './delete-claim.ts';
import { launchClaim } from './launch.ts';
import { reportClaimReleased, reportDeadline } from './report.ts';
import { boundClaim, initializeNode, registerNode } from './register.ts';

export async function performClaimAction(
  deps: ClaimDeps,
  claim: NodeClaim,
  action: ClaimAction,
  signal: AbortSignal,
): Promise<PerformedClaimAction> {
  switch (action.kind) {
    case 'adopt':
      return saved(deps, claim, adoptedClaim(claim, deps.clock.now()));
    case 'launch':
      return launchClaim(deps, action.request, signal);
    case 'register':
      return registerNode(deps, claim, action.node);
    case 'initialize':
      return initializeNode(deps, claim, action.node);
    case 'mark':
      return saved(deps, claim, withCondition(nodeClaimConditions, claim, action.condition, deps.clock.now()));
    case 'delete':
      return deleteClaim(deps, claim, action);
    case 'annotateDeadline':
      return annotateDeadline(deps, claim, action.deadline);
    case 'bind':
      return saved(deps, claim, boundClaim(claim, action.node));
    case 'deleteNode':
      await deps.objects.nodes.delete(action.node);
      return {};
    case 'terminateInstance':
      return terminateInstanceOfClaim(deps, claim, action.providerId, signal);
    case 'release':
      return releaseClaim(deps, claim);
  }
}

async function saved({ objects }: ClaimDeps, before: NodeClaim, after: NodeClaim): Promise<PerformedClaimAction> {
  await objects.nodeClaims.save(before, after);
  return {};
}

const adoptedClaim = (claim: NodeClaim, now: Instant): NodeClaim =>
  withInitialConditions(nodeClaimConditions, launchableClaim(claim), now);

async function annotateDeadline(deps: ClaimDeps, claim: NodeClaim, deadline: Instant): Promise<PerformedClaimAction> {
  const annotation = { [karpenterAnnotations.terminationTimestamp]: toTimestamp(deadline) };
  const metadata = { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...annotation } };
  await deps.objects.nodeClaims.save(claim, { ...claim, metadata });
  deps.publish(reportDeadline(claim, deadline));
  return {};
}

async function terminateInstanceOfClaim(
  deps: ClaimDeps,
  claim: NodeClaim,
  providerId: string,
  signal: AbortSignal,
): Promise<PerformedClaimAction> {
  const outcome = await deps.instances.terminate(providerId, signal);
  const now = deps.clock.now();
  if (isEndConfirmed(deps, { providerId, outcome })) return releaseClaim(deps, claim);
  const terminating = withCondition(nodeClaimConditions, claim, conditionTrue('InstanceTerminating'), now);
  await deps.objects.nodeClaims.save(claim, terminating);
  return { recheckAt: nextInstancePoll(now) };
}

async function releaseClaim(deps: ClaimDeps, claim: NodeClaim): Promise<PerformedClaimAction> {
  const rest = (claim.metadata.finalizers ?? []).filter((name) => name !== finalizers.termination);
  const { objects, publish, clock } = deps;
  await objects.nodeClaims.save(claim, { ...claim, metadata: { ...claim.metadata, finalizers: rest } });
  publish(reportClaimReleased(claim, clock.now()));
  return {};
}
