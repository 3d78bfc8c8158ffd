import {
  type Clock,
  type Random,
  type RequestHandler,
  forgetfulLedger,
  type Ledger,
  type Storage,
} from '@nodewright/runtime';
import type { MachineListener } from './machine.ts';
import type { ReleaseHistory } from './releases/history.ts';
import { ReleaseStore } from './releases/release-store.ts';
import type { AwsAccount } from './account.ts';
import { AutoScaling } from './autoscaling/auto-scaling.ts';
import { CallLog, type AwsCall } from './calls.ts';
import { createEc2, type Ec2 } from './ec2/model.ts';
import type { EksClusterAccess } from './eks/cluster-access.ts';
import { Clusters } from './eks/clusters/clusters.ts';
import { hostedCluster } from './eks/clusters/hosted-cluster.ts';
import type { EksControlPlane, Eks } from './eks/model.ts';
import type { NodeSkew } from './eks/node-skew.ts';
import { NodeGroups, type NodeGroupsDeps } from './eks/nodegroups/node-groups.ts';
import { clusterRules } from './events/cluster-rules.ts';
import type { AwsEvent } from './events/event.ts';
import { EventBus } from './events/event-bus.ts';
import { instanceEvents } from './events/instance-events.ts';
import { awsEndpoint } from './endpoint.ts';
import { Faults } from './faults/faults.ts';
import { FaultyInstances } from './faulty-instances.ts';
import { Iam } from './iam/model.ts';
import { lazyServices } from './lazy-services.ts';
import { Queues } from './sqs/queues.ts';
import { lookUp } from './ssm/look-up.ts';
import { OwnParameters } from './ssm/own-parameters.ts';
import { PublicParameters } from './ssm/parameters.ts';
import type { AccessKey } from './signature/access-key.ts';
import { refuseUnsigned } from './signature/refuse-unsigned.ts';
import { readClusterToken, type TokenUser } from './sts/token.ts';

export type AwsOptions = {
  readonly clock: Clock;
  readonly random: Random;
  /** The time in which callers outside this process wait for an answer [the clock's]. */
  readonly patience?: Clock;
  /** The key of the account's administrator; without one no signature is valid. */
  readonly accessKey?: AccessKey;
  /** The time by which clients outside this process sign [the clock's]. */
  readonly signersClock?: Pick<Clock, 'now'>;
  /** Twelve digits. */
  readonly accountId?: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly clusterName: string;
  /** The minor the control plane begins with, `1.28`. */
  readonly kubernetesVersion: string;
  /** Which managed nodes may lag behind when the control plane is updated [strict]. */
  readonly nodeSkew?: NodeSkew;
  /** Every release that was or will be published; see `builtInReleases`. */
  readonly releases: ReleaseHistory;
  /** Told of every instance that boots or ends. */
  readonly machines: MachineListener;
  /** Told the minor when an update of the control plane has ended. */
  readonly onControlPlaneVersion: (minor: string) => void;
  /** Where the Kubernetes API answers, `https://127.0.0.1:6443`; asked when a client asks. */
  readonly clusterEndpoint: () => string;
  /** The API server's CA in PEM; asked when a client asks. */
  readonly clusterCertificateAuthority: () => string;
  /** Whether EKS can do its work in the cluster; asked when a client asks [it can]. */
  readonly clusterAccess?: () => EksClusterAccess;
  /** What the account was before a restart; new without one. */
  readonly ledger?: Ledger;
};

/** The AWS account of the sandbox: its endpoints, and the models behind them. */
export type Aws = {
  /** One handler for all services, told apart by credential scope, target header and path. It trusts its caller. */
  readonly handle: RequestHandler;
  /** The same for callers outside this process: it serves requests that are signed with the access key. */
  readonly handleSigned: RequestHandler;
  /** Loads what the services need from disk, so that serving a call never leaves the promise queue. */
  load(): Promise<void>;
  /** Goes on with what was under way before a restart: instances, updates, groups. */
  resume(): void;
  /** The calls after the one with the number, in order. */
  calls(since?: number): readonly AwsCall[];
  readonly faults: Faults;
  readonly releases: ReleaseStore;
  /** Where changes are kept. */
  readonly storage: Storage;
  readonly ec2: Ec2;
  readonly autoScaling: AutoScaling;
  readonly eks: Eks;
  readonly iam: Iam;
  /** What `queues.deliver(arn, body)` puts into a queue, whoever reads the queue finds. */
  readonly queues: Queues;
  /** Who the bearer of a token of `aws eks get-token` is; `undefined` when it is no such token, or not signed with the access key. */
  authenticateToken(token: string): TokenUser | undefined;
};

export function createAws(options: AwsOptions): Aws {
  const { clock, random, ledger = forgetfulLedger() } = options;
  const account: AwsAccount = { id: options.accountId ?? '111122223333', region: options.region };
  const releases = new ReleaseStore(options.releases, ledger);
  const faults = new Faults(ledger);
  const calls = new CallLog(ledger);
  const iam = new Iam({ clock, account, ledger, random: random.fork('iam') }, nodeRoles(options.clusterName));
  const queues = new Queues({ clock, account, ledger, random: random.fork('sqs') });
  if (queues.isNew) queues.create(options.clusterName, { MessageRetentionPeriod: '300' });
  const bus = new EventBus({ clock, account, ledger, queues, random: random.fork('events') });
  const publish = (event: AwsEvent): void => void bus.publish(event);
  const events = instanceEvents(account);
  if (bus.isNew)
    for (const rule of clusterRules(options.clusterName, queues.arnOf(options.clusterName))) bus.keep(rule);
  const machines = alsoTold(options.machines, (instanceId) => autoScaling.noticed(instanceId));
  const profileArn = (name: string) => iam.findProfile(name)?.arn;
  const kubernetesVersion = () => eks.controlPlane.version;
  const store = { clock, parameters: new PublicParameters(releases), own: new OwnParameters(ledger) };
  const parameter = (name: string) => lookUp(store, name)?.value;
  const reads = { profileArn, kubernetesVersion, parameter };
  const came = (instanceId: string, state: string): void => publish(events.stateChange(instanceId, state));
  const ec2 = createEc2({ ...options, ...reads, ledger, machines, came, account, releases, faults });
  const faulty = new FaultyInstances({
    clock,
    faults,
    instances: ec2.instances,
    machines,
    warned: (instanceId) => autoScaling.noticed(instanceId),
    publish,
    events,
  });
  faults.workThrough(faulty);
  const autoScaling = new AutoScaling({
    clock,
    random: random.fork('autoscaling'),
    account,
    ec2,
    ledger,
    queues,
    publish,
  });
  const eks = eksOf(options, { account, ec2, iam, autoScaling, releases, ledger, faults });
  const services = lazyServices({
    autoscaling: async () =>
      (await import('./autoscaling/service.ts')).autoScalingService({
        autoScaling,
        ec2,
        queues,
        clock,
        newId: () => activityRandom.uuid(),
      }),
    ec2: async () => (await import('./ec2/service.ts')).ec2Service(ec2),
    eks: async () => (await import('./eks/service.ts')).eksService(eks),
    events: async () => (await import('./events/service.ts')).eventsService(bus),
    iam: async () => (await import('./iam/service.ts')).iamService(iam),
    pricing: async () => (await import('./pricing/service.ts')).pricingService({ region: account.region }),
    servicequotas: async () => (await import('./service-quotas/service.ts')).serviceQuotasService({ account, faults }),
    sqs: async () => (await import('./sqs/service.ts')).sqsService({ queues, account }),
    ssm: async () => (await import('./ssm/service.ts')).ssmService({ ...store, account }),
    sts: async () => (await import('./sts/service.ts')).stsService({ account }),
  });
  const activityRandom = random.fork('activities');
  const endpoint = {
    clock,
    callersClock: options.patience ?? clock,
    random: random.fork('aws-request-ids'),
    faults,
    calls,
    storage: ledger,
    service: services.get,
  };
  const verification = () => ({ accessKey: options.accessKey, now: (options.signersClock ?? clock).now() });
  return {
    handle: awsEndpoint(endpoint),
    handleSigned: awsEndpoint({ ...endpoint, refuse: refuseUnsigned(verification) }),
    load: services.loadAll,
    resume() {
      ec2.instances.resume();
      eks.clusters.resume();
      autoScaling.resume();
      eks.nodeGroups.resume();
      faulty.resume();
    },
    calls: (since) => calls.since(since),
    faults,
    releases,
    storage: ledger,
    ec2,
    autoScaling,
    eks,
    iam,
    queues,
    authenticateToken: (token) => readClusterToken(token, { ...verification(), clusterName: options.clusterName }),
  };
}

/** Auto Scaling notices what ends, whoever ended it. */
const alsoTold = (listener: MachineListener, ended: (instanceId: string) => void): MachineListener => ({
  launched: (machine) => listener.launched(machine),
  stopping: (instanceId) => {
    listener.stopping(instanceId);
    ended(instanceId);
  },
  behaves: (instanceId, behavior) => listener.behaves(instanceId, behavior),
});

type Beside = Pick<NodeGroupsDeps, 'account' | 'ec2' | 'iam' | 'autoScaling' | 'releases' | 'ledger'> & {
  readonly faults: Faults;
};

function eksOf(options: AwsOptions, beside: Beside): Eks {
  const { clock, clusterName, onControlPlaneVersion: onVersion } = options;
  const random = options.random.fork('eks');
  const cluster = () => ({
    name: clusterName,
    endpoint: options.clusterEndpoint(),
    certificateAuthority: options.clusterCertificateAuthority(),
  });
  const { account, faults, ledger } = beside;
  const { network } = beside.ec2;
  const clusters = new Clusters({ clock, random, ledger, hosted: clusterName, onVersion });
  if (clusters.isNew) clusters.keep(hostedCluster(options, { account, network, now: clock.now() }));
  return {
    account,
    network,
    clusterName,
    clusters,
    faults,
    insights: ledger.map('eks/insights'),
    nodeSkew: options.nodeSkew ?? 'strict',
    controlPlane: controlPlaneOf(clusters, options),
    nodeGroups: new NodeGroups({
      ...beside,
      clock,
      random: random.fork('node-groups'),
      cluster,
      access: options.clusterAccess ?? (() => 'granted'),
    }),
    endpoint: options.clusterEndpoint,
    certificateAuthority: options.clusterCertificateAuthority,
  };
}

/** Of a cluster that is gone the last version is told. */
function controlPlaneOf(clusters: Clusters, { clusterName, kubernetesVersion }: AwsOptions): EksControlPlane {
  let last = kubernetesVersion;
  return {
    get version() {
      last = clusters.find(clusterName)?.version ?? last;
      return last;
    },
    get isThere() {
      return clusters.find(clusterName) !== undefined;
    },
  };
}

/** Both spellings are in use. */
const nodeRoles = (clusterName: string): readonly string[] => [
  `karpenterNodeRole-${clusterName}`,
  `KarpenterNodeRole-${clusterName}`,
];
