import type { Nodegroup, NodeRepairConfig, Taint, WarmPoolConfig } from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';

/** A managed node group as EKS describes it. */
export type ReadManagedGroup = {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly status: string;
  /** Minor version, `1.29`. */
  readonly version: string;
  readonly releaseVersion: string;
  readonly amiType: NonNullable<Nodegroup['amiType']>;
  readonly capacityType: NonNullable<Nodegroup['capacityType']>;
  readonly scaling: { readonly min: number; readonly max: number; readonly desired: number };
  readonly instanceTypes?: readonly string[];
  readonly subnetIds: readonly string[];
  readonly nodeRole: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly tags: Readonly<Record<string, string>>;
  readonly diskSize?: number;
  /** The customer's template, and which version of it. */
  readonly source?: { readonly id: string; readonly name: string; readonly version: string };
  readonly updateConfig: {
    readonly maxUnavailable?: number;
    readonly maxUnavailablePercentage?: number;
    readonly updateStrategy?: 'DEFAULT' | 'MINIMAL';
  };
  readonly nodeRepairConfig?: NodeRepairConfig;
  readonly warmPoolConfig?: WarmPoolConfig;
  /** Name of the Auto Scaling group behind it. */
  readonly scalingGroup?: string;
  /** The version update that is under way. */
  readonly update?: {
    readonly id: string;
    readonly createdAt: Instant;
    readonly params: Readonly<Record<string, string>>;
  };
};

type ReadTemplateReference = { readonly id: string; readonly name: string; readonly version: string };

/** An instance as its Auto Scaling group has it. */
export type ReadGroupInstance = {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  /** `InService`, `Terminating:Wait`. */
  readonly lifecycle: string;
  readonly healthy: boolean;
  readonly protected: boolean;
  readonly template: ReadTemplateReference;
};

/** A hook of people; those of EKS are the same in every group. */
export type ReadHook = {
  readonly name: string;
  readonly transition: string;
  readonly heartbeatSeconds: number;
  readonly defaultResult: string;
};

/** An Auto Scaling group that launches from a launch template. */
export type ReadScalingGroup = {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Instant;
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  readonly template: ReadTemplateReference;
  /** Of its mixed instances policy, where it has one. */
  readonly instanceTypes: readonly string[];
  readonly mixed: boolean;
  readonly capacityType: 'on-demand' | 'spot';
  readonly allocation?: string;
  readonly capacityRebalance: boolean;
  readonly subnetIds: readonly string[];
  readonly zones: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  /** Keys of the tags that its instances get. */
  readonly tagsAtLaunch: readonly string[];
  readonly suspended: readonly string[];
  readonly hooks: readonly ReadHook[];
  readonly instances: readonly ReadGroupInstance[];
  readonly terminationPolicies: readonly string[];
  readonly healthCheckGraceSeconds: number;
  readonly cooldownSeconds: number;
  readonly protectNew: boolean;
  readonly serviceRole?: string;
  readonly warmPool?: {
    readonly min: number;
    readonly prepared?: number;
    readonly state: 'Stopped' | 'Running' | 'Hibernated';
    readonly reuse: boolean;
  };
  /** The instances in its warm pool. */
  readonly warm: readonly ReadGroupInstance[];
  /** Whether an instance refresh is under way. */
  readonly isRefreshing: boolean;
  readonly isDeleting: boolean;
};
