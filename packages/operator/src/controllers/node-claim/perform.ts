import {
  conditionTrue,
  finalizers,
  instant,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  nodeClaimConditions,
  toTimestamp,
  unregisteredTaint,
  withCondition,
  withInitialConditions,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { InstancePort, LaunchRequest } from '@nodewright/ports';
import type { Clock, Logger } from '@nodewright/runtime';
import { launchAttemptAnnotation } from '../../names.ts';
import * as reports from '../../reporting/claim-reports.ts';
import type { Reporter } from '../../reporting/report.ts';
import type { Counters } from '../../reporting/counters.ts';
import type { Objects } from '../../state/objects.ts';
import { hasTaint } from '../../state/taints.ts';
import type { ClaimAction, DeletionReason } from './action.ts';
import { launchedClaim, refusedClaim } from './launched-claim.ts';
import { attemptOf } from './launch-plan.ts';
import { initializedNode, registeredNode } from './node-sync.ts';

export type ClaimDeps = {
  readonly objects: Objects;
  readonly instances: InstancePort;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: Reporter;
  readonly counters: Counters;
};

/** Whether the outside world has to be asked again, and when. */
export type Performed = { readonly recheckAt?: Instant };

const terminationPollMs = 5_000;

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
    case 'deleteNodes':
      for (const node of action.nodes) await deps.objects.nodes.delete(node);
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
  withInitialConditions(
    nodeClaimConditions,
    {
      ...claim,
      metadata: {
        ...claim.metadata,
        finalizers: [...new Set([...(claim.metadata.finalizers ?? []), finalizers.termination])],
        annotations: { ...claim.metadata.annotations, [launchAttemptAnnotation]: String(attemptOf(claim) ?? 1) },
      },
    },
    now,
  );

/** The only place that launches instances. A repeated call with the same attempt returns the same instance. */
async function launch(deps: ClaimDeps, request: LaunchRequest, signal: AbortSignal): Promise<Performed> {
  const { claim, nodeClass, attempt } = request;
  const outcome = await deps.instances.launch(request, signal);
  const now = deps.clock.now();
  switch (outcome.kind) {
    case 'launched': {
      const launched = launchedClaim(claim, nodeClass, outcome, now);
      await deps.objects.nodeClaims.save(claim, launched);
      deps.log.info('launched nodeclaim', launchFields(launched));
      return {};
    }
    case 'insufficientCapacity':
      return deleteClaim(deps, claim, { reason: 'insufficient_capacity', because: outcome.message });
    case 'nodeClassNotReady':
      return deleteClaim(deps, claim, { reason: 'nodeclass_not_ready', because: outcome.message });
    case 'refused':
      await deps.objects.nodeClaims.save(claim, refusedClaim(claim, { ...outcome, attempt }, now));
      throw new Error(`launching ${claim.metadata.name} was refused (${outcome.reason}): ${outcome.message}`);
  }
}

const launchFields = (claim: NodeClaim) => ({
  ...claimFields(claim),
  'instance-type': claim.metadata.labels?.[kubernetesLabels.instanceType],
  zone: claim.metadata.labels?.[kubernetesLabels.zone],
  'capacity-type': claim.metadata.labels?.[karpenterLabels.capacityType],
  allocatable: claim.status?.allocatable,
});

async function register(deps: ClaimDeps, claim: NodeClaim, node: Node): Promise<Performed> {
  if (isMissingItsTaint(node)) {
    deps.log.error('node joined without the unregistered taint', { ...claimFields(claim), node: node.metadata.name });
    deps.report(reports.unregisteredTaintMissing(claim));
  }
  await deps.objects.nodes.save(node, registeredNode(node, claim));
  const named = { ...claim, status: { ...claim.status, nodeName: node.metadata.name } };
  const now = deps.clock.now();
  await deps.objects.nodeClaims.save(
    claim,
    withCondition(nodeClaimConditions, named, conditionTrue('Registered'), now),
  );
  deps.log.info('registered nodeclaim', { ...claimFields(claim), node: node.metadata.name });
  deps.counters.nodeCreated(claim);
  return {};
}

const isMissingItsTaint = ({ metadata, spec }: Node): boolean =>
  metadata.labels?.[karpenterLabels.registered] !== 'true' && !hasTaint(spec?.taints, unregisteredTaint);

async function initialize(deps: ClaimDeps, claim: NodeClaim, node: Node): Promise<Performed> {
  await deps.objects.nodes.save(node, initializedNode(node));
  const now = deps.clock.now();
  await deps.objects.nodeClaims.save(
    claim,
    withCondition(nodeClaimConditions, claim, conditionTrue('Initialized'), now),
  );
  deps.log.info('initialized nodeclaim', {
    ...claimFields(claim),
    node: node.metadata.name,
    allocatable: node.status?.allocatable,
  });
  return {};
}

async function deleteClaim(
  deps: ClaimDeps,
  claim: NodeClaim,
  { reason, because }: { readonly reason: DeletionReason; readonly because: string },
): Promise<Performed> {
  if (reason === 'insufficient_capacity') deps.report(reports.insufficientCapacity(claim, because));
  if (reason !== 'registration_timeout')
    deps.log.error('failed launching nodeclaim', { ...claimFields(claim), error: because });
  await deps.objects.nodeClaims.delete(claim);
  deps.counters.claimDisrupted(claim, reason);
  return {};
}

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
  if (outcome === 'gone') return release(deps, claim);
  const now = deps.clock.now();
  const terminating = withCondition(nodeClaimConditions, claim, conditionTrue('InstanceTerminating'), now);
  await deps.objects.nodeClaims.save(claim, terminating);
  return { recheckAt: instant(now + terminationPollMs) };
}

async function release(deps: ClaimDeps, claim: NodeClaim): Promise<Performed> {
  const rest = (claim.metadata.finalizers ?? []).filter((name) => name !== finalizers.termination);
  const { objects, log, counters, clock } = deps;
  await objects.nodeClaims.save(claim, { ...claim, metadata: { ...claim.metadata, finalizers: rest } });
  log.info('deleted nodeclaim', { ...claimFields(claim), node: claim.status?.nodeName });
  counters.claimTerminated(claim, clock.now());
  return {};
}

const claimFields = ({ metadata, status }: NodeClaim) => ({
  nodeclaim: metadata.name,
  'provider-id': status?.providerID,
});
