import type { Update } from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';

/** What a customer may change about a cluster besides its version. */
export type ClusterSettings = {
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly publicAccess: boolean;
  readonly privateAccess: boolean;
  readonly publicCidrs: readonly string[];
  /** The kinds of log that are kept: `api`, `audit`. */
  readonly logging: readonly string[];
  readonly authenticationMode: string;
  readonly supportType: 'STANDARD' | 'EXTENDED';
  readonly zonalShift: boolean;
  readonly deletionProtection: boolean;
  /** Auto Mode: EKS keeps the nodes by itself. */
  readonly autoMode: boolean;
};

/** One cluster as EKS keeps it. Whether it is updating follows from its updates. */
export type EksCluster = ClusterSettings & {
  readonly name: string;
  readonly createdAt: Instant;
  /** `1.29`: the old one until an update has ended. */
  readonly version: string;
  readonly stage: 'CREATING' | 'ACTIVE' | 'DELETING';
  readonly since: Instant;
  readonly roleArn: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly serviceCidr: string;
  /** The group that EKS made for it. Absent where it is the one that was laid with the network. */
  readonly securityGroupId?: string;
  /** The last upgrade in place: the way back is open for seven days. */
  readonly upgraded?: { readonly from: string; readonly at: Instant };
};

/** An update of a cluster, and what it makes of it. */
export type ClusterUpdate = {
  readonly id: string;
  readonly cluster: string;
  readonly type: NonNullable<Update['type']>;
  readonly status: 'InProgress' | 'Successful' | 'Failed' | 'Cancelled';
  readonly params: NonNullable<Update['params']>;
  readonly errors: NonNullable<Update['errors']>;
  readonly createdAt: Instant;
  readonly change: Partial<EksCluster>;
  readonly cancellation?: Update['cancellation'];
  /** Until when nodes move first, and the update can be cancelled. */
  readonly nodesUntil?: Instant;
};

export const defaultClusterSettings: Omit<ClusterSettings, 'subnetIds' | 'securityGroupIds'> = {
  publicAccess: true,
  privateAccess: false,
  publicCidrs: ['0.0.0.0/0'],
  logging: [],
  authenticationMode: 'API_AND_CONFIG_MAP',
  supportType: 'EXTENDED',
  zonalShift: false,
  deletionProtection: false,
  autoMode: false,
};
