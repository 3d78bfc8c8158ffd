import {
  apiVersionOf,
  finalizers,
  karpenterLabels,
  nodeClaims,
  unregisteredTaint,
  type Node,
  type NodeClaim,
  type OwnerReference,
  type Taint,
} from '@nodewright/apis';
import { mergedTaints, withoutTaint } from '../../state/taints.ts';

/**
 * Whether pods may be on the node already. The claim may not know yet: the node is written first, and the process that
 * wrote it may have ended in between.
 */
export const isRegisteredNode = ({ metadata }: Node): boolean =>
  metadata.labels?.[karpenterLabels.registered] === 'true';

/** The node as registration leaves it: owned and labelled by its claim, tainted as the claim says, open to pods. */
export function registeredNode(node: Node, claim: NodeClaim): Node {
  const { metadata } = node;
  return {
    ...node,
    metadata: {
      ...metadata,
      finalizers: [...new Set([...(metadata.finalizers ?? []), finalizers.termination])],
      ownerReferences: withOwner(metadata.ownerReferences ?? [], claim),
      labels: { ...metadata.labels, ...claim.metadata.labels, [karpenterLabels.registered]: 'true' },
      annotations: { ...metadata.annotations, ...ownAnnotations(claim) },
    },
    spec: { ...node.spec, taints: withoutTaint(syncedTaints(node, claim), unregisteredTaint) },
  };
}

export const initializedNode = (node: Node): Node => ({
  ...node,
  metadata: { ...node.metadata, labels: { ...node.metadata.labels, [karpenterLabels.initialized]: 'true' } },
});

function syncedTaints(node: Node, claim: NodeClaim): readonly Taint[] {
  const taints = node.spec?.taints ?? [];
  // Looked up before the claim's labels are merged: only the bootstrap can ask for it.
  if (node.metadata.labels?.[karpenterLabels.doNotSyncTaints] === 'true') return taints;
  return mergedTaints(mergedTaints(taints, claim.spec.taints ?? []), claim.spec.startupTaints ?? []);
}

function withOwner(owners: readonly OwnerReference[], claim: NodeClaim): readonly OwnerReference[] {
  const owner: OwnerReference = {
    apiVersion: apiVersionOf(nodeClaims),
    kind: nodeClaims.kind,
    name: claim.metadata.name,
    uid: claim.metadata.uid ?? '',
    blockOwnerDeletion: true,
  };
  const isThere = owners.some(
    ({ apiVersion, kind, uid }) => apiVersion === owner.apiVersion && kind === owner.kind && uid === owner.uid,
  );
  return isThere ? owners : [...owners, owner];
}

/** Progress of the claim's own controllers stays on the claim. */
const ownAnnotations = ({ metadata }: NodeClaim): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) => !name.startsWith('nodewright.dev/')),
  );
