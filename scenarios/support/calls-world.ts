import {
  deployments,
  ec2NodeClasses,
  instant,
  nodeClaims,
  nodePools,
  nodes,
  fromTimestamp,
  type NodePool,
  byTextOf,
} from '@nodewright/apis';
import { builtInReleases, type ThrottleOption } from '@nodewright/aws-endpoints';
import { defaultOperatorSettings, startOperator } from '@nodewright/operator';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { createMetrics, type EventRecorder, seededRandom, silentLogger, virtualTime } from '@nodewright/runtime';
import type { ObjectWrite } from '@nodewright/kube-api';
import { createSandbox } from '@nodewright/sandbox';
import { minorVersion } from '../../packages/cli/src/controller/minor-version.ts';
import { clusterName, deploymentOf, nodeClassWith, nodePoolOf } from './image-world.ts';

const region = 'us-east-1';

/** How often each operation of AWS was called. */
export type CallCounts = Readonly<Record<string, number>>;

type CallsTraits = {
  /** [that of the cluster]; none if it is empty. */
  readonly interruptionQueue?: string;
  /** `AMI_REFRESH_INTERVAL`. */
  readonly imagesFreshMs?: number;
  /** How EC2 limits the rate of calls [none]. */
  readonly throttle?: ThrottleOption;
  /** Whether the account tells the operator when it changes, as inside one process [false: polls find out]. */
  readonly isTold?: boolean;
  readonly onWrite?: (write: ObjectWrite) => void;
  /** Where the operator's events go [the API server]. */
  readonly events?: EventRecorder;
};

/** The embedded EKS on virtual time with the operator in it, as a process of its own would run: every call to AWS is counted. */
export async function callsWorld({
  interruptionQueue = clusterName,
  imagesFreshMs,
  throttle = 'none',
  isTold = false,
  onWrite,
  events,
}: CallsTraits = {}) {
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const { clock, gate } = time;
  const random = seededRandom(1);
  const sandbox = await createSandbox({
    way: 'direct',
    clock,
    gate,
    random: random.fork('world'),
    clusterName,
    kubernetesVersion: '1.28',
    region,
    zones: ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
    releases: builtInReleases(),
    throttle,
    ...(onWrite && { onWrite }),
  });
  await time.finish(sandbox.start());
  let counts: Record<string, number> = {};
  const clients = createInProcessClients({
    gate,
    answer: (call, caller) => {
      counts[call.operation] = (counts[call.operation] ?? 0) + 1;
      return sandbox.aws.answer(call, caller);
    },
  });
  const byHand = createInProcessClients({ gate, answer: sandbox.aws.answer });
  const client = sandbox.clientAs({ commonName: 'karpenter', userAgent: 'karpenter' });
  const operator = startOperator({
    clock,
    random: random.fork('operator'),
    client,
    cloud: createAwsCloud({
      clock,
      gate,
      random: random.fork('cloud'),
      clusterName,
      region,
      clients,
      interruptionQueue,
      ...(isTold && { news: sandbox.aws.news }),
      ...(imagesFreshMs === undefined ? {} : { imagesFreshMs }),
      kubernetesVersion: () => minorVersion(client),
    }),
    log: silentLogger,
    metrics: createMetrics(),
    ...(events && { events }),
    settings: defaultOperatorSettings,
  });
  await time.finish(operator.ready);
  const { admin } = sandbox;
  return {
    time,
    sandbox,
    admin,
    /** A NodeClass, a NodePool, and as many nodes with a pod each. */
    async fill(size: number, pool: NodePool = nodePoolOf()): Promise<void> {
      await time.finish(admin.create(ec2NodeClasses, nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] })));
      await time.finish(admin.create(nodePools, pool));
      await time.finish(admin.create(deployments, deploymentOf(size)));
    },
    /** Asks AWS as people with its command line would; not counted. */
    byHand: <T>(send: (sdk: typeof byHand, options: object) => Promise<T>): Promise<T> =>
      time.finish(gate.call((ticket) => send(byHand, { ticket }), 'a call by hand')),
    nodeClass: () => time.finish(admin.get(ec2NodeClasses, { name: 'default' })),
    claims: async () => (await time.finish(admin.list(nodeClaims))).items,
    /** How many nodes of the pool may be replaced at once: `10%`, `5`. */
    setBudget: (nodes: string) =>
      time.finish(
        admin.patch(
          nodePools,
          { name: 'default' },
          { type: 'merge', patch: { spec: { disruption: { budgets: [{ nodes }] } } } },
        ),
      ),
    scale: (replicas: number) =>
      time.finish(
        admin.patch(
          deployments,
          { name: 'inflate', namespace: 'default' },
          { type: 'merge', patch: { spec: { replicas } } },
        ),
      ),
    nodes: async () => (await time.finish(admin.list(nodes))).items,
    pass: (ms: number) => time.run(instant(clock.now() + ms)),
    /** Calls that EC2 refused for their rate, by operation. */
    throttled: (): CallCounts => {
      const refused: Record<string, number> = {};
      for (const { operation, outcome } of sandbox.aws.calls())
        if (outcome.kind === 'refused' && outcome.code === 'RequestLimitExceeded')
          refused[operation] = (refused[operation] ?? 0) + 1;
      return refused;
    },
    /** What was called since this was asked last. */
    counts: (): CallCounts => {
      const seen = counts;
      counts = {};
      return Object.fromEntries(Object.entries(seen).toSorted(byTextOf(([name]) => name)));
    },
    end: async (): Promise<void> => {
      await time.finish(operator.stop());
      sandbox.stop();
    },
  };
}
