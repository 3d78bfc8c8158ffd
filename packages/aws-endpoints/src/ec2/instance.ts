import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { Instant } from '@nodewright/apis';
import type { MachineBehavior, ReportedByNode } from '../machine.ts';
import type { NodeBehavior } from '../releases/release.ts';
import type { LaunchedDisk } from './launched-disks.ts';

export type InstanceState = 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';

export type InstanceStateChange = { readonly state: InstanceState; readonly at: Instant };

export type PurchaseType = 'spot' | 'on-demand';

/** Which capacity reservations a launch may use, in EC2's words. */
export type ReservationWish = {
  readonly preference: 'open' | 'none' | 'capacity-reservations-only';
  /** Id of the only reservation that it uses. */
  readonly target?: string;
};

/** The placement group an instance goes into, and its partition where the launch chose it. */
export type PlacementWish = { readonly groupId: string; readonly partition?: number };

/** What a launch says of an instance, and what only descriptions of the instance show, in EC2's own form. */
export type LaunchDetails = Pick<
  RequestLaunchTemplateData,
  | 'CpuOptions'
  | 'CreditSpecification'
  | 'DisableApiStop'
  | 'EbsOptimized'
  | 'EnclaveOptions'
  | 'HibernationOptions'
  | 'InstanceInitiatedShutdownBehavior'
  | 'KeyName'
  | 'MaintenanceOptions'
  | 'MetadataOptions'
  | 'PrivateDnsNameOptions'
>;

type BlockDevice = { readonly deviceName: string; readonly volumeId: string; readonly sizeGib: number };

/** A network interface of an instance. */
export type LaunchedInterface = {
  readonly card: number;
  readonly device: number;
  readonly type: 'interface' | 'efa' | 'efa-only';
  readonly ipv6Addresses: number;
  readonly description?: string;
  /** Absent where the instance keeps the interface [the interface ends with it]. */
  readonly staysAfterEnd?: boolean;
  /** How long idle connections are tracked, in seconds, where the launch says so. */
  readonly tracking?: ConnectionTracking;
};

/** The members of EC2, as a launch gives them. */
export type ConnectionTracking = {
  readonly TcpEstablishedTimeout?: number;
  readonly UdpStreamTimeout?: number;
  readonly UdpTimeout?: number;
};

/** Everything that decides how an instance begins, after templates, overrides and defaults are put together. */
export type LaunchSettings = {
  readonly imageId: string;
  readonly instanceType: string;
  readonly subnetId: string;
  readonly securityGroupIds: readonly string[];
  /** The first is the one of device 0 on card 0. Absent in data directories of 0.1.0, which had no other. */
  readonly interfaces?: readonly LaunchedInterface[];
  /** Name of the instance profile. */
  /** The address that the launch asks for. */
  readonly privateIp?: string;
  readonly instanceProfile?: string;
  /** Base64, as it came. */
  readonly userData?: string;
  readonly capacityType: PurchaseType;
  readonly rootVolumeGib: number;
  /** Its volumes, the root volume first. Absent in data directories of 0.1.0. */
  readonly disks?: readonly LaunchedDisk[];
  readonly details?: LaunchDetails;
  /** Whether its primary interface has a public address. */
  readonly hasPublicAddress?: boolean;
  readonly monitoring: boolean;
  readonly tenancy: string;
  readonly reservation: ReservationWish;
  readonly placement?: PlacementWish;
  /** Whether TerminateInstances is refused until the attribute `disableApiTermination` changes. */
  readonly isProtected?: boolean;
  readonly instanceTags: Readonly<Record<string, string>>;
  readonly interfaceTags?: Readonly<Record<string, string>>;
  readonly spotRequestTags?: Readonly<Record<string, string>>;
  readonly volumeTags: Readonly<Record<string, string>>;
};

/** Attributes of an instance that can change after its launch. */
export type ChangedAttributes = LaunchDetails & {
  readonly securityGroupIds?: readonly string[];
  readonly sourceDestCheck?: boolean;
  readonly monitoring?: boolean;
  /** Whether volumes of the launch end with the instance, by their devices. */
  readonly deleteOnTermination?: Readonly<Record<string, boolean>>;
  /** The devices of volumes of the launch that are on the instance no longer. */
  readonly detached?: readonly string[];
  /** When its spot request was cancelled. */
  readonly spotRequestCancelledAt?: Instant;
  /** The instance profile since the association of this number, if there is one. */
  readonly profile?: { readonly number: number; readonly name?: string };
};

/** Returns the name of the profile that an instance has now. */
export const instanceProfileOf = ({ settings, changed }: Ec2Instance): string | undefined =>
  changed?.profile === undefined ? settings.instanceProfile : changed.profile.name;

/** One instance in the state of EC2. */
export type Ec2Instance = {
  readonly id: string;
  readonly reservationId: string;
  readonly settings: LaunchSettings;
  readonly zone: string;
  readonly zoneId: string;
  readonly privateIp: string;
  readonly privateDnsName: string;
  readonly networkInterfaceId: string;
  readonly root: BlockDevice;
  readonly spotRequestId?: string;
  /** The capacity reservation that it was launched in. */
  readonly capacityReservationId?: string;
  /** Its partition of the placement group. */
  readonly partition?: number;
  readonly clientToken?: string;
  /** Whether TerminateInstances refuses to end it. Auto Scaling and reclaimed capacity end it all the same. */
  readonly isProtected?: boolean;
  /** Which instance of its launch it is. Absent for the first. */
  readonly launchIndex?: number;
  /** What changed after the launch. */
  readonly changed?: ChangedAttributes;
  /** Whether it waits in a warm pool. Its kubelet does not start there. */
  readonly isCold?: boolean;
  readonly launchedAt: Instant;
  readonly state: InstanceState;
  /** Every state after the first one, `pending`, oldest first. */
  readonly changes?: readonly InstanceStateChange[];
  /** How its node behaves, besides what its image does: the faults of its launch. */
  readonly behaviors?: readonly MachineBehavior[];
  /** As `behaviors`, in the place of its image; data directories of version 0.1 have it. */
  readonly behavior?: NodeBehavior;
  /** What its node told before the world went on from a reading of the cluster. */
  readonly reports?: ReportedByNode;
  /** Why it left `running`, as EC2 words it. */
  readonly stateReason?: { readonly code: string; readonly message: string };
};

export const stateCodes: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  stopping: 64,
  stopped: 80,
  terminated: 48,
};
