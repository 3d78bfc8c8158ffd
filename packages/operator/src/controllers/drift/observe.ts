import { karpenterLabels } from '@nodewright/apis';
import type { InstancePort, InstanceTypePort } from '@nodewright/ports';
import type { ImageDecisions } from '../../state/image-decisions.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import { isPoolGoverned } from '../../state/rollout-governance.ts';
import { findAdmission } from '../../state/rollout-seats.ts';
import type { ClaimDriftSnapshot } from './plan.ts';

export type DriftSources = {
  readonly objects: Objects;
  readonly instances: InstancePort;
  readonly instanceTypes: Pick<InstanceTypePort, 'list'>;
  readonly decisions: ImageDecisions;
};

/** A lookup that fails ends the turn: a claim never drifts because something could not be read. */
export async function observeDrift(
  { objects, instances, instanceTypes, decisions }: DriftSources,
  name: string,
  signal: AbortSignal,
): Promise<ClaimDriftSnapshot | undefined> {
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined;
  const nodePool = objects.nodePools.get(claim.metadata.labels?.[karpenterLabels.nodePool] ?? '');
  if (nodePool === undefined || !isManagedNodeClass(nodePool.spec.template.spec.nodeClassRef)) return undefined;
  const nodeClass = objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name);
  const withheld = nodeClass === undefined ? [] : decisions.withheldBy(nodeClass.metadata.name);
  if (withheld === undefined) return undefined; // the first decision of this process will wake the claim
  const providerId = claim.status?.providerID ?? '';
  return {
    ...(isPoolGoverned(objects, nodePool.metadata.name) && { governed: { admitted: findAdmission(objects, claim) } }),
    claim,
    nodePool,
    nodeClass,
    withheld,
    instanceTypes: nodeClass === undefined ? [] : await instanceTypes.list(nodeClass, signal),
    instance: providerId === '' ? undefined : await instances.lastSeen(providerId, signal),
  };
}

/** The snapshot with the instance as EC2 describes it now. */
export async function withFreshInstance(
  { instances }: Pick<DriftSources, 'instances'>,
  seen: ClaimDriftSnapshot,
  signal: AbortSignal,
): Promise<ClaimDriftSnapshot> {
  return { ...seen, instance: await instances.get(seen.instance?.providerId ?? '', signal) };
}
