import type { Nodegroup, NodeRepairConfig, Taint, WarmPoolConfig } from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';
import type { WarmPool } from '../autoscaling/group/group.ts';
import type { GroupLaunchTemplate } from '../autoscaling/group/launch-configuration.ts';
import type { KeptUpdateConfig, NodegroupScaling, SourceTemplate } from '../eks/nodegroups/node-group.ts';

/** A managed node group as it was described. */
export type ManagedGroupFacts = {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly status: string;
  readonly version: string;
  readonly releaseVersion: string;
  readonly amiType: NonNullable<Nodegroup['amiType']>;
  readonly capacityType: NonNullable<Nodegroup['capacityType']>;
  readonly scaling: NodegroupScaling;
  readonly instanceTypes?: readonly string[];
  readonly subnetIds: readonly string[];
  readonly nodeRole: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly tags: Readonly<Record<string, string>>;
  readonly diskSize?: number;
  readonly source?: SourceTemplate;
  readonly updateConfig: KeptUpdateConfig;
  readonly nodeRepairConfig?: NodeRepairConfig;
  readonly warmPoolConfig?: WarmPoolConfig;
  readonly scalingGroup?: string;
  /** The version update that is under way. */
  readonly update?: {
    readonly id: string;
    readonly createdAt: Instant;
    readonly params: Readonly<Record<string, string>>;
  };
};

/** A node carries the taint of an update; its pods are leaving; it is cordoned, and ends a minute later. */
export type NodeUpdateStage = 'setApart' | 'draining' | 'cordoned';

export type GroupInstanceFacts = {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly lifecycle: string;
  readonly healthy: boolean;
  readonly protected: boolean;
  readonly template: GroupLaunchTemplate;
};

/** An Auto Scaling group as it was described. */
export type ScalingGroupFacts = {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Instant;
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  readonly template: GroupLaunchTemplate;
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
  /** Without those that EKS makes for a managed group. */
  readonly hooks: readonly {
    readonly name: string;
    readonly transition: string;
    readonly heartbeatSeconds: number;
    readonly defaultResult: string;
  }[];
  readonly instances: readonly GroupInstanceFacts[];
  readonly terminationPolicies: readonly string[];
  readonly healthCheckGraceSeconds: number;
  readonly cooldownSeconds: number;
  readonly protectNew: boolean;
  readonly serviceRole?: string;
  readonly warmPool?: WarmPool;
  readonly warm: readonly GroupInstanceFacts[];
  readonly isDeleting: boolean;
};
