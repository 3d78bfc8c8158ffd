import {
  awsLabels,
  karpenterLabels,
  type KubernetesObject,
  minutes,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import { requeueAfter, restAndPoll, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { reportDemotion } from './report.ts';

type CapacityTypeDeps = { readonly objects: Objects; readonly instances: InstancePort; readonly publish: Publisher };

const capacityTypePeriodMs = minutes(1);

/** `capacityreservation.capacitytype`: instances outlive their reservation as on-demand; claims and nodes are made to say so. */
export function capacityTypeLoop(deps: CapacityTypeDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const reserved = deps.objects.nodeClaims.list().flatMap((claim) => reservedPair(deps.objects, claim) ?? []);
    if (reserved.length === 0) return restAndPoll(capacityTypePeriodMs);
    const instances = await deps.instances.list(signal);
    const left = new Set(instances.flatMap((each) => (each.capacityType === 'on-demand' ? each.providerId : [])));
    for (const pair of reserved) {
      if (left.has(pair.claim.status?.providerID ?? '')) await demote(deps, pair);
    }
    return requeueAfter(capacityTypePeriodMs);
  };
}

type ReservedClaim = { readonly claim: NodeClaim; readonly node: Node | undefined };

/** A claim and its node; `undefined` unless one of them says reserved. What is being deleted stays as it is. */
function reservedPair(objects: Objects, claim: NodeClaim): ReservedClaim | undefined {
  const { providerID = '' } = claim.status ?? {};
  if (
    providerID === '' ||
    claim.metadata.deletionTimestamp !== undefined ||
    !isManagedNodeClass(claim.spec.nodeClassRef)
  )
    return undefined;
  const node = findNodeOfClaim(objects, claim);
  return isReserved(claim) || (node !== undefined && isReserved(node)) ? { claim, node } : undefined;
}

async function demote({ objects, publish }: CapacityTypeDeps, { claim, node }: ReservedClaim): Promise<void> {
  if (isReserved(claim)) await objects.nodeClaims.save(claim, demoted(claim));
  if (node !== undefined && isReserved(node)) await objects.nodes.save(node, demoted(node));
  publish(reportDemotion(claim));
}

const isReserved = ({ metadata }: KubernetesObject): boolean =>
  metadata.labels?.[karpenterLabels.capacityType] === 'reserved';

const relabelledKeys: ReadonlySet<string> = new Set([
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
]);

function demoted<T extends KubernetesObject>(object: T): T {
  const kept = Object.entries(object.metadata.labels ?? {}).filter(([key]) => !relabelledKeys.has(key));
  const labels = { ...Object.fromEntries(kept), [karpenterLabels.capacityType]: 'on-demand' };
  return { ...object, metadata: { ...object.metadata, labels } };
}
