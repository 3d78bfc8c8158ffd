import type { Instant } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import type { ReadManagedGroup, ReadScalingGroup } from './group-reading.ts';

/** Something that could not be read, and why. */
export type UnreadPart = { readonly what: string; readonly because: string };

/** What a forecast needs to know of an account. Whatever could not be read is empty here, and named in `unread`. */
export type AccountReading = {
  readonly region: string;
  readonly cluster?: ReadCluster;
  /** Instances of the cluster, also those that ended in the last hour, in the order of their launches. */
  readonly instances: readonly ReadInstance[];
  readonly subnets: readonly ReadSubnet[];
  readonly securityGroups: readonly ReadSecurityGroup[];
  readonly launchTemplates: readonly ReadLaunchTemplate[];
  readonly profiles: readonly ReadProfile[];
  readonly quotas: readonly ReadQuota[];
  /** Names of managed node groups. */
  readonly nodeGroups: readonly string[];
  /** Those of them that could be described. Older snapshots have none. */
  readonly managedGroups?: readonly ReadManagedGroup[];
  /** Auto Scaling groups of the cluster, also those of managed groups. Older snapshots have none. */
  readonly scalingGroups?: readonly ReadScalingGroup[];
  readonly unread: readonly UnreadPart[];
};

export type ReadCluster = {
  readonly version: string;
  readonly createdAt?: Instant;
  readonly roleArn?: string;
  readonly serviceCidr?: string;
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
};

export type ReadInstance = Omit<Instance, 'providerId' | 'reservationId' | 'partition'> & {
  readonly privateIp?: string;
  readonly networkInterfaceId?: string;
  readonly capacityReservationId?: string;
  readonly instanceProfile?: string;
  readonly spotRequestId?: string;
  readonly rootVolume?: { readonly deviceName: string; readonly volumeId: string };
  readonly clientToken?: string;
  /** The place in its launch. */
  readonly launchIndex?: number;
  /** Base64; read for instances whose node has not registered. */
  readonly userData?: string;
};

export type ReadSubnet = {
  readonly id: string;
  readonly vpcId: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly cidr: string;
  readonly freeAddresses: number;
  readonly isPublic: boolean;
  readonly tags: Readonly<Record<string, string>>;
};

export type ReadSecurityGroup = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
};

export type ReadLaunchTemplate = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly imageId?: string;
  /** Of its contents, SHA-256. */
  readonly hash: string;
  readonly data: object;
  readonly tags: Readonly<Record<string, string>>;
  /** All versions, where a node group launches from one of them. */
  readonly versions?: readonly ReadTemplateVersion[];
  readonly defaultVersion?: number;
};

export type ReadTemplateVersion = {
  readonly number: number;
  readonly createdAt: Instant;
  readonly description?: string;
  readonly data: object;
};

export type ReadProfile = { readonly name: string; readonly path: string; readonly roleName?: string };

/** A limit on vCPUs. */
export type ReadQuota = {
  readonly code: string;
  readonly name: string;
  readonly market: 'onDemand' | 'spot';
  readonly limit: number;
};
