import type { KubernetesObject } from '@nodewright/apis';
import {
  startInformer,
  type Clock,
  type Informer,
  type KubernetesClient,
  type Logger,
  type Random,
} from '@nodewright/runtime';
import { type Collection, isNotFound } from '../objects/collection.ts';
import type { Objects } from './objects.ts';

type WatchDeps = {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly also: OptionalKinds;
};

/** Kinds that are watched only where something needs them. */
export type OptionalKinds = {
  /** What the pods of a workload are told by: for a default spread. */
  readonly selectors: boolean;
  readonly overlays: boolean;
  /** With what they may refer to. */
  readonly buffers: boolean;
};

export interface Watches {
  /** Resolves when every kind has been listed once. */
  synced(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps every collection current with the API server. */
export function watchObjects(objects: Objects, deps: WatchDeps): Watches {
  const informers = [
    watch(objects.nodeClasses, deps),
    watch(objects.nodePools, deps),
    watch(objects.nodeClaims, deps),
    watch(objects.nodes, deps),
    watch(objects.pods, deps),
    watch(objects.daemonSets, deps),
    watch(objects.namespaces, deps),
    watch(objects.podDisruptionBudgets, deps),
    watch(objects.volumeAttachments, deps),
    watch(objects.persistentVolumeClaims, deps),
    watch(objects.persistentVolumes, deps),
    watch(objects.storageClasses, deps),
    watch(objects.csiNodes, deps),
    ...optionalKinds(objects, deps.also).map((collection) => watch(collection, deps)),
  ];
  // Not waited for: where only Karpenter's definitions are installed, there is no such kind.
  const own = watch(objects.nodeGroups, deps);
  return {
    synced: async () => void (await Promise.all(informers.map(({ synced }) => synced()))),
    stop: async () => void (await Promise.all([...informers, own].map(({ stop }) => stop()))),
  };
}

/** The collections of the kinds that are needed, each once. */
export function optionalKinds(objects: Objects, also: OptionalKinds): readonly Collection<KubernetesObject>[] {
  const { services, replicationControllers, replicaSets, statefulSets } = objects;
  const { nodeOverlays, capacityBuffers, podTemplates, deployments } = objects;
  const needed = [
    ...(also.selectors || also.buffers ? [replicaSets, statefulSets] : []),
    ...(also.selectors ? [services, replicationControllers] : []),
    ...(also.overlays ? [nodeOverlays] : []),
    ...(also.buffers ? [capacityBuffers, podTemplates, deployments] : []),
  ];
  // Each collection only ever gets objects of its own kind.
  return needed as unknown as readonly Collection<KubernetesObject>[];
}

type Handle = Pick<Informer<KubernetesObject>, 'synced' | 'stop'>;

function watch<T extends KubernetesObject>(
  { type, cache }: Collection<T>,
  { client, clock, random, log }: WatchDeps,
): Handle {
  const informer = startInformer<T>({
    client,
    clock,
    random: random.fork(type.plural),
    type,
    project: withoutManagedFields,
    onFailure: (error, retryInMs) => {
      const level = isNotFound(error) ? 'debug' : 'warn';
      log[level]('watch failed', { kind: type.kind, error, retryInMs });
    },
  });
  informer.onChange((before, after) => {
    if (after !== undefined) cache.seen(after);
    else if (before !== undefined) cache.gone(before);
  });
  return { synced: () => informer.synced(), stop: () => informer.stop() };
}

/** Who wrote which field interests nobody here, and it is a third of an object. */
function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
