import {
  fromTimestamp,
  instant,
  isConditionTrue,
  type EC2NodeClass,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import type { InstanceTypePort } from '@nodewright/ports';
import { isManaged } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';

/** One claim, and what its next step depends on. */
export type ClaimSnapshot = {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass | undefined;
  /** Nodes with the claim's provider id. */
  readonly nodes: readonly Node[];
  /** What the NodeClass offers; looked up for claims that are to be launched. */
  readonly instanceTypes: readonly InstanceType[];
};

type Sources = { readonly objects: Objects; readonly instanceTypes: InstanceTypePort };

export async function observeClaim(
  { objects, instanceTypes }: Sources,
  name: string,
  signal: AbortSignal,
): Promise<ClaimSnapshot | undefined> {
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !isManaged(claim.spec.nodeClassRef)) return undefined;
  const nodeClass = objects.nodeClasses.get(claim.spec.nodeClassRef.name);
  const nodes = nodesOf(objects, claim);
  const isToBeLaunched = nodeClass !== undefined && !isConditionTrue(claim, 'Launched');
  return { claim, nodeClass, nodes, instanceTypes: isToBeLaunched ? await instanceTypes.list(nodeClass, signal) : [] };
}

export function nodesOf(objects: Objects, { status }: NodeClaim): readonly Node[] {
  const providerId = status?.providerID ?? '';
  return providerId === '' ? [] : objects.nodes.by('providerId', providerId);
}

export const createdAt = (claim: NodeClaim): Instant =>
  claim.metadata.creationTimestamp === undefined ? instant(0) : fromTimestamp(claim.metadata.creationTimestamp);
