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
import * as reports from '../../reporting/claim-reports.ts';
import { isEndConfirmed } from '../termination/end-of-instance.ts';
import { nextInstancePoll } from '../termination/poll.ts';
import type { ClaimAction } from './action.ts';
import { launchableClaim } from './adoption.ts';
import { claimFields, type ClaimDeps, type Performed } from './claim-deps.ts';
import { deleteClaim } from './delete-claim.ts';
import { launch } from './launch.ts';
import { boundClaim, initialize, register } from './register.ts';

export async function performClaimAction(
  deps: ClaimDeps,
  claim: NodeClaim,
  action: ClaimAction,
  signal: AbortSignal,
): Promise<Performed> {
  switch (action.kind) {
    case 'adopt':
      return saved(deps, claim, adoptedClaim(claim, deps.clock.now()));
    case 'launch':
      return launch(deps, action.request, signal);
    case 'register':
      return register(deps, claim, action.node);
    case 'initialize':
      return initialize(deps, claim, action.node);
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
      return terminate(deps, claim, action.providerId, signal);
    case 'release':
      return release(deps, claim);
  }
}

async function saved({ objects }: ClaimDeps, before: NodeClaim, after: NodeClaim): Promise<Performed> {
  await objects.nodeClaims.save(before, after);
  return {};
}

const adoptedClaim = (claim: NodeClaim, now: Instant): NodeClaim =>
  withInitialConditions(nodeClaimConditions, launchableClaim(claim), now);

async function annotateDeadline(deps: ClaimDeps, claim: NodeClaim, deadline: Instant): Promise<Performed> {
  const annotation = { [karpenterAnnotations.terminationTimestamp]: toTimestamp(deadline) };
  const metadata = { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...annotation } };
  await deps.objects.nodeClaims.save(claim, { ...claim, metadata });
  deps.log.info('annotated nodeclaim', { ...claimFields(claim), ...annotation });
  deps.report(reports.terminationGracePeriodExpiring(claim, deadline));
  return {};
}

async function terminate(
  deps: ClaimDeps,
  claim: NodeClaim,
  providerId: string,
  signal: AbortSignal,
): Promise<Performed> {
  const outcome = await deps.instances.terminate(providerId, signal);
  const now = deps.clock.now();
  if (isEndConfirmed(deps, { providerId, outcome })) return release(deps, claim);
  const terminating = withCondition(nodeClaimConditions, claim, conditionTrue('InstanceTerminating'), now);
  await deps.objects.nodeClaims.save(claim, terminating);
  return { recheckAt: nextInstancePoll(now) };
}

async function release(deps: ClaimDeps, claim: NodeClaim): Promise<Performed> {
  const rest = (claim.metadata.finalizers ?? []).filter((name) => name !== finalizers.termination);
  const { objects, log, counters, clock } = deps;
  await objects.nodeClaims.save(claim, { ...claim, metadata: { ...claim.metadata, finalizers: rest } });
  log.info('deleted nodeclaim', { ...claimFields(claim), node: claim.status?.nodeName });
  counters.claimTerminated(claim, clock.now());
  return {};
}
