import type { EndpointSlice, KubernetesObject, NodeRolloutPolicy, ResourceType } from '@nodewright/apis';
import {
  startInformer,
  type Clock,
  type Informer,
  type KubernetesClient,
  type Logger,
  type Random,
} from '@nodewright/runtime';
import { type CachedCollection, isForbiddenAnswer, isNotFoundAnswer } from '../objects/collection.ts';
import type { Objects } from './objects.ts';

type WatchDeps = {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly also: OptionalKinds;
  readonly watchSeconds?: number | undefined;
  /** Whether kinds may be missing in the API server, or forbidden: they count as empty then [only optional kinds]. */
  readonly toleratesAbsence?: boolean;
  /** Receives the kinds that the caller may not read, and the kinds that were read. */
  readonly onForbidden?: (type: ResourceType) => void;
  readonly onAnswer?: (type: ResourceType) => void;
};

/** Kinds that are watched only where something needs them. */
export type OptionalKinds = {
  /** Services and workloads, whose selectors say which pods belong together: for a default spread. */
  readonly selectors: boolean;
  readonly overlays: boolean;
  /** With what they may refer to. */
  readonly buffers: boolean;
  /** Only read where they are not watched: `cluster-reading.ts`. */
  readonly endpoints?: boolean;
};

export interface OperatorWatches {
  /** Resolves when every kind has been listed once. */
  synced(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps every collection current with the API server. */
export function watchObjects(objects: Objects, deps: WatchDeps): OperatorWatches {
  const informers = [
    startWatch(objects.nodeClasses, deps),
    startWatch(objects.nodePools, deps),
    startWatch(objects.nodeClaims, deps),
    startWatch(objects.nodes, deps),
    startWatch(objects.pods, deps),
    startWatch(objects.daemonSets, deps),
    startWatch(objects.namespaces, deps),
    startWatch(objects.podDisruptionBudgets, deps),
    startWatch(objects.volumeAttachments, deps),
    startWatch(objects.persistentVolumeClaims, deps),
    startWatch(objects.persistentVolumes, deps),
    startWatch(objects.storageClasses, deps),
    startWatch(objects.csiNodes, deps),
  ];
  const optional = optionalKinds(objects, deps.also).map((collection) => startWatch(collection, deps));
  // No image is chosen and no node goes before these are known, or known to be none. A role from before there were such
  // kinds may not read them: its operator works without them, and warns of each try.
  const gates = [
    startWatch(objects.imageRules, deps),
    startWatch(objects.rolloutPolicies, deps),
    startWatch(objects.rollouts, deps, keepManagers),
    startWatch(objects.pauses, deps),
  ];
  const endpoints = watchWhenProtected(objects, deps);
  // Not waited for: where only Karpenter's definitions are installed, there is no such kind.
  const groups = startWatch(objects.nodeGroups, deps);
  return {
    synced: async () => {
      await Promise.all([
        ...[...informers, ...optional].map((handle) =>
          deps.toleratesAbsence === true ? handle.syncedOrAbsent() : handle.synced(),
        ),
        ...gates.map(({ syncedOrAbsent }) => syncedOrAbsent()),
      ]);
      await endpoints.syncedOrAbsent();
    },
    stop: async () =>
      void (await Promise.all([...informers, ...optional, ...gates, groups, endpoints].map(({ stop }) => stop()))),
  };
}

/** Endpoints are many, and of interest to policies alone: they are watched from the first policy that protects them on. */
function watchWhenProtected(objects: Objects, deps: WatchDeps): Pick<Handle, 'syncedOrAbsent' | 'stop'> {
  let handle: Handle | undefined;
  const startIfNeeded = (): void => {
    if (handle !== undefined || !objects.rolloutPolicies.list().some(isProtectingEndpoints)) return;
    handle = startWatch(objects.endpointSlices, deps, projectEndpointSlice);
  };
  objects.rolloutPolicies.cache.onChange(startIfNeeded);
  return {
    syncedOrAbsent: async () => handle?.syncedOrAbsent(),
    stop: async () => handle?.stop(),
  };
}

const isProtectingEndpoints = ({ spec }: NodeRolloutPolicy): boolean => spec.protect?.lastEndpoint !== false;

/**
 * Where the endpoints of which Service are, of which pods, and whether they are ready: addresses and ports are of no
 * interest. A slice of a Service without pods has null for its endpoints.
 */
export const projectEndpointSlice = ({ metadata, endpoints, ...slice }: EndpointSlice): EndpointSlice => ({
  ...slice,
  metadata: dropManagedFields({ metadata }).metadata,
  endpoints: (endpoints ?? []).map(({ conditions, nodeName, targetRef }) => ({
    ...(conditions === undefined ? {} : { conditions }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  })),
});

/** The collections of the kinds that are needed, each once. */
export function optionalKinds(objects: Objects, also: OptionalKinds): readonly CachedCollection<KubernetesObject>[] {
  const { services, replicationControllers, replicaSets, statefulSets, endpointSlices } = objects;
  const { nodeOverlays, capacityBuffers, podTemplates, deployments } = objects;
  const needed = [
    ...(also.selectors || also.buffers ? [replicaSets, statefulSets] : []),
    ...(also.selectors ? [services, replicationControllers] : []),
    ...(also.endpoints === true ? [endpointSlices] : []),
    ...(also.overlays ? [nodeOverlays] : []),
    ...(also.buffers ? [capacityBuffers, podTemplates, deployments] : []),
  ];
  // Each collection only ever gets objects of its own kind.
  return needed as unknown as readonly CachedCollection<KubernetesObject>[];
}

type Handle = Pick<Informer<KubernetesObject>, 'synced' | 'stop'> & {
  /** Also resolves when the API server has no such kind, or does not let the operator read it. */
  readonly syncedOrAbsent: () => Promise<void>;
};

function startWatch<T extends KubernetesObject>(
  { type, cache }: CachedCollection<T>,
  { client, clock, random, log, watchSeconds, onForbidden, onAnswer }: WatchDeps,
  project: (object: T) => T = dropManagedFields,
): Handle {
  let tellAbsent = (): void => undefined;
  const absent = new Promise<void>((resolve) => {
    tellAbsent = resolve;
  });
  const informer = startInformer<T>({
    client,
    clock,
    random: random.fork(type.plural),
    type,
    ...(watchSeconds !== undefined && { watchSeconds }),
    project,
    ...(onAnswer !== undefined && { onAnswer: () => onAnswer(type) }),
    onFailure: (error, retryInMs) => {
      if (isForbiddenAnswer(error)) onForbidden?.(type);
      if (isNotFoundAnswer(error) || isForbiddenAnswer(error)) tellAbsent();
      // A server that has forgotten a revision, as after a change of a definition, is asked anew at once: nothing is wrong.
      const level = isNotFoundAnswer(error) || retryInMs === 0 ? 'debug' : 'warn';
      log[level]('watch failed', { kind: type.kind, error, retryInMs });
    },
  });
  informer.onChange((before, after) => {
    if (after !== undefined) cache.seen(after);
    else if (before !== undefined) cache.gone(before);
  });
  return {
    synced: () => informer.synced(),
    syncedOrAbsent: () => Promise.race([informer.synced(), absent]),
    stop: () => informer.stop(),
  };
}

/** Managed fields are not needed here, and they are a third of an object. Below the wire there are none. */
function dropManagedFields<T extends KubernetesObject>(object: T): T {
  if (!Object.hasOwn(object.metadata, 'managedFields')) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Who wrote an annotation, and when, is known from the managed fields alone: requests of people are annotations. */
const keepManagers = <T extends KubernetesObject>(object: T): T => object;
