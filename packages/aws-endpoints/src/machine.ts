import type { Instant, Node } from '@nodewright/apis';
import type { NodeBehavior, ImageRelease } from './releases/release.ts';

/** What an instance type gives, as EC2 tells it. */
export type MachineShape = {
  readonly instanceType: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly arch: 'amd64' | 'arm64';
  readonly maxPods: number;
  readonly branchInterfaces: number;
  /** How many EBS volumes pods can have attached. */
  readonly volumes: number;
  /** The disks that come with the instance, in GB [it has none]. */
  readonly instanceStoreGb?: number;
  /** Devices that a healthy image finds, by the resource their plugin announces: `{ 'nvidia.com/gpu': 4 }`. */
  readonly devices?: Readonly<Record<string, number>>;
};

/** The members of a node's status that its kubelet repeats. */
export type ReportedByNode = Pick<NonNullable<Node['status']>, 'addresses' | 'allocatable' | 'capacity' | 'nodeInfo'>;

/** One way in which a node behaves. `pods` are the labels of the pods that it concerns [half of those with addresses of their own]. */
export type MachineBehavior = {
  readonly behavior: NodeBehavior;
  readonly pods?: Readonly<Record<string, string>>;
};

/** An EC2 instance as the kubelet on it sees the world: what `aws-endpoints` tells `cluster-sim`. */
export type BootedMachine = {
  readonly instanceId: string;
  /** `aws:///us-east-1a/i-0123456789abcdef0`. */
  readonly providerId: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly region: string;
  readonly privateIp: string;
  /** `ip-192-168-40-30.ec2.internal`. */
  readonly privateDnsName: string;
  readonly imageId: string;
  /** The release of the image. An image that is not published has none. */
  readonly release?: ImageRelease;
  /** How its node behaves: they add up, and `healthy` ends those before it. */
  readonly behaviors: readonly MachineBehavior[];
  readonly shape: MachineShape;
  /** Root volume, in GiB. */
  readonly volumeGib: number;
  /** Decoded from base64. */
  readonly userData: string;
  readonly launchedAt: Instant;
  /** When its kernel panics and does not restart [never]. */
  readonly panicsAt?: Instant;
  /** What its node told before, in place of what its shape says. */
  readonly reports?: ReportedByNode;
};

/** Told synchronously, while EC2 serves the call: listeners set timers and return. */
export interface MachineListener {
  /** The instance has been granted and starts to boot. */
  launched(machine: BootedMachine): void;
  /** The instance begins to shut down: its kubelet stops at once. */
  stopping(instanceId: string): void;
  /** From now on the node of a running instance behaves as its machine says, and in these ways besides. */
  behaves(instanceId: string, imposed: readonly MachineBehavior[]): void;
}
