import type {
  AccessKey,
  CallerAccess,
  CatalogueName,
  InstanceMarket,
  NodeSkew,
  ReleaseHistory,
  ThrottleOption,
} from '@nodewright/aws-endpoints';
import type { SeenBootTimes } from '@nodewright/cluster-sim';
import type { ObjectWrite, PodLogs, PodPrograms } from '@nodewright/kube-api';
import type { CallGate, Clock, Ledger, Random } from '@nodewright/runtime';
import type { ClientWay } from './cluster-clients.ts';

export type SandboxOptions = {
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  readonly clusterName: string;
  /** Minor version, `1.28`. */
  readonly kubernetesVersion: string;
  readonly region: string;
  readonly zones: readonly string[];
  /** Every release that was or will be published; see `builtInReleases`. */
  readonly releases: ReleaseHistory;
  /** Where clients outside reach the two APIs; read when it is needed. */
  readonly endpoints?: SandboxEndpoints;
  /** The time in which clients outside wait; the cluster's when left out. */
  readonly callersClock?: Clock;
  /** How often node leases show that they are renewed; for clients outside [never; in the cluster's time at least 10 s]. */
  readonly writeLeasesEveryMs?: number;
  /** The clock of these clients, who read nothing while the cluster's clock jumps ahead [the cluster's clock]. */
  readonly readersClock?: Clock;
  /** The key with which clients outside sign for AWS; without one none of their signatures is valid. */
  readonly accessKey?: AccessKey;
  /** The clock by which these clients sign [the cluster's clock]. */
  readonly signersClock?: Pick<Clock, 'now'>;
  /** What pods have written that this process knows better than their commands tell. */
  readonly podLogs?: PodLogs;
  /** The listeners on the ports of pods [none]. */
  readonly podListener?: NonNullable<PodPrograms['listener']>;
  /** What was there before a restart, and where the rest is kept; a new world without one. */
  readonly ledger?: Ledger;
  /** What a node group update does with new nodes when it fails half way [leave]. */
  readonly onFailure?: 'leave' | 'revert';
  /** How long an update waits between its last new node and its first eviction, in milliseconds [0]. */
  readonly updateQuietMs?: number;
  /** Which managed nodes may lag behind when the control plane is updated [strict]. */
  readonly nodeSkew?: NodeSkew;
  /** How long machines of this cluster were seen to take [what is usual for their images]. */
  readonly seenBootTimes?: SeenBootTimes;
  /** Told of every object that is written. */
  readonly onWrite?: (write: ObjectWrite) => void;
  /** How the parts of this cluster reach its API server [wire]. */
  readonly way?: ClientWay;
  /**
   * Whether the cluster has what no node needs and strangers look for: its DNS, endpoints of services, metrics and the scaling by them. coredns and
   * kube-proxy follow the version of the control plane [no].
   */
  readonly clusterServices?: boolean;
  /** Whether services have endpoints in a cluster without those services [no]. */
  readonly serviceEndpoints?: boolean;
  /** Whether kubelets are the users of their nodes (`system:node:NAME`) instead of administrators [no]. */
  readonly nodeIdentities?: boolean;
  /** How EC2 limits the rate of calls [none]. */
  readonly throttle?: ThrottleOption;
  /** What callers of the AWS endpoints may do [everything]. */
  readonly access?: CallerAccess;
  /** Which instance types EC2 lists, and how their prices behave [small]. */
  readonly catalogue?: CatalogueName;
  /** What is sold where, in place of a catalogue. */
  readonly market?: InstanceMarket;
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
};

export type SandboxEndpoints = {
  /** `https://127.0.0.1:6443`. */
  readonly kubernetes: () => string;
  /** PEM of the CA that signed the Kubernetes API's certificate. */
  readonly certificateAuthority: string;
  /** PEM of the key that signs the tokens of service accounts; a new one without it. */
  readonly tokenKey?: string;
};
