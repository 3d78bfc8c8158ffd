import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { jsonAnnotation, withAnnotations } from '../annotations.ts';
import { karpenterAnnotations } from '../labels.ts';
import type { NodeClaim } from '../types.ts';
import { conversionTraces } from './convert-node-pool.ts';
import { referenceToV1, referenceToV1Beta1 } from './node-class-reference.ts';
import type { NodeClaimSpecV1Beta1 } from './node-claim.ts';

export type NodeClaimV1Beta1 = KubernetesObject & {
  readonly spec: NodeClaimSpecV1Beta1;
  readonly status?: NonNullable<NodeClaim['status']>;
};

/** `expireAfter` is left out: v1beta1 had it in the pool, and the default of v1 applies. */
export function nodeClaimToV1(claim: NodeClaimV1Beta1): NodeClaim {
  const { kubelet, nodeClassRef, ...spec } = claim.spec;
  return withAnnotations(
    { ...claim, apiVersion: 'karpenter.sh/v1', spec: { ...spec, nodeClassRef: referenceToV1(nodeClassRef) } },
    {
      [karpenterAnnotations.v1beta1NodeClassReference]: JSON.stringify(nodeClassRef),
      [karpenterAnnotations.v1beta1Kubelet]: kubelet === undefined ? undefined : JSON.stringify(kubelet),
    },
  );
}

export function nodeClaimToV1Beta1(claim: NodeClaim): NodeClaimV1Beta1 {
  const { expireAfter: _expireAfter, nodeClassRef, terminationGracePeriod: _gracePeriod, ...spec } = claim.spec;
  const kubelet = jsonAnnotation(claim, karpenterAnnotations.v1beta1Kubelet);
  return withAnnotations(
    {
      ...claim,
      apiVersion: 'karpenter.sh/v1beta1',
      spec: {
        ...spec,
        nodeClassRef: referenceToV1Beta1(claim, nodeClassRef),
        ...(kubelet === undefined ? {} : { kubelet }),
      },
    },
    conversionTraces,
  );
}
