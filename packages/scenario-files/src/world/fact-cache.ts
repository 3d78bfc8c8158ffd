import {
  conditionOf,
  type Event,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  type KubernetesObject,
  labelSelectorPredicate,
  millisOf,
  type Node,
  type NodeClaim,
  type NodeGroup,
  type NodePool,
  type NodeRollout,
  type NodeRolloutPolicy,
  type Pod,
  type Service,
} from '@nodewright/apis';
import type { FactSource } from '../expressions/compile-expression.ts';
import { createFact, createTextMap, durationBetween } from '../expressions/facts.ts';
import type { FactList, FactName } from '../expressions/fact-tables.ts';
import { instanceIdIn, type RecordedInstance, type InstanceRecords } from './launched-instances.ts';
import { type CollectionName, collectionNames as collections, type ObservedCluster } from './observed-cluster.ts';

/** A pod that was evicted. */
export type SeenEviction = {
  readonly pod: string;
  readonly namespace: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly at: Instant;
};

/** What facts are made from. */
export type FactWorld = {
  readonly cluster: ObservedCluster;
  readonly instances: InstanceRecords;
  readonly evictions: readonly SeenEviction[];
  readonly now: () => Instant;
};

/** The collections whose writes change a list. */
const sources: Readonly<Record<FactName, readonly CollectionName[]>> = {
  nodes: [collections.nodes, collections.claims, collections.pods],
  pods: [collections.pods],
  claims: [collections.claims],
  pools: [collections.pools, collections.nodes],
  services: [collections.services, collections.pods],
  rollouts: [collections.rollouts],
  groups: [collections.groups],
  messages: [collections.rollouts, collections.policies],
  events: [collections.events],
  evictions: [collections.pods],
  instances: [collections.claims, collections.nodes],
  price: [collections.nodes],
  now: [],
};

/** The lists and values of expressions, made again only after a write that concerns them. */
export class FactCache {
  readonly #world: FactWorld;
  readonly #made = new Map<FactName, { readonly version: number; readonly value: unknown }>();

  constructor(world: FactWorld) {
    this.#world = world;
  }

  readonly read: FactSource = (name) => {
    if (name === 'now') return new Date(this.#world.now());
    const version = this.versionOf(name);
    const made = this.#made.get(name);
    if (made?.version === version) return made.value;
    const value = name === 'price' ? sumOfPrices(this.#world) : makers[name](this.#world);
    this.#made.set(name, { version, value });
    return value;
  };

  /** Grows when the value may have changed. */
  versionOf(name: FactName): number {
    return sources[name].reduce((sum, collection) => sum + this.#world.cluster.versionOf(collection), 0);
  }
}

const sumOfPrices = (world: FactWorld): number =>
  world.cluster.list<Node>(collections.nodes).reduce((sum, node) => sum + (instanceOf(world, node)?.price ?? 0), 0);

const instanceOf = ({ instances }: FactWorld, { spec }: Node): RecordedInstance | undefined =>
  instances.find(instanceIdIn(spec?.providerID));

type FactMaker = (world: FactWorld) => readonly object[];

const makers: Readonly<Record<FactList, FactMaker>> = {
  nodes: (world) => {
    const counts = podsByNode(world);
    return world.cluster.list<Node>(collections.nodes).map((node) => nodeFact(node, world, counts));
  },
  pods: (world) => world.cluster.list<Pod>(collections.pods).map((pod) => podFact(pod, world)),
  claims: (world) => world.cluster.list<NodeClaim>(collections.claims).map((claim) => claimFact(claim, world)),
  pools: (world) => world.cluster.list<NodePool>(collections.pools).map((pool) => poolFact(pool, world)),
  services: (world) =>
    world.cluster
      .list<Service>(collections.services)
      .filter(({ spec }) => Object.keys(spec?.selector ?? {}).length > 0)
      .map((service) => serviceFact(service, world)),
  rollouts: (world) =>
    world.cluster.list<NodeRollout>(collections.rollouts).map((rollout) => rolloutFact(rollout, world)),
  groups: (world) => world.cluster.list<NodeGroup>(collections.groups).map((group) => groupFact(group, world)),
  messages: ({ cluster }) =>
    [
      ...cluster.list<NodeRollout>(collections.rollouts),
      ...cluster.list<NodeRolloutPolicy>(collections.policies),
    ].flatMap(messageFacts),
  events: ({ cluster }) => cluster.list<Event>(collections.events).map(eventFact),
  evictions: ({ evictions }) =>
    evictions.map(({ labels, at, ...eviction }) =>
      createFact('evictions', { ...eviction, labels: createTextMap(labels), at: new Date(at) }),
    ),
  instances: ({ instances }) =>
    instances.all().map((instance) =>
      createFact('instances', {
        id: instance.id,
        ...imageFields(instance),
        running: () => instances.isRunning(instance.id),
        launched: new Date(instance.launched),
      }),
    ),
};

const imageFields = (instance: RecordedInstance | undefined) => ({
  image: instance?.imageId ?? '',
  release: instance?.release?.version ?? '',
  family: instance?.release?.family ?? '',
  type: instance?.type ?? '',
  zone: instance?.zone ?? '',
  capacityType: instance?.capacityType ?? '',
  price: instance?.price ?? 0,
});

function commonFields({ metadata }: KubernetesObject, { now }: FactWorld) {
  const created = new Date(metadata.creationTimestamp ?? 0);
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    labels: createTextMap(metadata.labels),
    annotations: () => createTextMap(metadata.annotations),
    deleting: metadata.deletionTimestamp !== undefined,
    created,
    age: () => durationBetween(created, new Date(now())),
  };
}

/** Pods of DaemonSets come with every node. */
function podsByNode({ cluster }: FactWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata, spec } of cluster.list<Pod>(collections.pods)) {
    if (spec.nodeName === undefined || metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true)
      continue;
    counts.set(spec.nodeName, (counts.get(spec.nodeName) ?? 0) + 1);
  }
  return counts;
}

function nodeFact(node: Node, world: FactWorld, counts: ReadonlyMap<string, number>): object {
  const { spec, status, metadata } = node;
  const instance = instanceIdIn(spec?.providerID);
  return createFact('nodes', {
    ...commonFields(node, world),
    ...imageFields(world.instances.find(instance)),
    ready: isConditionTrue(node, 'Ready'),
    pool: metadata.labels?.[karpenterLabels.nodePool] ?? '',
    group: metadata.labels?.['eks.amazonaws.com/nodegroup'] ?? '',
    claim: () => claimOfInstance(world, spec?.providerID)?.metadata.name ?? '',
    instance,
    pods: BigInt(counts.get(metadata.name) ?? 0),
    cpu: () => millisOf(status?.allocatable?.['cpu'] ?? '0') / 1_000,
    memory: () => millisOf(status?.allocatable?.['memory'] ?? '0') / 1_000 / 2 ** 30,
    cordoned: spec?.unschedulable === true,
    taints: (spec?.taints ?? []).map(({ key }) => key),
    kubeletVersion: status?.nodeInfo?.['kubeletVersion'] ?? '',
  });
}

const claimOfInstance = ({ cluster }: FactWorld, providerId: string | undefined): NodeClaim | undefined =>
  cluster.list<NodeClaim>(collections.claims).find(({ status }) => status?.providerID === providerId);

export function isUnschedulablePod({ metadata, spec, status }: Pod): boolean {
  if (spec.nodeName !== undefined || metadata.deletionTimestamp !== undefined) return false;
  return status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable') === true;
}

const podFact = (pod: Pod, world: FactWorld): object =>
  createFact('pods', {
    ...commonFields(pod, world),
    ready: isConditionTrue(pod, 'Ready'),
    phase: pod.status?.phase ?? 'Pending',
    node: pod.spec.nodeName ?? '',
    unschedulable: isUnschedulablePod(pod),
    restarts: BigInt((pod.status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0)),
    owner: () => ownerNameOfPod(pod, world),
  });

/** The Deployment behind a ReplicaSet is what people know. */
function ownerNameOfPod({ metadata }: Pod, { cluster }: FactWorld): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '';
  const set =
    owner.kind === 'ReplicaSet'
      ? cluster.find(collections.replicaSets, `${metadata.namespace ?? ''}/${owner.name}`)
      : undefined;
  const above = set?.metadata.ownerReferences?.[0] ?? owner;
  return `${above.kind}/${above.name}`;
}

const claimFact = (claim: NodeClaim, world: FactWorld): object =>
  createFact('claims', {
    ...commonFields(claim, world),
    ...imageFields(world.instances.find(instanceIdIn(claim.status?.providerID))),
    pool: claim.metadata.labels?.[karpenterLabels.nodePool] ?? '',
    node: claim.status?.nodeName ?? '',
    launched: isConditionTrue(claim, 'Launched'),
    registered: isConditionTrue(claim, 'Registered'),
    initialized: isConditionTrue(claim, 'Initialized'),
    drifted: isConditionTrue(claim, 'Drifted'),
    disruption: isConditionTrue(claim, 'DisruptionReason')
      ? (conditionOf(claim, 'DisruptionReason')?.reason ?? '')
      : '',
  });

const poolFact = (pool: NodePool, world: FactWorld): object => {
  const nodes = world.cluster
    .list<Node>(collections.nodes)
    .filter(({ metadata }) => metadata.labels?.[karpenterLabels.nodePool] === pool.metadata.name);
  return createFact('pools', {
    ...commonFields(pool, world),
    ready: isConditionTrue(pool, 'Ready'),
    nodes: BigInt(nodes.length),
    price: nodes.reduce((sum, node) => sum + (instanceOf(world, node)?.price ?? 0), 0),
    weight: BigInt(pool.spec.weight ?? 0),
  });
};

function serviceFact(service: Service, world: FactWorld): object {
  const selects = labelSelectorPredicate({ matchLabels: service.spec?.selector ?? {} });
  const { namespace } = service.metadata;
  const ready = world.cluster
    .list<Pod>(collections.pods)
    .filter(
      (pod) =>
        pod.metadata.namespace === namespace &&
        pod.metadata.deletionTimestamp === undefined &&
        isConditionTrue(pod, 'Ready') &&
        selects(pod.metadata.labels ?? {}),
    );
  return createFact('services', { ...commonFields(service, world), readyEndpoints: BigInt(ready.length) });
}

const rolloutFact = (rollout: NodeRollout, world: FactWorld): object => {
  const { spec, status } = rollout;
  return createFact('rollouts', {
    ...commonFields(rollout, world),
    policy: spec.policy,
    release: spec.to[0]?.release ?? '',
    state: status?.state ?? 'Pending',
    wave: status?.wave ?? '',
    halted: status?.halted?.reason ?? '',
    updated: BigInt(status?.updated ?? 0),
    failed: BigInt(status?.failed ?? 0),
  });
};

const groupFact = (group: NodeGroup, world: FactWorld): object => {
  const { phase = 'Pending', reason = '', nodes } = group.status ?? {};
  return createFact('groups', {
    ...commonFields(group, world),
    phase,
    reason,
    nodes: BigInt(nodes?.total ?? 0),
    updated: BigInt(nodes?.updated ?? 0),
  });
};

const messageFacts = ({ metadata, status }: NodeRollout | NodeRolloutPolicy): readonly object[] =>
  (status?.messages ?? []).map(({ event, text, at }) =>
    createFact('messages', { event, text, about: metadata.name, at: new Date(at) }),
  );

const eventFact = ({ reason, message, type, involvedObject, firstTimestamp, metadata }: Event): object =>
  createFact('events', {
    reason,
    message,
    type,
    kind: involvedObject.kind ?? '',
    name: involvedObject.name ?? '',
    namespace: involvedObject.namespace ?? '',
    at: new Date(firstTimestamp ?? metadata.creationTimestamp ?? 0),
  });
