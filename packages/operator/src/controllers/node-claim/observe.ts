import {
  fromTimestamp,
  instant,
  isConditionTrue,
  karpenterLabels,
  type EC2NodeClass,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import type { InstanceTypePort } from '@nodewright/ports';
import { isManaged } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';

/** One claim, and what its next step depends on. */
export type ClaimSnapshot = {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass | undefined;
  /** Nodes with the claim's provider id. */
  readonly nodes: readonly Node[];
  /**
   * What the NodeClass offers, as overlays leave it; looked up for claims that are to be launched. `undefined` while no
   * overlay was held against the claim's NodePool.
   */
  readonly instanceTypes: readonly InstanceType[] | undefined;
};

export type ClaimSources = {
  readonly objects: Objects;
  readonly instanceTypes: InstanceTypePort;
  readonly overlays: OverlaidTypes;
};

export async function observeClaim(
  sources: ClaimSources,
  name: string,
  signal: AbortSignal,
): Promise<ClaimSnapshot | undefined> {
  const { objects } = sources;
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !isManaged(claim.spec.nodeClassRef)) return undefined;
  const nodeClass = objects.nodeClasses.get(claim.spec.nodeClassRef.name);
  const nodes = nodesOf(objects, claim);
  const isToBeLaunched = nodeClass !== undefined && !isConditionTrue(claim, 'Launched');
  return {
    claim,
    nodeClass,
    nodes,
    instanceTypes: isToBeLaunched ? await typesFor(sources, claim, nodeClass, signal) : [],
  };
}

async function typesFor(
  { objects, instanceTypes, overlays }: ClaimSources,
  { metadata }: NodeClaim,
  nodeClass: EC2NodeClass,
  signal: AbortSignal,
): Promise<readonly InstanceType[] | undefined> {
  const types = await instanceTypes.list(nodeClass, signal);
  const nodePool = objects.nodePools.get(metadata.labels?.[karpenterLabels.nodePool] ?? '');
  return nodePool === undefined ? types : overlays.of(nodePool, types);
}

export function nodesOf(objects: Objects, { status }: NodeClaim): readonly Node[] {
  const providerId = status?.providerID ?? '';
  return providerId === '' ? [] : objects.nodes.by('providerId', providerId);
}

export const createdAt = (claim: NodeClaim): Instant =>
  claim.metadata.creationTimestamp === undefined ? instant(0) : fromTimestamp(claim.metadata.creationTimestamp);
