import { karpenterLabels, kubernetesLabels, type Condition, type NodeClaim } from '@nodewright/apis';

type ClaimTraits = { readonly createdAt?: string; readonly claimConditions?: readonly Condition[] };

/** The claim of an on-demand node of type c4 in pool `default` and zone-a. */
export const aClaim = (name: string, { createdAt, claimConditions = [] }: ClaimTraits = {}): NodeClaim => ({
  metadata: {
    name,
    uid: `uid-${name}`,
    labels: {
      [karpenterLabels.nodePool]: 'default',
      [karpenterLabels.capacityType]: 'on-demand',
      [kubernetesLabels.instanceType]: 'c4',
      [kubernetesLabels.zone]: 'zone-a',
    },
    ...(createdAt === undefined ? {} : { creationTimestamp: createdAt }),
  },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [],
  },
  status: { conditions: claimConditions },
});
