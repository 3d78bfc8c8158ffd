import type { Condition, Container, ContainerStatus, Pod, PodStatus } from '@nodewright/apis';
import { mergeConditions } from '../objects/conditions.ts';
import { podReadyCondition } from './pod-readiness.ts';

/** Where a pod runs, and the moment its kubelet speaks about it, RFC 3339. */
export type PodPlace = { readonly hostIP: string; readonly podIP: string; readonly at: string };

/** The pod is on its node; images are pulled and containers made. */
export function creatingStatus(pod: Pod, { hostIP, at }: PodPlace): PodStatus {
  return waiting(pod, { hostIP, at }, { reason: 'ContainerCreating' });
}

/** The containers could be made, but do not start. */
export function failingStatus(pod: Pod, place: PodPlace): PodStatus {
  const message =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process';
  return { ...waiting(pod, place, { reason: 'RunContainerError', message }), ...podAddresses(place) };
}

export function runningStatus(pod: Pod, place: PodPlace): PodStatus {
  const containerStatuses = pod.spec.containers.map((container) => startedContainer(pod, container, place.at));
  return {
    ...pod.status,
    phase: 'Running',
    hostIP: place.hostIP,
    startTime: pod.status?.startTime ?? place.at,
    ...podAddresses(place),
    conditions: mergeConditions(pod.status?.conditions, podConditions(pod, everythingReady), place.at),
    ...initStatuses(pod, place.at),
    containerStatuses,
  };
}

/** The containers have ended, each with its exit code: 0 unless named. The pod does not start again. */
export function endedStatus(pod: Pod, exitCodes: ReadonlyMap<string, number>, at: string): PodStatus {
  const hasFailed = [...exitCodes.values()].some((code) => code !== 0);
  return {
    ...failedStatus(pod, hasFailed ? 'PodFailed' : 'PodCompleted', at),
    phase: hasFailed ? 'Failed' : 'Succeeded',
    containerStatuses: terminatedContainers(pod, exitCodes, at),
  };
}

/** The pod ran longer than it may. */
export function overdueStatus(pod: Pod, at: string): PodStatus {
  const killed = new Map(pod.spec.containers.map(({ name }) => [name, 137] as const));
  const message = 'Pod was active on the node longer than the specified deadline';
  return { ...endedStatus(pod, killed, at), phase: 'Failed', reason: 'DeadlineExceeded', message };
}

/** The containers that failed wait to be started again; the others have ended. */
export function crashedStatus(pod: Pod, exitCodes: ReadonlyMap<string, number>, at: string): PodStatus {
  const containerStatuses = terminatedContainers(pod, exitCodes, at).map((status) =>
    exitCodes.get(status.name) === 0
      ? status
      : {
          ...status,
          ...(status.state === undefined ? {} : { lastState: status.state }),
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } },
        },
  );
  return { ...failedStatus(pod, 'ContainersNotReady', at), containerStatuses };
}

/** The containers that waited run again. */
export function restartedStatus(pod: Pod, at: string): PodStatus {
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((status) =>
    status.state?.waiting === undefined
      ? status
      : {
          ...status,
          ready: true,
          started: true,
          restartCount: status.restartCount + 1,
          state: { running: { startedAt: at } },
        },
  );
  return {
    ...pod.status,
    conditions: mergeConditions(pod.status?.conditions, podConditions(pod, everythingReady), at),
    containerStatuses,
  };
}

const failedStatus = (pod: Pod, reason: string, at: string): PodStatus => {
  const unready = { status: 'False', reason } as const;
  const changes = [
    { type: 'Ready', ...unready },
    { type: 'ContainersReady', ...unready },
  ];
  return { ...pod.status, conditions: mergeConditions(pod.status?.conditions, changes, at) };
};

function terminatedContainers(
  pod: Pod,
  exitCodes: ReadonlyMap<string, number>,
  at: string,
): readonly ContainerStatus[] {
  return (pod.status?.containerStatuses ?? []).map((status) => {
    if (status.state?.terminated !== undefined) return status;
    return terminatedContainer(status, exitCodes.get(status.name) ?? 0, at);
  });
}

/** A container that has run until now. */
export function terminatedContainer(status: ContainerStatus, exitCode: number, at: string): ContainerStatus {
  const startedAt = status.state?.running?.startedAt ?? at;
  const state = {
    terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt: at },
  };
  return { ...status, ready: false, started: false, state };
}

type WaitingState = { readonly reason: string; readonly message?: string };

function waiting(pod: Pod, { hostIP, at }: Omit<PodPlace, 'podIP'>, why: WaitingState): PodStatus {
  const names = pod.spec.containers.map(({ name }) => name).join(' ');
  const unready = { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
  return {
    ...pod.status,
    phase: 'Pending',
    hostIP,
    startTime: pod.status?.startTime ?? at,
    conditions: mergeConditions(pod.status?.conditions, podConditions(pod, { containers: unready }), at),
    containerStatuses: pod.spec.containers.map((container) => waitingContainer(container, why)),
  };
}

const podAddresses = ({ podIP }: PodPlace): PodStatus => ({ podIP, podIPs: [{ ip: podIP }] });

type Unready = { readonly reason: string; readonly message: string };
type ContainerReadiness = { readonly containers?: Unready };
const everythingReady: ContainerReadiness = {};

function podConditions(pod: Pod, { containers }: ContainerReadiness): readonly Condition[] {
  const status = containers === undefined ? 'True' : 'False';
  return [
    { type: 'PodReadyToStartContainers', status },
    { type: 'Initialized', status: 'True' },
    podReadyCondition(pod, { status, ...containers }),
    { type: 'ContainersReady', status, ...containers },
    { type: 'PodScheduled', status: 'True' },
  ];
}

/** A container that begins to run. */
export function startedContainer(pod: Pod, container: Container, at: string): ContainerStatus {
  return {
    name: container.name,
    image: imageOfContainer(container),
    imageID: `${imageOfContainer(container)}@sha256:${digits(imageOfContainer(container), 64)}`,
    containerID: `containerd://${digits(`${pod.metadata.uid}/${container.name}`, 64)}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: at } },
  };
}

function initStatuses(pod: Pod, at: string): PodStatus {
  const finished = { exitCode: 0, reason: 'Completed', startedAt: pod.status?.startTime ?? at, finishedAt: at };
  const statuses = (pod.spec.initContainers ?? []).map((container) => {
    const status = startedContainer(pod, container, at);
    return container.restartPolicy === 'Always'
      ? status
      : { ...status, started: false, state: { terminated: finished } };
  });
  return statuses.length === 0 ? {} : { initContainerStatuses: statuses };
}

const waitingContainer = (container: Container, why: WaitingState): ContainerStatus => ({
  name: container.name,
  image: imageOfContainer(container),
  imageID: '',
  ready: false,
  started: false,
  restartCount: 0,
  state: { waiting: why },
});

const imageOfContainer = ({ image }: Container): string => image ?? '';

/** Hexadecimal digits that identify `text`, for identifiers that nothing looks up. */
function digits(text: string, length: number): string {
  let hash = 0x811c9dc5;
  let found = '';
  for (let round = 0; found.length < length; round += 1) {
    for (const letter of `${round}${text}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    found += hash.toString(16).padStart(8, '0');
  }
  return found.slice(0, length);
}
