import {
  type Condition,
  type Container,
  type ContainerStatus,
  instant,
  millisOf,
  type Pod,
  type PodStatus,
  readOwn,
  type ResourceList,
  seconds,
  toTimestamp,
} from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { mergeConditions } from '../objects/conditions.ts';
import { isEndedPod } from '../objects/pod-health.ts';
import { canonicalText } from '../objects/template-hash.ts';
import { requestsOfPod } from '../placement/pod-amounts.ts';
import type { PodEvents } from './pod-events.ts';

type PodResizesDeps = {
  readonly clock: Clock;
  readonly allocatable: ResourceList;
  readonly podEvents: PodEvents;
  /** Writes a status on top of the very version of the pod that is given; undefined when the pod has changed since. */
  readonly report: (pod: Pod, status: PodStatus) => Promise<Pod | undefined>;
  /** The pod as it is known now. */
  readonly latest: (pod: Pod) => Pod;
  /** All pods of the node. */
  readonly podsHere: () => readonly Pod[];
};

/** How long a container runtime takes for new limits. */
const resizeMs = seconds(1);

/**
 * Resizes the containers of running pods in place.
 *
 * Guarantees: a resize that the node has room for is granted; `status.containerStatuses[].resources` tells it. One that the node
 * could never grant is `Infeasible`, one that waits for other pods to go is `Deferred`, and tried again when one has gone.
 */
export class PodResizes {
  readonly #deps: PodResizesDeps;
  readonly #granted = new Map<string, GrantedContainers>();
  readonly #deferred = new Set<string>();
  readonly #timers = new Map<string, { cancel(): void }>();

  constructor(deps: PodResizesDeps) {
    this.#deps = deps;
  }

  changed(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const known = this.#granted.get(uid);
    if (known?.generation === pod.metadata.generation || !canBeResized(pod)) return;
    const containers = known?.containers ?? grantedByStatus(pod);
    const pending = pendingCondition(pod);
    if (pending === undefined && haveEqualResources(containers, pod.spec.containers)) return this.#grant(pod);
    this.#granted.set(uid, { generation: undefined, containers });
    if (pending?.reason === 'Deferred') this.#deferred.add(uid);
    if (pending === undefined || pending.observedGeneration !== pod.metadata.generation) this.#begin(pod);
  }

  gone({ metadata: { uid = '' } }: Pod): void {
    this.#timers.get(uid)?.cancel();
    this.#timers.delete(uid);
    this.#granted.delete(uid);
    this.#deferred.delete(uid);
    if (this.#deferred.size === 0) return;
    for (const pod of this.#deps.podsHere()) if (this.#deferred.has(pod.metadata.uid ?? '')) this.#begin(pod);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #begin(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    if (this.#timers.has(uid)) return;
    const { clock } = this.#deps;
    const timer = clock.at(instant(clock.now() + resizeMs), () => {
      this.#timers.delete(uid);
      void this.#step(this.#deps.latest(pod));
    });
    this.#timers.set(uid, timer);
  }

  #grant({ metadata: { uid = '', generation }, spec: { containers } }: Pod): void {
    this.#granted.set(uid, { generation, containers });
    this.#deferred.delete(uid);
  }

  async #step(pod: Pod): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    const granted = this.#granted.get(uid)?.containers;
    if (granted === undefined || !canBeResized(pod)) return;
    const { clock, podEvents, report } = this.#deps;
    const at = toTimestamp(clock.now());
    const isTakenBack = haveEqualResources(granted, pod.spec.containers);
    const obstacle = isTakenBack ? undefined : this.#obstacle(pod);
    if (obstacle !== undefined) {
      if (pendingCondition(pod)?.reason !== obstacle.reason) podEvents.resizePending(pod, obstacle);
      if (obstacle.reason === 'Deferred') this.#deferred.add(uid);
      await report(pod, pendingStatus(pod, granted, { obstacle, at }));
    } else if ((await report(pod, resizedStatus(pod, granted, at))) !== undefined) {
      this.#grant(pod);
      if (!isTakenBack) podEvents.resized(pod);
    }
  }

  #obstacle(pod: Pod): ResizeObstacle | undefined {
    const { allocatable, podsHere } = this.#deps;
    const others = podsHere().filter((other) => other.metadata.uid !== pod.metadata.uid && !isEndedPod(other));
    for (const resource of ['cpu', 'memory'] as const) {
      const unit = resource === 'cpu' ? 1 : 1000;
      const amountOf = (each: Pod): number => Math.ceil((requestsOfPod(each).get(resource) ?? 0) / unit);
      const requested = amountOf(pod);
      const capacity = Math.floor(millisOf(allocatable[resource] ?? '0') / unit);
      const used = others.reduce((sum, other) => sum + amountOf(other), 0);
      if (requested > capacity) {
        const message = `Node didn't have enough capacity: ${resource}, requested: ${requested}, capacity: ${capacity}`;
        return { reason: 'Infeasible', message };
      }
      if (requested > capacity - used) {
        const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
        return { reason: 'Deferred', message };
      }
    }
    return undefined;
  }
}

/** The containers with the resources that they run with. The generation is that of a spec which asks for nothing else. */
type GrantedContainers = { readonly generation: number | undefined; readonly containers: readonly Container[] };

/** Why a resize is not granted now. */
export type ResizeObstacle = { readonly reason: 'Infeasible' | 'Deferred'; readonly message: string };

const pendingType = 'PodResizePending';

const canBeResized = (pod: Pod): boolean =>
  pod.status?.phase === 'Running' && !isEndedPod(pod) && pod.metadata.deletionTimestamp === undefined;

const pendingCondition = ({ status }: Pod): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === pendingType);

/** What a pod ran with before this kubelet saw it: what its status tells, else what its spec says. */
function grantedByStatus({ spec, status }: Pod): readonly Container[] {
  const told = new Map((status?.containerStatuses ?? []).map(({ name, resources }) => [name, resources]));
  if ([...told.values()].every((resources) => resources === undefined)) return spec.containers;
  return spec.containers.map((container) => ({ ...container, resources: told.get(container.name) ?? {} }));
}

const haveEqualResources = (a: readonly Container[], b: readonly Container[]): boolean =>
  canonicalText(a.map(({ resources = {} }) => resources)) === canonicalText(b.map(({ resources = {} }) => resources));

type PendingTraits = { readonly obstacle: ResizeObstacle; readonly at: string };

function pendingStatus(pod: Pod, granted: readonly Container[], { obstacle, at }: PendingTraits): PodStatus {
  const { generation: observedGeneration } = pod.metadata;
  const condition: Condition = {
    type: pendingType,
    status: 'True',
    ...obstacle,
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
  return {
    ...pod.status,
    conditions: mergeConditions(pod.status?.conditions, [condition], at),
    containerStatuses: withGranted(pod, granted),
  };
}

function resizedStatus(pod: Pod, before: readonly Container[], at: string): PodStatus {
  const restarted = new Set(
    pod.spec.containers.filter((each, index) => isRestarted(each, before[index])).map(({ name }) => name),
  );
  return {
    ...pod.status,
    conditions: (pod.status?.conditions ?? []).filter(({ type }) => type !== pendingType),
    containerStatuses: withGranted(pod, pod.spec.containers).map((status) =>
      restarted.has(status.name)
        ? { ...status, restartCount: status.restartCount + 1, state: { running: { startedAt: at } } }
        : status,
    ),
  };
}

function withGranted({ status }: Pod, granted: readonly Container[]): readonly ContainerStatus[] {
  return (status?.containerStatuses ?? []).map((each) => {
    const { resources } = granted.find(({ name }) => name === each.name) ?? {};
    const { requests, limits } = resources ?? {};
    return {
      ...each,
      resources: { ...(limits && { limits }), ...(requests && { requests }) },
      ...(requests && { allocatedResources: requests }),
    };
  });
}

/** Whether a container that asks for a restart when a resource changes has it changed. */
const isRestarted = ({ resizePolicy = [], resources }: Container, before: Container | undefined): boolean =>
  resizePolicy.some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === 'RestartContainer' &&
      (['requests', 'limits'] as const).some(
        (list) => readOwn(resources?.[list], resourceName) !== readOwn(before?.resources?.[list], resourceName),
      ),
  );
