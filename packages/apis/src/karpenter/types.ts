import type { NodeSelectorRequirement, ResourceList, Taint } from '../kubernetes/core.ts';
import type { Condition, KubernetesObject } from '../kubernetes/meta.ts';

export type NodeClassReference = { readonly group: string; readonly kind: string; readonly name: string };

export type RequirementWithMinValues = NodeSelectorRequirement & { readonly minValues?: number };

export type DisruptionReason = 'Underutilized' | 'Empty' | 'Drifted';

export type Budget = {
  /** A count such as `3`, or a percentage such as `10%`. */
  readonly nodes: string;
  readonly reasons?: readonly DisruptionReason[];
  readonly schedule?: string;
  readonly duration?: string;
};

export type NodeClaimTemplate = {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly nodeClassRef: NodeClassReference;
    readonly requirements: readonly RequirementWithMinValues[];
    readonly taints?: readonly Taint[];
    readonly startupTaints?: readonly Taint[];
    readonly terminationGracePeriod?: string;
    readonly expireAfter?: string;
  };
};

export type NodePool = KubernetesObject & {
  readonly spec: {
    readonly template: NodeClaimTemplate;
    readonly disruption?: {
      readonly consolidateAfter?: string;
      readonly consolidationPolicy?: 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';
      readonly budgets?: readonly Budget[];
    };
    readonly limits?: ResourceList;
    readonly weight?: number;
    readonly replicas?: number;
  };
  readonly status?: {
    readonly resources?: ResourceList;
    readonly nodes?: number;
    readonly nodeClassObservedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
};

export type NodeClaim = KubernetesObject & {
  readonly spec: {
    readonly nodeClassRef: NodeClassReference;
    readonly requirements: readonly RequirementWithMinValues[];
    readonly resources?: { readonly requests?: ResourceList };
    readonly taints?: readonly Taint[];
    readonly startupTaints?: readonly Taint[];
    readonly terminationGracePeriod?: string;
    readonly expireAfter?: string;
  };
  readonly status?: {
    readonly nodeName?: string;
    readonly providerID?: string;
    readonly imageID?: string;
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly lastPodEventTime?: string;
    readonly conditions?: readonly Condition[];
  };
};

export type SelectorTerm = { readonly tags?: Readonly<Record<string, string>>; readonly id?: string };

export type AmiSelectorTerm = SelectorTerm & {
  readonly alias?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly ssmParameter?: string;
  /** Ours: how long an image has to have been out before it is launched. */
  readonly minimumAgeDuration?: string;
};

export type BlockDeviceMapping = {
  readonly deviceName?: string;
  readonly rootVolume?: boolean;
  readonly ebs?: {
    readonly deleteOnTermination?: boolean;
    readonly encrypted?: boolean;
    readonly iops?: number;
    readonly throughput?: number;
    readonly kmsKeyID?: string;
    readonly snapshotID?: string;
    readonly volumeInitializationRate?: number;
    readonly volumeSize?: string;
    readonly volumeType?: string;
  };
};

export type AmiFamily = 'AL2' | 'AL2023' | 'Bottlerocket' | 'Custom' | 'Windows2019' | 'Windows2022' | 'Windows2025';

export type StatusAmi = {
  readonly id: string;
  readonly name?: string;
  readonly deprecated?: boolean;
  readonly requirements: readonly NodeSelectorRequirement[];
};

export type EC2NodeClass = KubernetesObject & {
  readonly spec: {
    readonly amiSelectorTerms: readonly AmiSelectorTerm[];
    readonly subnetSelectorTerms: readonly SelectorTerm[];
    readonly securityGroupSelectorTerms: readonly (SelectorTerm & { readonly name?: string })[];
    readonly capacityReservationSelectorTerms?: readonly Readonly<Record<string, unknown>>[];
    readonly placementGroupSelector?: { readonly id?: string; readonly name?: string };
    readonly amiFamily?: AmiFamily;
    readonly associatePublicIPAddress?: boolean;
    readonly ipPrefixCount?: number;
    readonly userData?: string;
    readonly role?: string;
    readonly instanceProfile?: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly kubelet?: Readonly<Record<string, unknown>>;
    readonly blockDeviceMappings?: readonly BlockDeviceMapping[];
    readonly instanceStorePolicy?: 'RAID0';
    readonly networkInterfaces?: readonly {
      readonly networkCardIndex: number;
      readonly deviceIndex: number;
      readonly interfaceType: string;
    }[];
    readonly detailedMonitoring?: boolean;
    readonly metadataOptions?: {
      readonly httpEndpoint?: string;
      readonly httpProtocolIPv6?: string;
      readonly httpPutResponseHopLimit?: number;
      readonly httpTokens?: string;
    };
    readonly connectionTracking?: Readonly<Record<string, number>>;
    readonly context?: string;
    readonly cpuOptions?: { readonly nestedVirtualization?: string };
  };
  readonly status?: {
    readonly subnets?: readonly { readonly id: string; readonly zone: string; readonly zoneID?: string }[];
    readonly securityGroups?: readonly { readonly id: string; readonly name?: string }[];
    readonly amis?: readonly StatusAmi[];
    readonly instanceProfile?: string;
    readonly conditions?: readonly Condition[];
  };
};
