import {
  type Clock,
  type HttpRequest,
  type Random,
  type RequestHandler,
  forgetfulLedger,
  type Ledger,
  type Storage,
} from '@nodewright/runtime';
import type { MachineListener } from './machine.ts';
import type { ReleaseHistory } from './releases/history.ts';
import { ReleaseStore } from './releases/release-store.ts';
import { type AwsAccount, iamArnOf } from './account.ts';
import { type AccountNews, LedgerNews } from './account-news.ts';
import { authorizeWays, type CallerAccess } from './caller-access.ts';
import { AutoScaling } from './autoscaling/auto-scaling.ts';
import { CallLog, type AwsCall } from './calls.ts';
import type { CatalogueName, InstanceMarket } from './catalogue/market.ts';
import type { ForeignImage } from './ec2/images.ts';
import { createEc2, type Ec2 } from './ec2/model.ts';
import type { ClusterAddon } from './eks/addons/cluster-addon.ts';
import type { EksClusterAccess } from './eks/cluster-access.ts';
import { type ClusterHost, type ClusterPlace, noClusterHost } from './eks/clusters/cluster-host.ts';
import { createEks } from './eks/create-eks.ts';
import type { Eks } from './eks/model.ts';
import type { NodeSkew } from './eks/node-skew.ts';
import { clusterRules } from './events/cluster-rules.ts';
import type { AwsEvent } from './events/event.ts';
import { EventBus } from './events/event-bus.ts';
import { instanceEvents } from './events/instance-events.ts';
import { directCalls, type AnswerDirectly } from './direct-calls.ts';
import { awsEndpoint } from './endpoint.ts';
import { Faults } from './faults/faults.ts';
import { FaultyInstances } from './faulty-instances.ts';
import { Experiments } from './fis/experiments.ts';
import { controllerRole, controllerRoleName } from './iam/controller-role.ts';
import { Iam } from './iam/model.ts';
import { InstanceNotices } from './instance-notices.ts';
import { Throttle, type ThrottleOption } from './limits/throttle.ts';
import { createFurtherModels } from './further-models.ts';
import { FurtherPlaces } from './further-places.ts';
import { createServices } from './service-loaders.ts';
import type { AnswerListener } from './serve-call.ts';
import type { ServiceName } from './service.ts';
import { Queues } from './sqs/queues.ts';
import { findParameter } from './ssm/look-up.ts';
import { OwnParameters } from './ssm/own-parameters.ts';
import { ParameterTags } from './ssm/parameter-tags.ts';
import { PublicParameters } from './ssm/parameters.ts';
import type { AccessKey } from './signature/access-key.ts';
import { refuseUnsigned } from './signature/refuse-unsigned.ts';
import { listServedCalls, type ServedCalls } from './served-operations.ts';
import { findAccessUser } from './sts/access-users.ts';
import type { AwsAuthMap } from './sts/mapped-users.ts';
import { Sessions } from './sts/sessions.ts';
import { readClusterToken, type TokenUser } from './sts/token.ts';
import type { ReadWebIdentity } from './sts/web-identity.ts';

export type AwsOptions = {
  readonly clock: Clock;
  readonly random: Random;
  /** The clock by which callers outside this process wait for an answer [`clock`]. */
  readonly callersClock?: Clock;
  /** The key of the account's administrator; without one no signature is valid. */
  readonly accessKey?: AccessKey;
  /** The clock by which clients outside this process sign requests [`clock`]. */
  readonly signersClock?: Pick<Clock, 'now'>;
  /** Reads the tokens that the API server of the cluster signs [no token is read]. */
  readonly readWebIdentity?: ReadWebIdentity;
  /** Reads the ConfigMap that maps roles to users of the cluster [there is none]. */
  readonly readAwsAuth?: () => AwsAuthMap | undefined;
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
  /** Is called for every instance that boots or ends. */
  readonly machines: MachineListener;
  /** Is called with the minor version when an update of the control plane ends. */
  readonly onControlPlaneVersion: (minor: string) => void;
  /** EKS calls it when it begins to install, change or remove an add-on [no listener]. */
  readonly onAddon?: (addon: ClusterAddon) => void;
  /** Runs the clusters that users create beside the first one [they have settings only]. */
  readonly clusterHost?: ClusterHost;
  /** Returns the URL of the Kubernetes API, `https://127.0.0.1:6443`. Is called when a client asks for it. */
  readonly clusterEndpoint: () => string;
  /** Returns the CA certificate of the API server in PEM. Is called when a client asks for it. */
  readonly clusterCertificateAuthority: () => string;
  /** Returns whether EKS has access to the cluster. Is called when a client asks for it [granted]. */
  readonly clusterAccess?: () => EksClusterAccess;
  /** How EC2 limits the rate of calls [none]. */
  readonly throttle?: ThrottleOption;
  /** Which instance types EC2 lists, and how their prices behave [small]. */
  readonly catalogue?: CatalogueName;
  /** What is sold where, in place of a catalogue. */
  readonly market?: InstanceMarket;
  /** What the callers of one way may do [everything]. */
  readonly access?: CallerAccess;
  /** Called with every answer; tests check answers with it [not called]. */
  readonly onAnswer?: AnswerListener;
  /** Keeps the account over a restart. Without a ledger the account is new. */
  readonly ledger?: Ledger;
};

/** The AWS account of the sandbox: its endpoints, and the models behind them. */
export type Aws = {
  /** Serves all services. Credential scope, target header and path tell the service. It does not verify signatures. */
  readonly handle: RequestHandler;
  /** Answers calls of this process, as objects. */
  readonly answer: AnswerDirectly;
  /** Serves only requests that are signed with the access key, for callers outside this process. */
  readonly handleSigned: RequestHandler;
  /** Loads what the services need from disk, so that serving a call never leaves the promise queue. */
  load(): Promise<void>;
  /** Lists the operations that are served, by the names of their services in signatures. */
  listOperations(): Promise<ServedCalls>;
  /** Continues after a restart: instances, updates and groups that were in progress. */
  resume(): void;
  /** Returns the calls after the one with the number, in order. */
  calls(since?: number): readonly AwsCall[];
  readonly faults: Faults;
  readonly releases: ReleaseStore;
  /** Where changes are kept. */
  readonly storage: Storage;
  /** When the account gives other answers. */
  readonly news: AccountNews;
  readonly ec2: Ec2;
  readonly autoScaling: AutoScaling;
  readonly eks: Eks;
  readonly iam: Iam;
  readonly queues: Queues;
  /** Returns the EKS of any region of any account. */
  eksAt(account: AwsAccount): Eks;
  /**
   * Returns the user of a token of `aws eks get-token`, or `undefined` when the access key did not sign the token.
   * @param cluster the one that was asked [the first one]
   */
  authenticateToken(token: string, cluster?: TokenCluster): TokenUser | undefined;
};

/** A cluster that reads a token, and its ConfigMap that maps roles to users. */
type TokenCluster = ClusterPlace & { readonly readAwsAuth: () => AwsAuthMap | undefined };

/** Creates the models from the ones that know nothing of others to the ones that use them, then the endpoints on top. */
export function createAws(options: AwsOptions): Aws {
  const { clock, random, clusterName } = options;
  const told = new LedgerNews(options.ledger ?? forgetfulLedger());
  const { ledger } = told;
  const account: AwsAccount = { id: options.accountId ?? '111122223333', region: options.region };
  const releases = new ReleaseStore(options.releases, ledger);
  const faults = new Faults(ledger);
  const calls = new CallLog(ledger);
  const iam = new Iam({ clock, account, ledger, random: random.fork('iam'), accessKey: options.accessKey }, [
    ...nodeRoles(clusterName).map((name) => ({ name })),
    controllerRole(account, clusterName),
  ]);
  const { queues, bus } = createMessaging({ clock, random, clusterName, account, ledger });
  const publish = (event: AwsEvent): void => void bus.publish(event);
  const events = instanceEvents(account);
  const { clusterHost: host = noClusterHost, clusterCertificateAuthority: certificateAuthority } = options;
  const store = {
    clock,
    parameters: new PublicParameters(releases),
    own: new OwnParameters(ledger),
    tags: new ParameterTags(ledger),
  };
  const notices = new InstanceNotices();
  const machines = notifyOfEnds(host.machinesAt(account, options.machines), notices);
  const ec2 = createEc2({
    ...options,
    profileArn: (name) => iam.findProfile(name)?.arn,
    kubernetesVersion: () => eks.controlPlane.version,
    parameter: (name) => findParameter(store, name)?.parameter.value,
    ledger,
    machines,
    came: (instanceId, state) => publish(events.stateChange(instanceId, state)),
    account,
    releases,
    faults,
    imagesOfOthers: () => listForeignImages(account),
    inRegion: (region) => places.modelsAt({ ...account, region }).ec2,
  });
  const faulty = new FaultyInstances({ clock, faults, instances: ec2.instances, machines, notices, publish, events });
  faults.workThrough(faulty);
  const scalingRandom = random.fork('autoscaling');
  const autoScaling = new AutoScaling({ clock, random: scalingRandom, account, ec2, ledger, queues, publish });
  notices.subscribe((instanceId) => autoScaling.noticed(instanceId));
  const eks: Eks = createEks({
    account,
    clock,
    random: random.fork('eks'),
    ledger,
    ec2,
    iam,
    autoScaling,
    releases,
    faults,
    first: {
      ...options,
      endpoint: options.clusterEndpoint,
      access: options.clusterAccess ?? (() => 'granted'),
      onVersion: options.onControlPlaneVersion,
    },
    host,
    certificateAuthority,
    nodeSkew: options.nodeSkew ?? 'strict',
    onAddon: options.onAddon,
  });
  const fis = new Experiments({ clock, random: random.fork('fis'), ledger, ec2, faults });
  const { signersClock = clock, readWebIdentity = () => undefined, readAwsAuth = () => undefined } = options;
  const sessions = new Sessions({
    ledger,
    random: random.fork('sts'),
    clock: signersClock,
    accessKey: options.accessKey,
  });
  const listForeignImages = (at: AwsAccount): readonly ForeignImage[] => [
    ...places.listImagesOfOthers(at),
    ...(at.id === account.id || at.region !== account.region
      ? []
      : ec2.images.own.all().map((image) => ({ ownerId: account.id, image }))),
  ];
  const findUserKey = (id: string) => places.findUserKey(id);
  const places: FurtherPlaces = new FurtherPlaces({
    home: { account, iam },
    accessKey: options.accessKey,
    sessions,
    ledger,
    createIam: (of, kept, firstRoles) =>
      new Iam(
        { clock, account: of, ledger: kept, random: random.fork(`iam ${of.id}`), accessKey: options.accessKey },
        firstRoles,
      ),
    authorizeIn: (models) =>
      authorizeWays(options.access, { models, sessions, findUserKey, ...namesOfCallers(options, account) }).signed,
    create: (at) =>
      createFurtherModels({
        ...options,
        ...at,
        imagesOfOthers: () => listForeignImages(at.account),
        inRegion: (region) => ec2At({ ...at.account, region }),
        releases,
        faults,
        sessions,
        findUserKey,
        readWebIdentity,
        findRole: (arn) => places.findRole(arn),
        kubernetesVersion: () => eks.controlPlane.version,
        host,
        certificateAuthority,
      }),
  });
  const services = createServices({
    account,
    clock,
    activityRandom: random.fork('activities'),
    iam,
    findRole: (arn) => places.findRole(arn),
    sessions,
    findUserKey,
    readWebIdentity,
    ec2,
    autoScaling,
    queues,
    bus,
    fis,
    eks,
    store,
    faults,
  });
  const endpoint = {
    clock,
    callersClock: options.callersClock ?? clock,
    random: random.fork('aws-request-ids'),
    faults,
    throttle: new Throttle(clock, options.throttle),
    calls,
    storage: ledger,
    onAnswer: options.onAnswer,
    service: services.get,
    findPlace: (name: ServiceName, request: HttpRequest) => places.find(name, request),
  };
  const models = { account, ec2, iam, eks, autoScaling };
  const { direct, signed } = authorizeWays(options.access, {
    models,
    sessions,
    findUserKey,
    ...namesOfCallers(options, account),
  });
  const verification = () => ({
    accessKey: options.accessKey,
    findTemporaryKey: (id: string) => sessions.find(id),
    findUserKey,
    now: signersClock.now(),
  });
  const isHome = (at: AwsAccount): boolean => at.id === account.id && at.region === account.region;
  const ec2At = (at: AwsAccount): Ec2 => (isHome(at) ? ec2 : places.modelsAt(at).ec2);
  const eksAt = (at: AwsAccount): Eks => (isHome(at) ? eks : places.modelsAt(at).eks);
  return {
    handle: awsEndpoint(endpoint),
    answer: directCalls({ ...endpoint, authorize: direct }),
    handleSigned: awsEndpoint({
      ...endpoint,
      refuse: refuseUnsigned(verification),
      ...(signed && { authorize: signed }),
    }),
    load: async () => void (await services.loadAll()),
    listOperations: async () => listServedCalls(await services.loadAll()),
    resume() {
      eks.clusters.reopen();
      ec2.instances.resume();
      eks.clusters.resume();
      autoScaling.resume();
      for (const { name } of eks.clusters.all()) eks.groupsOf(name).resume();
      faulty.resume();
      fis.resume();
      places.resume();
    },
    calls: (since) => calls.since(since),
    faults,
    releases,
    storage: ledger,
    news: told.of({ releases, faults, reservations: () => ec2.reservations.all() }),
    ec2,
    autoScaling,
    eks,
    iam,
    queues,
    eksAt,
    authenticateToken: (token, cluster = { account, name: clusterName, readAwsAuth }) =>
      readClusterToken(token, {
        ...verification(),
        clusterName: cluster.name,
        userOfKey: (id) =>
          findAccessUser(
            { ...eksAt(cluster.account), clusterName: cluster.name, readAwsAuth: cluster.readAwsAuth },
            sessions.find(id) ?? findUserKey(id),
          ),
      }),
  };
}

/** Whom a refusal names: the administrator whose keys sign, or the role of the controller. */
function namesOfCallers({ clusterName }: AwsOptions, account: AwsAccount) {
  const role = controllerRoleName(clusterName);
  return {
    controllerRole: role,
    principals: {
      signed: iamArnOf(account, 'user/sandbox-admin'),
      direct: iamArnOf(account, `assumed-role/${role}/nodewright`).replace(':iam:', ':sts:'),
    },
  };
}

type MessagingDeps = Pick<AwsOptions, 'clock' | 'random' | 'clusterName'> & {
  readonly account: AwsAccount;
  readonly ledger: Ledger;
};

/** The queues and the event bus. A new account has the interruption queue of its cluster and the rules that fill it. */
function createMessaging({ clusterName, random, ...deps }: MessagingDeps): { queues: Queues; bus: EventBus } {
  const queues = new Queues({ ...deps, random: random.fork('sqs') });
  if (queues.isNew) queues.create(clusterName, { MessageRetentionPeriod: '300' });
  const bus = new EventBus({ ...deps, queues, random: random.fork('events') });
  if (bus.isNew) for (const rule of clusterRules(clusterName, queues.arnOf(clusterName))) bus.keep(rule);
  return { queues, bus };
}

/** Returns a listener that passes everything on, and announces every instance that stops or ends. */
const notifyOfEnds = (listener: MachineListener, notices: InstanceNotices): MachineListener => ({
  launched: (machine) => listener.launched(machine),
  stopping: (instanceId) => {
    listener.stopping(instanceId);
    notices.announce(instanceId);
  },
  behaves: (instanceId, imposed) => listener.behaves(instanceId, imposed),
});

/** The names of the node role in guides of Karpenter, which use both spellings. */
const nodeRoles = (clusterName: string): readonly string[] => [
  `karpenterNodeRole-${clusterName}`,
  `KarpenterNodeRole-${clusterName}`,
];
