import { karpenterCustomResources, nodewrightCustomResources, type Pod } from '@nodewright/apis';
import {
  type CallGate,
  type Clock,
  type HttpPeer,
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
  type Random,
  forgetfulLedger,
  type Ledger,
} from '@nodewright/runtime';
import {
  type AccessKey,
  type Aws,
  type CallerAccess,
  type ClusterAddon,
  createAws,
  type MachineListener,
  type NodeSkew,
  type ReleaseHistory,
  type CatalogueName,
  type InstanceMarket,
  type ThrottleOption,
} from '@nodewright/aws-endpoints';
import {
  type SeenBootTimes,
  type Stoppable,
  createKubelets,
  startScheduler,
  startWorkloadControllers,
  createSystemObjects,
  createClusterServices,
  startClusterServices,
  startServiceEndpoints,
  updateAddOns,
} from '@nodewright/cluster-sim';
import { readAwsAuth } from './aws-auth.ts';
import { callWebhook } from './call-webhook.ts';
import { ChurnWatch } from './churn/churn-watch.ts';
import { clusterAccess, fromEks, whileThere } from './cluster-access.ts';
import {
  isDeviceSelected,
  type ApiServer,
  createApiServer,
  createDirectClient,
  type ObjectWrite,
  type PodLogs,
  type PodPrograms,
  type User,
} from '@nodewright/kube-api';
import { startNodeManager } from './node-manager/node-manager.ts';
import { type AddOnWorld, followAddOn, resumeAddOns } from './follow-add-ons.ts';
import { laterListener } from './machine-listener.ts';
import { findPodCredentials } from './pod-credentials.ts';
import { noteShellEnd, playedAttach, playedExec, playedLogs } from './pod-programs.ts';
import { simulatedKubelets, simulatedUsage } from './simulated-usage.ts';
import { type OldKindRewriter, startOldKindRewriter } from './old-kinds/rewrite-old-kinds.ts';
import { serveOldKinds } from './old-kinds/serve-old-kinds.ts';

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
  /** Who listens on the ports of pods [nobody]. */
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

/** The user name and the user agent of an administrator. */
export type AdminName = { readonly commonName: string; readonly userAgent: string };

/** Over the wire protocol, or on the objects of the server, which costs far less and tracks no owners of fields. */
export type ClientWay = 'wire' | 'direct';

export type SandboxEndpoints = {
  /** `https://127.0.0.1:6443`. */
  readonly kubernetes: () => string;
  /** PEM of the CA that signed the Kubernetes API's certificate. */
  readonly certificateAuthority: string;
  /** PEM of the key that signs the tokens of service accounts; a new one without it. */
  readonly tokenKey?: string;
};

/** An EKS cluster and the account around it, reached through its two handlers. */
export type Sandbox = {
  readonly kubernetes: ApiServer;
  readonly aws: Aws;
  /** A client as a cluster admin in this process. */
  readonly admin: KubernetesClient;
  /** Another client of such a kind, by the way of the cluster's own parts. */
  readonly clientAs: (user: AdminName) => KubernetesClient;
  /** How the parts of this cluster reach its API server. */
  readonly way: ClientWay;
  /** Resolves when the cluster is up: system objects applied, controllers running. */
  start(): Promise<void>;
  stop(): void;
};

const clusterAdmin = { clientCertificate: { commonName: 'kubernetes-admin', organizations: ['system:masters'] } };

/** EKS inside the cluster. The cluster role of that name says what it may do. */
const nodeManager = { clientCertificate: { commonName: 'eks:node-manager', organizations: [] } };

const nodeCaller = (name: string) => ({
  peer: { clientCertificate: { commonName: `system:node:${name}`, organizations: ['system:nodes'] } },
});

type Certificate = NonNullable<HttpPeer['clientCertificate']>;

/** The identity of a client of the API server, and the server as it reaches it. */
type SandboxCaller = {
  readonly peer?: { readonly clientCertificate: Certificate };
  readonly server?: Pick<ApiServer, 'handle' | 'operate' | 'version'>;
};

/** Assembles the sandbox and loads all code that it will run. Nothing moves before `start`. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const machines = laterListener();
  let oldKinds: OldKindRewriter | undefined;
  let followVersion: (() => void) | undefined;
  let addOns: AddOnWorld | undefined;
  const { aws, kubernetes } = createApis(options, machines.listener, {
    versionChanged() {
      oldKinds?.recheck();
      followVersion?.();
    },
    addOnChanged: (addOn) => addOns && followAddOn(addOns, addOn),
    shellEnded: (pod, container, exitCode) => void noteShellEnd(client('kubelet'), { pod, container, exitCode }),
  });
  await aws.load();
  const { gate, way = 'wire' } = options;
  const client = clientsOf({ gate, way }, kubernetes);
  const there = whileThere(kubernetes, aws.eks);
  const running: Stoppable[] = [];
  return {
    kubernetes: there,
    aws,
    admin: client('nodewright'),
    clientAs: ({ commonName, userAgent }) =>
      client(userAgent, {
        peer: { clientCertificate: { commonName, organizations: ['system:masters'] } },
        server: there,
      }),
    way,
    async start() {
      const kubelets = createKubelets({
        ...options,
        random: options.random.fork('kubelets'),
        client: client('kubelet'),
        ...(options.nodeIdentities === true && { clientOf: (name: string) => client('kubelet', nodeCaller(name)) }),
      });
      machines.become(kubelets);
      oldKinds = startOldKindRewriter({
        ...options,
        random: options.random.fork('old kinds'),
        client: client('karpenter-conversion'),
        kubernetesVersion: () => kubernetes.version,
      });
      running.push(oldKinds, kubelets, ...startControlPlane(options, { aws, kubernetes, client }));
      await createSystemObjects(client('eks'), options.kubernetesVersion);
      if (options.clusterServices === true) {
        running.push(await startServices(options, client));
        followVersion = () => updateAddOnsSoon(options, client('eks'), kubernetes);
        addOns = { clock: options.clock, log: options.log, eks: aws.eks, client: client('eks') };
        resumeAddOns(addOns);
      } else if (options.serviceEndpoints === true) {
        const random = options.random.fork('service endpoints');
        running.push(startServiceEndpoints({ ...options, random, client: client('kube-controller-manager') }));
      }
      aws.resume();
    },
    stop() {
      for (const part of running) part.stop();
    },
  };
}

/** What parts of the sandbox do that are made after the APIs. */
type LaterListeners = {
  readonly versionChanged: () => void;
  readonly addOnChanged: (addOn: ClusterAddon) => void;
  readonly shellEnded: (pod: Pod, container: string, exitCode: number) => void;
};

type SandboxApis = { readonly aws: Aws; readonly kubernetes: ApiServer };

/** The two APIs. They name each other: the API server asks AWS about tokens, EKS sets the version of the API server. */
function createApis(options: SandboxOptions, machines: MachineListener, later: LaterListeners): SandboxApis {
  const { clock, random, endpoints, callersClock, podLogs, podListener, ledger = forgetfulLedger() } = options;
  const played = playedLogs(clock);
  const target = { clusterName: options.clusterName, kubernetesVersion: () => kubernetes.version };
  const aws: Aws = createAws({
    ...options,
    ledger,
    random: random.fork('aws'),
    machines,
    onControlPlaneVersion: (minor) => {
      kubernetes.setVersion(minor);
      later.versionChanged();
    },
    onAddon: later.addOnChanged,
    readWebIdentity: (token) => kubernetes.readTokenClaims(token),
    readAwsAuth: () => readAwsAuth(kubernetes),
    clusterEndpoint: () => endpoints?.kubernetes() ?? 'https://kubernetes.sandbox.internal',
    clusterCertificateAuthority: () => endpoints?.certificateAuthority ?? 'sandbox',
    clusterAccess: () => clusterAccess(kubernetes, aws.faults, nodeManager.clientCertificate.commonName),
  });
  const churn = new ChurnWatch({ clock, report: (message, fields) => options.log?.(message, fields) });
  const kubernetes = createApiServer({
    clock,
    random: random.fork('kubernetes'),
    version: aws.eks.controlPlane.version,
    ledger,
    customResources: [
      ...karpenterCustomResources,
      ...nodewrightCustomResources,
      ...serveOldKinds(target, random.fork('old kinds/definitions')),
    ],
    tokens: [(token) => userOf(aws, token)],
    onWrite: (write) => {
      churn.see(write);
      options.onWrite?.(write);
    },
    ...(callersClock && { callersClock }),
    podLogs: (pod, asked) => podLogs?.(pod, asked) ?? played(pod, asked),
    ...(options.clusterServices === true && { usage: simulatedUsage }),
    kubelets: simulatedKubelets(clock),
    findPodCredentials: (account) => findPodCredentials({ eks: aws.eks, region: options.region }, account),
    podPrograms: {
      exec: playedExec(clock),
      attach: playedAttach(clock, later.shellEnded),
      ...(podListener && { listener: podListener }),
    },
    ...(endpoints && { certificateAuthority: endpoints.certificateAuthority, callWebhook }),
    ...(endpoints?.tokenKey !== undefined && { tokenKey: endpoints.tokenKey }),
    tokenIssuer: {
      issuer: `https://oidc.eks.${options.region}.amazonaws.com/id/SANDBOX`,
      audience: 'https://kubernetes.default.svc',
    },
    ...(endpoints && { serverAddress: () => new URL(endpoints.kubernetes()).host }),
  });
  return { aws, kubernetes };
}

type ClientFactory = (userAgent: string, caller?: SandboxCaller) => KubernetesClient;

/** Clients in this process. Without a caller they are cluster admins and reach the API server directly. */
const clientsOf =
  ({ gate, way }: { readonly gate: CallGate; readonly way: ClientWay }, kubernetes: ApiServer): ClientFactory =>
  (userAgent, { peer = clusterAdmin, server = kubernetes } = {}) => {
    if (way === 'direct') return createDirectClient(server, { gate, name: userAgent, user: userOfPeer(peer) });
    return kubernetesClient({ transport: inProcessTransport(gate, server.handle, { peer }), gate, userAgent });
  };

const userOfPeer = ({ clientCertificate }: { readonly clientCertificate: Certificate }): User => ({
  name: clientCertificate.commonName,
  groups: [...clientCertificate.organizations, 'system:authenticated'],
});

/** The controllers, the scheduler, and the part of EKS that manages nodes inside the cluster. */
function startControlPlane(
  options: SandboxOptions,
  { aws, kubernetes, client }: SandboxApis & { readonly client: ClientFactory },
): readonly Stoppable[] {
  const { random } = options;
  const controllers = {
    ...options,
    random: random.fork('controllers'),
    client: client('kube-controller-manager'),
    selectDevice: isDeviceSelected,
  };
  return [
    startWorkloadControllers(controllers),
    startScheduler({ ...controllers, client: client('kube-scheduler') }),
    startNodeManager({
      ...options,
      random: random.fork('node-manager'),
      client: client('eks-node-manager', { peer: nodeManager, server: fromEks(kubernetes, aws.faults) }),
      nodeGroups: aws.eks.nodeGroups,
    }),
  ];
}

/** The network interfaces of the control plane, in two subnets of the VPC. */
const controlPlaneAddresses = ['192.168.31.250', '192.168.63.250'];

async function startServices(options: SandboxOptions, client: ClientFactory): Promise<Stoppable> {
  const { kubernetesVersion, random } = options;
  await createClusterServices(client('eks'), { kubernetesVersion, addresses: controlPlaneAddresses });
  return startClusterServices({
    ...options,
    random: random.fork('cluster services'),
    client: client('kube-controller-manager'),
  });
}

/** What EKS does about its add-ons, soon after the control plane has another version. */
function updateAddOnsSoon({ clock, log }: SandboxOptions, client: KubernetesClient, kubernetes: ApiServer): void {
  clock.at(clock.now(), () => {
    updateAddOns(client, kubernetes.version).catch((error: unknown) => log?.('add-ons stay as they are', { error }));
  });
}

function userOf(aws: Aws, token: string): User | undefined {
  const user = aws.authenticateToken(token);
  if (user === undefined) return undefined;
  const { username: name, ...rest } = user;
  return { name, ...rest };
}
