import {
  karpenterLabels,
  nodeClaims,
  nodes,
  type Instant,
  instant,
  isConditionTrue,
  type KubernetesObject,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import { DescribeUpdateCommand, UpdateClusterVersionCommand } from '@aws-sdk/client-eks';
import { createAwsClients, inProcessRequestHandler } from '@nodewright/provider-aws';
import {
  type Metrics,
  type Random,
  seededRandom,
  startInformer,
  type Ticket,
  type VirtualTime,
  virtualTime,
} from '@nodewright/runtime';
import { type AccessRules, type AwsCall, builtInReleases } from '@nodewright/aws-endpoints';
import type { ObjectWrite } from '@nodewright/kube-api';
import { type ClientWay, createSandbox } from '@nodewright/sandbox';
import { Outages } from './outages.ts';
import { type Fate, mortalOperator, type Served } from './mortal-operator.ts';

export const clusterName = 'sandbox';
const region = 'us-east-1';
export const start = instant(Date.parse('2024-01-28T16:00:00Z'));

export type ForceOptions = {
  readonly seed: number;
  /** Decides about every answer on its way to the operator. */
  readonly fate: (served: Served, random: Random) => Fate;
  readonly log?: (line: string) => void;
  /** Of an operator that lives but once. */
  readonly metrics?: Metrics;
  /** Whether requests are served in an order drawn by chance [as they came]. */
  readonly isShuffled?: boolean;
  /** How everybody reaches the API server [direct]. */
  readonly way?: ClientWay;
  /** Whether the operator reaches AWS over the wire [false: the account answers its calls as objects]. */
  readonly isAwsOnWire?: boolean;
  /** What the operator may do in AWS [everything]. */
  readonly access?: AccessRules;
  /** Told of every write. */
  readonly onWrite?: (write: ObjectWrite) => void;
};

/** A sandbox on virtual time, an operator in it that may die, and an onlooker who remembers the worst that was seen. */
export async function forceWorld({
  seed,
  fate,
  log,
  metrics,
  isShuffled = false,
  way = 'direct',
  isAwsOnWire = false,
  access,
  onWrite,
}: ForceOptions) {
  const random = seededRandom(seed);
  const time = virtualTime(start, isShuffled ? { interleaving: random.fork('order') } : {});
  const { clock, gate } = time;
  const sandbox = await createSandbox({
    clock,
    gate,
    random: random.fork('world'),
    clusterName,
    kubernetesVersion: '1.28',
    region,
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    way,
    ...(access && { access: { of: 'direct', rules: access } }),
    ...(onWrite && { onWrite }),
  });
  await time.finish(sandbox.start());
  const dice = random.fork('fate');
  const outages = new Outages();
  const operator = mortalOperator({
    sandbox,
    clock,
    gate,
    random: random.fork('operator'),
    region,
    clusterName,
    fate: (served) => fate(served, dice),
    outages,
    isAwsOnWire,
    ...(log && { log }),
    ...(metrics && { metrics }),
  });
  const { eks, ec2 } = createAwsClients({ region, requestHandler: inProcessRequestHandler(gate, sandbox.aws.handle) });
  const eksCall = <T>(send: (ticket: Ticket) => Promise<T>): Promise<T> => gate.call(send, 'a call of the onlooker');
  const startUpgrade = async (version: string): Promise<string> => {
    const answer = await eksCall<{ readonly update?: { readonly id?: string | undefined } | undefined }>((ticket) =>
      eks.send(new UpdateClusterVersionCommand({ name: clusterName, version }), { ticket } as object),
    );
    return answer.update?.id ?? '';
  };
  const launches: Launch[] = [];
  let heardOf = 0;
  const collect = (): void => {
    const calls = sandbox.aws.calls(heardOf);
    heardOf = calls.at(-1)?.number ?? heardOf;
    launches.push(...calls.flatMap(launchOf));
  };
  const leaving = watchLeaving(time, { client: sandbox.admin, random: random.fork('onlooker') });
  return {
    time,
    sandbox,
    client: sandbox.admin,
    random,
    operator,
    /** Lets the operator alone be without its servers. */
    outages,
    /** The most nodes of a pool that were leaving at once. */
    mostLeaving: leaving.most,
    /** Every launch that EC2 granted: which claim it was for, and the instance. */
    launches: (): readonly Launch[] => {
      collect();
      return launches;
    },
    running: async (): Promise<readonly string[]> => {
      const claims = (await time.finish(sandbox.admin.list(nodeClaims))).items;
      return claims.map(({ status }) => status?.providerID?.split('/').at(-1) ?? '').toSorted();
    },
    /** Starts the update of the control plane, as `aws eks update-cluster-version` does. */
    startUpgrade,
    upgrade: (version: string): Promise<string> => time.finish(startUpgrade(version)),
    updateStatus: async (updateId: string): Promise<string> => {
      const answer = await eksCall<{ readonly update?: { readonly status?: string | undefined } | undefined }>(
        (ticket) => eks.send(new DescribeUpdateCommand({ name: clusterName, updateId }), { ticket } as object),
      );
      return answer.update?.status ?? '';
    },
    advance: (ms: number): Promise<void> => time.run(instant(clock.now() + ms)),
    /** Drives the world until `holds`, looked at every 15 seconds of its time. */
    until: async (what: string, holds: () => Promise<boolean>, before: Instant): Promise<void> => {
      while (!(await holds())) {
        collect();
        if (clock.now() > before) throw new Error(`did not come true in time: ${what}`);
        await time.run(instant(clock.now() + 15_000));
      }
    },
    apply: <T>(work: Promise<T>): Promise<T> => time.finish(work),
    /** A call of another client to EC2. */
    ec2: <T>(send: (client: typeof ec2, ticket: Ticket) => Promise<T>): Promise<T> =>
      time.finish(gate.call((ticket) => send(ec2, ticket), 'a call of the onlooker')),
    stop: async (): Promise<void> => {
      await time.finish(Promise.all([operator.stop(), leaving.stop()]));
      sandbox.stop();
    },
  };
}

export type ForceWorld = Awaited<ReturnType<typeof forceWorld>>;

export type Launch = { readonly claim: string; readonly instance: string };

type FleetOutput = { readonly Instances?: readonly { readonly InstanceIds?: readonly string[] }[] };
type FleetInput = {
  readonly TagSpecifications?: readonly {
    readonly Tags?: readonly { readonly Key?: string; readonly Value?: string }[];
  }[];
};

function launchOf({ operation, input, outcome }: AwsCall): readonly Launch[] {
  if (operation !== 'CreateFleet' || outcome.kind !== 'answered') return [];
  const tags = (input as FleetInput).TagSpecifications?.[0]?.Tags ?? [];
  const claim = tags.find(({ Key }) => Key === 'karpenter.sh/nodeclaim')?.Value ?? '';
  const instances = ((outcome.output as FleetOutput).Instances ?? []).flatMap(({ InstanceIds = [] }) => InstanceIds);
  return instances.map((instance) => ({ claim, instance }));
}

type Onlooker = { readonly client: Parameters<typeof startInformer>[0]['client']; readonly random: Random };

/** A node is leaving from when its claim or itself is deleted until its instance is told to end: then its budget is free again. */
function watchLeaving({ clock }: VirtualTime, { client, random }: Onlooker) {
  const most = new Map<string, number>();
  const claims = startInformer<NodeClaim>({ type: nodeClaims, client, clock, random: random.fork('claims') });
  const seen = startInformer<Node>({ type: nodes, client, clock, random: random.fork('nodes') });
  const look = (): void => {
    const byProvider = new Map(claims.store.list().map((claim) => [claim.status?.providerID, claim]));
    const leaving = seen.store.list().filter((node) => {
      const claim = byProvider.get(node.spec?.providerID);
      const isEnding = claim === undefined || isConditionTrue(claim, 'InstanceTerminating');
      return !isEnding && (isLeaving(node) || isLeaving(claim));
    });
    for (const [pool, count] of countBy(leaving, poolOf)) most.set(pool, Math.max(count, most.get(pool) ?? 0));
  };
  claims.onChange((before, after) => {
    if (claimFacts(before) !== claimFacts(after)) look();
  });
  seen.onChange((before, after) => {
    if (nodeFacts(before) !== nodeFacts(after)) look();
  });
  return {
    most: (pool: string): number => most.get(pool) ?? 0,
    stop: async (): Promise<void> => void (await Promise.all([claims.stop(), seen.stop()])),
  };
}

/** What `look` reads of a claim, as one text. */
const claimFacts = (claim: NodeClaim | undefined): string | undefined =>
  claim && `${isLeaving(claim)} ${claim.status?.providerID ?? ''} ${isConditionTrue(claim, 'InstanceTerminating')}`;

/** What `look` reads of a node, as one text. */
const nodeFacts = (node: Node | undefined): string | undefined =>
  node && `${isLeaving(node)} ${node.spec?.providerID ?? ''} ${poolOf(node)}`;

const isLeaving = (object: KubernetesObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

const poolOf = ({ metadata }: KubernetesObject): string => metadata.labels?.[karpenterLabels.nodePool] ?? '';

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
