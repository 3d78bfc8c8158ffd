import type { Instant } from '@nodewright/apis';
import type { ImageRelease } from '../releases/release.ts';
import type { InstanceState, PurchaseType } from '../ec2/instance.ts';
import type { ReportedByNode } from '../machine.ts';
import type { ManagedGroupFacts, NodeUpdateStage, ScalingGroupFacts } from './group-facts.ts';

type TagsOfFact = Readonly<Record<string, string>>;

/** What is known of an account from outside, to go on from there. */
export type AccountFacts = {
  readonly region: string;
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly now: Instant;
  readonly cluster?: {
    readonly createdAt?: Instant;
    readonly roleArn?: string;
    readonly serviceCidr?: string;
    readonly subnetIds: readonly string[];
    readonly securityGroupIds: readonly string[];
  };
  /** In the order of their launches. */
  readonly instances: readonly InstanceFacts[];
  readonly subnets: readonly SubnetFacts[];
  readonly securityGroups: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: TagsOfFact;
  }[];
  readonly launchTemplates: readonly {
    readonly id: string;
    readonly name: string;
    readonly createdAt: Instant;
    readonly data: object;
    readonly tags: TagsOfFact;
    /** All versions; without them the default one is the only one. */
    readonly versions?: readonly {
      readonly number: number;
      readonly createdAt: Instant;
      readonly description?: string;
      readonly data: object;
    }[];
    readonly defaultVersion?: number;
  }[];
  readonly managedGroups?: readonly ManagedGroupFacts[];
  readonly scalingGroups?: readonly ScalingGroupFacts[];
  /** By the ids of instances: how far updates of managed groups have come with their nodes, as the nodes show it. */
  readonly updateStages?: ReadonlyMap<string, NodeUpdateStage>;
  readonly profiles: readonly { readonly name: string; readonly path: string; readonly roleName?: string }[];
  /** Names of roles that NodeClasses may have. */
  readonly roles: readonly string[];
  /** Images of the account's own, by the account or found by an id. */
  readonly images: readonly OwnImageFacts[];
  /** The family of a release; none for other images. */
  readonly familyOf: (imageId: string) => ImageRelease['family'] | undefined;
};

export type SubnetFacts = {
  readonly id: string;
  readonly vpcId: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly cidr: string;
  readonly freeAddresses: number;
  readonly isPublic: boolean;
  readonly tags: TagsOfFact;
};

export type OwnImageFacts = {
  readonly id: string;
  readonly name: string;
  readonly arch: 'amd64' | 'arm64';
  readonly createdAt: Instant;
  readonly deprecatedAt?: Instant;
  readonly tags?: TagsOfFact;
};

export type InstanceFacts = {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId?: string;
  readonly subnetId?: string;
  readonly capacityType: 'spot' | 'on-demand' | 'reserved';
  readonly capacityReservationId?: string;
  readonly imageId: string;
  readonly privateIp?: string;
  readonly privateDnsName: string;
  readonly networkInterfaceId?: string;
  readonly state: InstanceState;
  readonly launchedAt: Instant;
  readonly tags: TagsOfFact;
  readonly securityGroupIds: readonly string[];
  readonly instanceProfile?: string;
  readonly spotRequestId?: string;
  readonly rootVolume?: { readonly deviceName: string; readonly volumeId: string };
  readonly clientToken?: string;
  readonly launchIndex?: number;
  readonly tenancy: string;
  /** Base64. Without it, what joins the cluster and asks for nothing else. */
  readonly userData?: string;
  readonly reports?: ReportedByNode;
};

export const marketOf = ({ capacityType }: Pick<InstanceFacts, 'capacityType'>): PurchaseType =>
  capacityType === 'spot' ? 'spot' : 'on-demand';
