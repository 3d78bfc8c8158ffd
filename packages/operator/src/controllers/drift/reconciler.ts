import { instant, isConditionTrue, karpenterLabels } from '@nodewright/apis';
import type { InstancePort, InstanceTypePort } from '@nodewright/ports';
import { recheckAt, settled, type Clock, type Logger, type Reconciler } from '@nodewright/runtime';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { ImageDecisions } from '../../state/image-decisions.ts';
import type { Objects } from '../../state/objects.ts';
import { planConsolidatable } from './consolidatable.ts';
import { planDrift, type DriftPlan, type ClaimDriftSnapshot } from './plan.ts';

type DriftDeps = {
  readonly objects: Objects;
  readonly instances: InstancePort;
  readonly instanceTypes: InstanceTypePort;
  readonly clock: Clock;
  readonly log: Logger;
  readonly decisions: ImageDecisions;
};

/** `nodeclaim.disruption`: marks claims that no longer are what their pool asks for, and claims that may be consolidated. Keys are claim names. */
export function driftReconciler(deps: DriftDeps): Reconciler {
  return async (name, signal) => {
    const seen = await observe(deps, name, signal);
    if (seen === undefined) return settled;
    const drift = await decide(deps, seen, signal);
    const now = deps.clock.now();
    if (drift.after !== seen.claim) deps.log.debug('marking drifted', { NodeClaim: { name }, reason: drift.because });
    const { after, recheckAt: quietAt = drift.recheckAt } = planConsolidatable(drift.after, seen.nodePool, now);
    if (after !== drift.after && isConditionTrue(after, 'Consolidatable'))
      deps.log.debug('marking consolidatable', { NodeClaim: { name } });
    if (after !== seen.claim) await deps.objects.nodeClaims.save(seen.claim, after);
    return recheckAt(instant(Math.min(drift.recheckAt, quietAt)));
  };
}

/** A lookup that fails ends the turn: a claim never drifts because something could not be read. */
async function observe(deps: DriftDeps, name: string, signal: AbortSignal): Promise<ClaimDriftSnapshot | undefined> {
  const { objects } = deps;
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined;
  const nodePool = objects.nodePools.get(claim.metadata.labels?.[karpenterLabels.nodePool] ?? '');
  if (nodePool === undefined || !isManagedNodeClass(nodePool.spec.template.spec.nodeClassRef)) return undefined;
  const nodeClass = objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name);
  const withheld = nodeClass === undefined ? [] : deps.decisions.withheldBy(nodeClass.metadata.name);
  if (withheld === undefined) return undefined; // the first decision of this process will wake the claim
  const providerId = claim.status?.providerID ?? '';
  return {
    claim,
    nodePool,
    nodeClass,
    withheld,
    instanceTypes: nodeClass === undefined ? [] : await deps.instanceTypes.list(nodeClass, signal),
    instance: providerId === '' ? undefined : await deps.instances.lastSeen(providerId, signal),
  };
}

/** What was true of an instance once must not make its claim drift: what tells against it is asked for anew. */
async function decide(deps: DriftDeps, seen: ClaimDriftSnapshot, signal: AbortSignal): Promise<DriftPlan> {
  const plan = planDrift(seen, deps.clock.now());
  const providerId = seen.instance?.providerId;
  if (providerId === undefined || !isDrifted(plan) || isDrifted(planDrift(withoutInstance(seen), deps.clock.now())))
    return plan;
  const instance = await deps.instances.get(providerId, signal);
  return planDrift({ ...seen, instance }, deps.clock.now());
}

const isDrifted = ({ after }: DriftPlan): boolean => isConditionTrue(after, 'Drifted');

const withoutInstance = (seen: ClaimDriftSnapshot): ClaimDriftSnapshot => ({ ...seen, instance: undefined });
