import type { Nodegroup, NodeRepairConfig, Taint, Update, WarmPoolConfig } from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';
import type { UpdateRecord } from '@nodewright/nodegroups';

export type NodegroupStatus = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING' | 'CREATE_FAILED' | 'DELETE_FAILED';

export type NodegroupScaling = { readonly min: number; readonly max: number; readonly desired: number };

/** A template of the customer's, and which version of it. */
export type SourceTemplate = { readonly id: string; readonly name: string; readonly version: string };

/** What nodes are launched from: the part of a group that a version update changes. */
export type Software = {
  /** Minor version, `1.29`. */
  readonly version: string;
  /** `1.29.0-20240117`; the image id when the image is the customer's own. */
  readonly releaseVersion: string;
  readonly imageId: string;
  readonly source?: SourceTemplate;
};

export type KeptUpdateConfig = {
  readonly maxUnavailable?: number;
  readonly maxUnavailablePercentage?: number;
  readonly updateStrategy?: 'DEFAULT' | 'MINIMAL';
};

/** What EKS made for the group. */
export type NodegroupResources = {
  readonly groupName: string;
  readonly templateId: string;
  readonly templateName: string;
  /** Template version by number: what it launches. */
  readonly configurations: Readonly<Record<string, string>>;
  /** The version EKS pointed the group at. */
  readonly pointer: string;
};

/** A request that carried a token, and what it said. */
export type ClientToken = { readonly token: string; readonly body: string };

/** One managed node group. */
export type EksNodeGroup = Software & {
  readonly name: string;
  readonly arn: string;
  readonly uuid: string;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly status: NodegroupStatus;
  readonly amiType: NonNullable<Nodegroup['amiType']>;
  readonly capacityType: 'ON_DEMAND' | 'SPOT' | 'CAPACITY_BLOCK';
  readonly scaling: NodegroupScaling;
  /** Undefined when the customer's template names the type. */
  readonly instanceTypes?: readonly string[];
  readonly subnetIds: readonly string[];
  readonly nodeRole: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly tags: Readonly<Record<string, string>>;
  readonly diskSize?: number;
  readonly remoteAccess?: Nodegroup['remoteAccess'];
  readonly updateConfig: KeptUpdateConfig;
  readonly nodeRepairConfig?: NodeRepairConfig;
  readonly warmPoolConfig?: WarmPoolConfig;
  readonly resources?: NodegroupResources;
  /** Which call asked for the group: the same one again, by its token, is answered with the same group. */
  readonly asked?: ClientToken;
  /** Instances that are no nodes although their time for it is over. */
  readonly unjoined?: readonly string[];
  /** The last node that was terminated with pods on it. */
  readonly unevicted?: { readonly node: string; readonly at: Instant };
  /** When repairs rebooted instances. */
  readonly rebooted?: Readonly<Record<string, Instant>>;
  /** Since a drain at a terminate hook began, by instance. */
  readonly draining: Readonly<Record<string, Instant>>;
};

/** An update of a group, and what it still has to do. */
export type GroupUpdate = {
  readonly id: string;
  readonly group: string;
  readonly type: 'VersionUpdate' | 'ConfigUpdate';
  readonly status: 'InProgress' | 'Successful' | 'Failed';
  readonly params: NonNullable<Update['params']>;
  readonly errors: NonNullable<Update['errors']>;
  readonly createdAt: Instant;
  /** Which call asked for it: the same one again, by its token, is answered with the same update. */
  readonly asked?: ClientToken;
  /** Of a version update: what the group becomes, and how far it is. */
  readonly goal?: Software;
  readonly force?: boolean;
  readonly record?: UpdateRecord;
  /** Since when EKS cannot reach the cluster. */
  readonly cutOffSince?: Instant;
  /** Whether EKS ends it without seeing or touching nodes, for it lost the way or the right to. */
  readonly blind?: boolean;
  /** Of a config update: the labels and taints that nodes lose. */
  readonly removed?: { readonly labels: readonly string[]; readonly taints: readonly Taint[] };
};

/** Equal for equal nodes: the image, or the version of the customer's template, which recycles nodes whatever it says. */
export const softwareConfiguration = ({ imageId, source }: Software): string =>
  source === undefined ? imageId : `${source.id}:${source.version}`;

/** The labels by which EKS knows what a node was launched from. */
export const softwareLabels = (
  group: Pick<EksNodeGroup, 'name'>,
  { imageId, source }: Pick<Software, 'imageId' | 'source'>,
) => ({
  'eks.amazonaws.com/nodegroup': group.name,
  'eks.amazonaws.com/nodegroup-image': imageId,
  ...(source !== undefined && {
    'eks.amazonaws.com/sourceLaunchTemplateId': source.id,
    'eks.amazonaws.com/sourceLaunchTemplateVersion': source.version,
  }),
});

/** A group after its update: one that failed to get there says that it is what it was before. */
export function settledGroup(group: EksNodeGroup, { status, goal }: GroupUpdate, now: Instant): EksNodeGroup {
  const { source: _before, ...rest } = group;
  const changed = status === 'Successful' && goal !== undefined ? { ...rest, ...goal } : group;
  return { ...changed, status: 'ACTIVE', modifiedAt: now };
}
