import { karpenterLabels, kubernetesLabels } from '@nodewright/apis';
import type { Condition, NodeClaim, Pod, ResourceList, Taint } from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';

type NodeTraits = {
  readonly nodePool?: string;
  readonly zone?: string;
  readonly instanceType?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly allocatable?: ResourceList;
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
  readonly stage?: 'inFlight' | 'registered' | 'initialized';
  readonly managed?: boolean;
  readonly ready?: boolean;
  readonly claimConditions?: readonly Condition[];
  readonly terminationGracePeriod?: string;
  readonly createdAt?: string;
  readonly pods?: readonly Pod[];
  readonly markedForDeletion?: boolean;
};

/** A managed, initialized and ready node of pool `default` in zone-a with four cores, unless told otherwise. */
export function aNode(name: string, traits: NodeTraits = {}): NodeState {
  const { stage = 'initialized', managed = true, pods = [], markedForDeletion } = traits;
  return {
    ...(stage === 'inFlight' ? {} : { node: nodeOf(name, traits, stage) }),
    ...(managed ? { nodeClaim: claimOf(name, traits) } : {}),
    pods,
    ...(markedForDeletion === undefined ? {} : { markedForDeletion }),
  };
}

const defaultAllocatable: ResourceList = { cpu: '4', memory: '8Gi', pods: '110' };

const labelsOf = (traits: NodeTraits) => ({
  ...(traits.managed === false ? {} : { [karpenterLabels.nodePool]: traits.nodePool ?? 'default' }),
  [kubernetesLabels.zone]: traits.zone ?? 'zone-a',
  [kubernetesLabels.instanceType]: traits.instanceType ?? 'c4',
  [kubernetesLabels.arch]: 'amd64',
  [kubernetesLabels.os]: 'linux',
  [karpenterLabels.capacityType]: 'on-demand',
  ...traits.labels,
});

const nodeOf = (name: string, traits: NodeTraits, stage: 'registered' | 'initialized') => ({
  metadata: {
    name,
    uid: `uid-${name}`,
    labels: {
      ...labelsOf(traits),
      [kubernetesLabels.hostname]: name,
      [karpenterLabels.registered]: 'true',
      ...(stage === 'initialized' ? { [karpenterLabels.initialized]: 'true' } : {}),
    },
    annotations: traits.annotations ?? {},
  },
  spec: { providerID: `aws:///zone-a/i-${name}`, taints: traits.taints ?? [] },
  status: {
    allocatable: traits.allocatable ?? defaultAllocatable,
    capacity: traits.allocatable ?? defaultAllocatable,
    conditions: [{ type: 'Ready', status: traits.ready === false ? ('False' as const) : ('True' as const) }],
  },
});

const claimOf = (name: string, traits: NodeTraits): NodeClaim => ({
  metadata: {
    name: `${name}-claim`,
    uid: `uid-${name}-claim`,
    labels: labelsOf(traits),
    ...(traits.createdAt === undefined ? {} : { creationTimestamp: traits.createdAt }),
  },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [],
    taints: traits.taints ?? [],
    startupTaints: traits.startupTaints ?? [],
    ...(traits.terminationGracePeriod === undefined ? {} : { terminationGracePeriod: traits.terminationGracePeriod }),
  },
  status: {
    providerID: `aws:///zone-a/i-${name}`,
    allocatable: traits.allocatable ?? defaultAllocatable,
    capacity: traits.allocatable ?? defaultAllocatable,
    conditions: traits.claimConditions ?? [],
  },
});
