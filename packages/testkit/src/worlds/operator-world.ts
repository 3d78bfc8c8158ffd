import {
  type AmiSelectorTerm,
  ec2NodeClasses,
  events,
  fromTimestamp,
  instant,
  type Instant,
  karpenterCustomResources,
  nodeClaims,
  nodePools,
  nodes,
  nodewrightCustomResources,
  pods,
  type EC2NodeClass,
  type NodePool,
  type Pod,
  days,
} from '@nodewright/apis';
import {
  createLogger,
  createMetrics,
  inProcessTransport,
  kubernetesClient,
  seededRandom,
  severableTransport,
  startInformer,
  virtualTime,
  type KubernetesClient,
  type Transport,
  type VirtualTime,
} from '@nodewright/runtime';
import type { FoundImage } from '@nodewright/ports';
import { createApiServer, createDirectClient, type DirectLink, type ObjectWrite, openLink } from '@nodewright/kube-api';
import type { ClientWay } from '@nodewright/sandbox';
import { startScheduler } from '@nodewright/cluster-sim';
import type { InstanceType } from '@nodewright/engine';
import { anInstanceType } from '../an-instance-type.ts';
import { fakeCloud, type FakeCloud } from '../cloud/fake-cloud.ts';
import type { FakeParameters } from '../cloud/fake-parameters.ts';
import { FakeInterruptions } from '../cloud/fake-interruptions.ts';
import { defaultOperatorSettings, startOperator, type Operator, type OperatorSettings } from '@nodewright/operator';
import { clientWithinRights } from './client-within-rights.ts';
import { FakeWeb } from './fake-web.ts';
import { fakeMachines } from './fake-machines.ts';
import { severableLink, tapAnswers } from './severable-link.ts';

export const worldStart = fromTimestamp('2024-01-28T16:00:00Z');
const zones = ['us-east-1a', 'us-east-1b'] as const;

const small = anInstanceType('m5.large', {
  cpu: 2,
  offerings: zones.map((zone) => [zone, 'on-demand', 96_000] as const),
});
const big = anInstanceType('m5.xlarge', {
  cpu: 4,
  offerings: zones.map((zone) => [zone, 'on-demand', 192_000] as const),
});

export type LogLine = {
  readonly time: string;
  readonly logger: string;
  readonly message: string;
  readonly [field: string]: unknown;
};

/** How long an operator has, and how it ends. */
type Life = { writesLeft: number; endsAtLaunch: boolean; over: boolean; end: () => void };

export type WorldOptions = {
  readonly instanceTypes?: readonly InstanceType[];
  readonly seed?: string;
  /** What every lookup of images finds; without it, one image named after the alias of the first term and the version. */
  readonly images?: readonly FoundImage[] | (() => readonly FoundImage[]);
  readonly settings?: Partial<OperatorSettings>;
  /** Whether there is a queue of interruption messages [there is none]. */
  readonly withQueue?: boolean;
  /** Parameters and time that other clusters share. */
  readonly shared?: { readonly time: VirtualTime; readonly parameters: FakeParameters };
  /** How everybody reaches the API server [direct]. */
  readonly way?: ClientWay;
  /** Told of every write. */
  readonly onWrite?: (write: ObjectWrite, at: Instant) => void;
};

const firstAlias = ([first]: readonly AmiSelectorTerm[]): string =>
  first?.alias?.replace('@latest', '').replace('@', '-') ?? 'own';

/** A cluster on virtual time: the sandbox's API server and scheduler, machines and a cloud in memory, and the operator. */
export function aWorld({
  seed = 'world',
  images,
  instanceTypes = [small, big],
  settings = {},
  withQueue = false,
  way = 'direct',
  onWrite,
  shared,
}: WorldOptions = {}) {
  const time = shared?.time ?? virtualTime(worldStart);
  const { clock, gate } = time;
  const random = seededRandom(seed);
  const server = createApiServer({
    clock,
    random: random.fork('api'),
    version: '1.28',
    customResources: [...karpenterCustomResources, ...nodewrightCustomResources],
    ...(onWrite && { onWrite: (write) => onWrite(write, clock.now()) }),
  });
  const admin = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const clientFor = (userAgent: string): KubernetesClient =>
    way === 'direct'
      ? createDirectClient(server, { gate, name: userAgent, user })
      : kubernetesClient({ transport: inProcessTransport(gate, server.handle, { peer: admin }), gate, userAgent });
  const client = clientFor('test');
  const machines = fakeMachines({ clock, random: random.fork('machines'), client: clientFor('kubelet') });
  const web = new FakeWeb();
  const queue = new FakeInterruptions(clock);
  const cloud: FakeCloud = fakeCloud({
    ...(withQueue && { interruptions: queue }),
    ...(shared && { parameters: shared.parameters }),
    now: () => clock.now(),
    instanceTypes,
    images: ({ terms, kubernetesVersion }) =>
      (typeof images === 'function' ? images() : images) ?? [
        {
          id: `ami-${firstAlias(terms)}-${kubernetesVersion}`,
          name: `${firstAlias(terms)}-${kubernetesVersion}`,
          arch: 'amd64',
          createdAt: instant(worldStart - days(1)),
          term: 0,
        },
      ],
  });
  cloud.fleet.onLaunch(machines.launched);
  const scheduler = startScheduler({ clock, random: random.fork('scheduler'), client: clientFor('scheduler') });
  const log: LogLine[] = [];
  let operator: Operator | undefined;
  let generation = 0;
  let metrics = createMetrics();
  let life: Life = { writesLeft: Infinity, endsAtLaunch: false, over: false, end: () => undefined };
  cloud.fleet.onLaunch(() => {
    if (life.endsAtLaunch) life.end();
  });
  const begin = (sever: () => void): void => {
    const mine: Life = { writesLeft: Infinity, endsAtLaunch: false, over: false, end: () => undefined };
    mine.end = () => {
      mine.over = true;
      sever();
    };
    life = mine;
  };
  const countWrite = (method: string): void => {
    if (method !== 'GET') life.writesLeft -= 1;
    if (life.writesLeft === 0) life.end();
  };
  /** The answer to the last write is lost with the process, though what it wrote stays. */
  const operatorTransport = (): Transport => {
    const base = inProcessTransport(gate, server.handle, { peer: admin });
    const transport = severableTransport({
      send: async (request, options) => {
        const response = await base.send(request, options);
        countWrite(request.method);
        return response;
      },
    });
    begin(() => transport.sever());
    return transport;
  };
  const operatorLink = (): DirectLink => {
    const link = severableLink(tapAnswers(openLink, ({ method }) => countWrite(method)));
    begin(() => link.sever());
    return link;
  };
  const operatorClient = (): KubernetesClient =>
    way === 'direct'
      ? createDirectClient(server, { gate, name: 'operator', user, link: operatorLink() })
      : kubernetesClient({ transport: operatorTransport(), gate, userAgent: 'operator' });
  const startAnOperator = (): void => {
    generation += 1;
    metrics = createMetrics();
    operator = startOperator({
      clock,
      random: random.fork(`operator-${generation}`),
      client: clientWithinRights(operatorClient()),
      cloud,
      web,
      log: createLogger({ clock, sink: { write: (line) => void log.push(JSON.parse(line) as LogLine) } }),
      metrics,
      settings: { ...defaultOperatorSettings, clusterName: 'testing', ...settings },
    });
  };
  const restart = async (): Promise<void> => {
    const stopping = operator?.stop();
    if (stopping !== undefined) await time.finish(stopping);
    startAnOperator();
  };
  startAnOperator();
  return {
    time,
    client,
    cloud,
    web,
    queue,
    machines,
    log,
    /** The lines of one metric of the operator that runs now. */
    metric: async (name: string): Promise<readonly string[]> =>
      (await time.finish(metrics.text()))
        .split('\n')
        .filter((line) => line.startsWith(name))
        .toSorted(),
    events: async (reason: string) =>
      (await time.finish(client.list(events))).items.filter((event) => event.reason === reason),
    messages: () => log.map(({ message }) => message),
    advance: (ms: number) => time.run(instant(clock.now() + ms)),
    /** Lets the operator die right after its write of that number from now, or between a launch and its record; then another one starts. */
    crash: async (moment: { readonly afterWrite: number } | 'atLaunch'): Promise<boolean> => {
      const ending = life;
      ending.endsAtLaunch = moment === 'atLaunch';
      if (moment !== 'atLaunch') ending.writesLeft = moment.afterWrite;
      const crashed = await time.runUntil(() => ending.over, { before: instant(clock.now() + 600_000) });
      await restart();
      return crashed;
    },
    stop: async () => {
      scheduler.stop();
      await time.finish(Promise.all([operator?.stop(), machines.stop()]));
    },
    apply: <T>(work: Promise<T>): Promise<T> => time.finish(work),
    claims: async () => (await time.finish(client.list(nodeClaims))).items,
    nodes: async () => (await time.finish(client.list(nodes))).items,
    pods: async () => (await time.finish(client.list(pods, { namespace: 'default' }))).items,
    nodePool: async () => time.finish(client.get(nodePools, { name: 'default' })),
    nodeClass: async () => time.finish(client.get(ec2NodeClasses, { name: 'default' })),
    /** Keeps `count` pods of an app alive, as a ReplicaSet would. */
    keepPods: (count: number, traits: Partial<Pod['spec']> = {}) => keepPods({ clock, random, client }, count, traits),
  };
}

export type World = ReturnType<typeof aWorld>;

/** A class, a pool, and two pods that got a node. */
export async function aRunningCluster(world: World, pool = aPool()): Promise<void> {
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, pool));
  world.keepPods(2, { nodeSelector: { team: 'my-team' } });
  await world.advance(180_000);
}

export const aNodeClass = (name = 'default', alias = 'al2@latest'): EC2NodeClass => ({
  metadata: { name },
  spec: {
    amiFamily: 'AL2',
    role: 'node-role',
    amiSelectorTerms: [{ alias }],
    subnetSelectorTerms: [{ tags: { team: 'x' } }],
    securityGroupSelectorTerms: [{ tags: { team: 'x' } }],
  },
});

export const aPool = (
  template: Partial<NodePool['spec']['template']['spec']> = {},
  more: Partial<NodePool['spec']> = {},
): NodePool => ({
  metadata: { name: 'default' },
  spec: {
    template: {
      metadata: { labels: { team: 'my-team' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
        ...template,
      },
    },
    limits: { cpu: '1000' },
    ...more,
  },
});

type PodKeeper = Pick<Parameters<typeof startInformer<Pod>>[0], 'clock' | 'random' | 'client'>;

function keepPods({ clock, random, client }: PodKeeper, count: number, traits: Partial<Pod['spec']>): void {
  let made = 0;
  const make = async (): Promise<void> => {
    made += 1;
    await client.create<Pod>(pods, {
      metadata: {
        name: `inflate-${made}`,
        namespace: 'default',
        labels: { app: 'inflate' },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'inflate', uid: 'uid-rs', controller: true },
        ],
      },
      spec: {
        ...traits,
        containers: [{ name: 'inflate', image: 'pause', resources: { requests: { cpu: '700m', memory: '128Mi' } } }],
      },
    });
  };
  const informer = startInformer<Pod>({
    client,
    clock,
    random: random.fork('replicas'),
    type: pods,
    labelSelector: 'app=inflate',
  });
  informer.onChange((before, after) => {
    const isLost =
      before?.metadata.deletionTimestamp === undefined &&
      (after === undefined || after.metadata.deletionTimestamp !== undefined);
    if (before !== undefined && isLost) void make().catch(() => undefined);
  });
  for (let index = 0; index < count; index += 1) void make();
}
