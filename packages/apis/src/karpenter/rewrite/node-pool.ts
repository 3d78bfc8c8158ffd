import { withAnnotations } from '../annotations.ts';
import { karpenterAnnotations } from '../labels.ts';
import type { NodeClaim, NodePool } from '../types.ts';
import { provisionerToNodePool } from '../v1alpha/convert-provisioner.ts';
import type { Provisioner } from '../v1alpha/provisioner.ts';
import { nodeClaimToV1, type NodeClaimV1Beta1 } from '../v1beta1/convert-node-claim.ts';
import { nodePoolToV1, type NodePoolV1Beta1 } from '../v1beta1/convert-node-pool.ts';
import type { PoolKubelet, Rewritten } from './rewritten.ts';

/** Annotations for the way back, which a file has no use for. */
const nodePoolTraces = {
  [karpenterAnnotations.v1beta1NodeClassReference]: undefined,
  [karpenterAnnotations.v1beta1Kubelet]: undefined,
} as const;

export function rewrittenNodePool(pool: NodePoolV1Beta1): Rewritten<NodePool> {
  const { kubelet, resources } = pool.spec.template.spec;
  const object = withAnnotations(nodePoolToV1(pool), nodePoolTraces);
  const remarks = resources === undefined ? [] : ['spec.template.spec.resources is dropped: it had no effect'];
  return { object, remarks, ...kubeletFor(object, kubelet) };
}

export function rewrittenProvisioner(provisioner: Provisioner): Rewritten<NodePool> {
  const object = provisionerToNodePool(provisioner);
  return { object, remarks: [], ...kubeletFor(object, provisioner.spec?.kubeletConfiguration) };
}

export function rewrittenNodeClaim(claim: NodeClaimV1Beta1): Rewritten<NodeClaim> {
  const remarks =
    claim.spec.kubelet === undefined ? [] : ['spec.kubelet is dropped: v1 takes it from the EC2NodeClass'];
  return { object: withAnnotations(nodeClaimToV1(claim), nodePoolTraces), remarks };
}

const kubeletFor = (
  pool: NodePool,
  settings: PoolKubelet['settings'] | undefined,
): { readonly kubelet?: PoolKubelet } =>
  settings === undefined ? {} : { kubelet: { nodeClass: pool.spec.template.spec.nodeClassRef.name, settings } };
