import {
  conditionOf,
  type Event,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  type KubernetesObject,
  latestPerObject,
  millisOf,
  type Node,
  type NodeClaim,
  type NodeGroup,
  type NodePool,
  type NodeRollout,
  type NodeRolloutPolicy,
  oncePerObject,
  type Pod,
  type Service,
} from '@nodewright/apis';
import { printRolloutTarget } from '@nodewright/engine';
import type { CompiledCondition, FactSource } from '../expressions/compile-expression.ts';
import { createFact, createTextMap, durationBetween } from '../expressions/facts.ts';
import type { FactList, FactName } from '../expressions/fact-tables.ts';
import { instanceIdIn, type RecordedInstance, type InstanceRecords } from './launched-instances.ts';
import { type CollectionName, collectionNames as collections, type ObservedCluster } from './observed-cluster.ts';
import { PodTallies } from './pod-tallies.ts';

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

type TalliedWorld = FactWorld & { readonly tallies: PodTallies };

/** The collections whose writes change a list or the values in it. */
const sources: Readonly<Record<FactName, readonly CollectionName[]>> = {
  nodes: [collections.nodes],
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

/** Fields of nodes that other collections decide. A node is written seldom, its pods and claim often. */
const sourcesOfNodeFields: Readonly<Record<string, CollectionName>> = {
  pods: collections.pods,
  claim: collections.claims,
};

/** The lists and values of expressions. A list is made again after a write that concerns it, an item when its object is another. */
export class FactCache {
  readonly #world: FactWorld;
  readonly #makers: Readonly<Record<FactList, () => readonly object[]>>;
  readonly #made = new Map<FactName, { readonly version: number; readonly value: unknown }>();

  constructor(world: FactWorld) {
    this.#world = world;
    this.#makers = createFactMakers({ ...world, tallies: new PodTallies(world.cluster) });
  }

  readonly read: FactSource = (name) => {
    if (name === 'now') return new Date(this.#world.now());
    const version = this.#versionOf(name);
    const made = this.#made.get(name);
    if (made?.version === version) return made.value;
    const value = name === 'price' ? sumOfPrices(this.#world) : this.#makers[name]();
    this.#made.set(name, { version, value });
    return value;
  };

  /** Grows when what a condition reads may have changed. */
  versionFor({ reads, text }: Pick<CompiledCondition, 'reads' | 'text'>): number {
    const ofLists = reads.reduce((sum, name) => sum + this.#versionOf(name), 0);
    if (!reads.includes('nodes')) return ofLists;
    return Object.entries(sourcesOfNodeFields)
      .filter(([field]) => text.includes(field))
      .reduce((sum, [, collection]) => sum + this.#world.cluster.versionOf(collection), ofLists);
  }

  #versionOf(name: FactName): number {
    return sources[name].reduce((sum, collection) => sum + this.#world.cluster.versionOf(collection), 0);
  }
}

const sumOfPrices = (world: FactWorld): number =>
  world.cluster.list<Node>(collections.nodes).reduce((sum, node) => sum + (instanceOf(world, node)?.price ?? 0), 0);

const instanceOf = ({ instances }: FactWorld, { spec }: Node): RecordedInstance | undefined =>
  instances.find(instanceIdIn(spec?.providerID));

/** Facts read what is of other objects when they are asked, so that a fact is made once for each version of its object. */
function createFactMakers(world: TalliedWorld): Readonly<Record<FactList, () => readonly object[]>> {
  const { cluster, instances, evictions } = world;
  const isSameInstance = (before: RecordedInstance | undefined, now: RecordedInstance | undefined) => before === now;
  const nodeOf = latestPerObject(
    (node: Node, instance: RecordedInstance | undefined) => nodeFact(node, instance, world),
    isSameInstance,
  );
  const claimOf = latestPerObject(
    (claim: NodeClaim, instance: RecordedInstance | undefined) => claimFact(claim, instance, world),
    isSameInstance,
  );
  const podOf = oncePerObject((pod: Pod) => podFact(pod, world));
  const serviceOf = oncePerObject((service: Service) => serviceFact(service, world));
  const rolloutOf = oncePerObject((rollout: NodeRollout) => rolloutFact(rollout, world));
  const groupOf = oncePerObject((group: NodeGroup) => groupFact(group, world));
  const messagesOf = oncePerObject(messageFacts);
  const eventOf = oncePerObject(eventFact);
  const evictionOf = oncePerObject(evictionFact);
  const instanceFactOf = oncePerObject((instance: RecordedInstance) => instanceFact(instance, world));
  return {
    nodes: () => cluster.list<Node>(collections.nodes).map((node) => nodeOf(node, instanceOf(world, node))),
    pods: () => cluster.list<Pod>(collections.pods).map(podOf),
    claims: () =>
      cluster
        .list<NodeClaim>(collections.claims)
        .map((claim) => claimOf(claim, instances.find(instanceIdIn(claim.status?.providerID)))),
    pools: () => cluster.list<NodePool>(collections.pools).map((pool) => poolFact(pool, world)),
    services: () =>
      cluster
        .list<Service>(collections.services)
        .filter(({ spec }) => Object.keys(spec?.selector ?? {}).length > 0)
        .map(serviceOf),
    rollouts: () => cluster.list<NodeRollout>(collections.rollouts).map(rolloutOf),
    groups: () => cluster.list<NodeGroup>(collections.groups).map(groupOf),
    messages: () =>
      [
        ...cluster.list<NodeRollout>(collections.rollouts),
        ...cluster.list<NodeRolloutPolicy>(collections.policies),
      ].flatMap(messagesOf),
    events: () => cluster.list<Event>(collections.events).map(eventOf),
    evictions: () => evictions.map(evictionOf),
    instances: () => instances.all().map(instanceFactOf),
  };
}

const evictionFact = ({ labels, at, ...eviction }: SeenEviction): object =>
  createFact('evictions', { ...eviction, labels: createTextMap(labels), at: new Date(at) });

const instanceFact = (instance: RecordedInstance, { instances }: FactWorld): object =>
  createFact('instances', {
    id: instance.id,
    ...imageFields(instance),
    running: () => instances.isRunning(instance.id),
    launched: new Date(instance.launched),
  });

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

function nodeFact(node: Node, instance: RecordedInstance | undefined, world: TalliedWorld): object {
  const { spec, status, metadata } = node;
  return createFact('nodes', {
    ...commonFields(node, world),
    ...imageFields(instance),
    ready: isConditionTrue(node, 'Ready'),
    pool: metadata.labels?.[karpenterLabels.nodePool] ?? '',
    group: metadata.labels?.['eks.amazonaws.com/nodegroup'] ?? '',
    claim: () => claimOfInstance(world, spec?.providerID)?.metadata.name ?? '',
    instance: instanceIdIn(spec?.providerID),
    pods: () => BigInt(world.tallies.countOnNode(metadata.name)),
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

const claimFact = (claim: NodeClaim, instance: RecordedInstance | undefined, world: FactWorld): object =>
  createFact('claims', {
    ...commonFields(claim, world),
    ...imageFields(instance),
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

const serviceFact = (service: Service, world: TalliedWorld): object =>
  createFact('services', {
    ...commonFields(service, world),
    readyEndpoints: () => BigInt(world.tallies.countReady(service)),
  });

const rolloutFact = (rollout: NodeRollout, world: FactWorld): object => {
  const { spec, status } = rollout;
  return createFact('rollouts', {
    ...commonFields(rollout, world),
    policy: spec.policy,
    release: printRolloutTarget(spec),
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
