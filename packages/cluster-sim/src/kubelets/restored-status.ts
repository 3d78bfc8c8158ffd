import type { Condition, ContainerStatus, Pod, PodStatus } from '@nodewright/apis';
import { mergeConditions } from '../objects/conditions.ts';
import { isEndedPod } from '../objects/pod-health.ts';
import { canonicalText } from '../objects/template-hash.ts';
import { podReadyCondition } from './pod-readiness.ts';

/** The conditions that a kubelet decides about. Others belong to their writers. */
const ownedTypes = ['PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'PodScheduled'];

const ownedFields = ['phase', 'hostIP', 'podIP', 'podIPs', 'startTime', 'initContainerStatuses'] as const;

/**
 * The status of a pod whose containers run, with what its kubelet knows in place of what another client wrote there.
 * `undefined` when nothing differs. A pod that a client has ended stays so, because its kubelet stops it then.
 * @param known what this kubelet reported last; without it, that the containers run is read from the pod
 */
export function restoredStatus(pod: Pod, known: PodStatus | undefined, at: string): PodStatus | undefined {
  const wanted = known ?? statusOfRunning(pod);
  if (wanted?.phase !== 'Running' || isEndedPod(pod)) return undefined;
  const changes = ownConditions(pod, wanted);
  if (!differs(pod.status, wanted, changes)) return undefined;
  return {
    ...pod.status,
    ...fieldsOf(wanted),
    ...(wanted.containerStatuses && { containerStatuses: wanted.containerStatuses }),
    conditions: mergeConditions(pod.status?.conditions, changes, at),
  };
}

const fieldsOf = (status: PodStatus): PodStatus =>
  Object.fromEntries(ownedFields.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]]])));

/** No probe ever fails here, so a container that runs is ready. */
function statusOfRunning({ status }: Pod): PodStatus | undefined {
  const containers = status?.containerStatuses ?? [];
  if (containers.length === 0 || !containers.every(({ state }) => state?.running !== undefined)) return undefined;
  const containerStatuses = containers.map((each): ContainerStatus => ({ ...each, ready: true, started: true }));
  const conditions = ownedTypes.map((type): Condition => ({ type, status: 'True' }));
  return { ...status, containerStatuses, conditions };
}

function ownConditions(pod: Pod, wanted: PodStatus): readonly Condition[] {
  const own = (wanted.conditions ?? []).filter(({ type }) => ownedTypes.includes(type));
  const containers = own.find(({ type }) => type === 'ContainersReady');
  if (containers === undefined) return own;
  const { type: _, lastTransitionTime: __, ...readiness } = containers;
  return [...own, podReadyCondition(pod, readiness)];
}

function differs(status: PodStatus | undefined, wanted: PodStatus, changes: readonly Condition[]): boolean {
  const isTold = ({ type, status: value }: Condition): boolean =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === value) ?? false;
  return (
    !changes.every(isTold) ||
    ownedFields.some((field) => isOther(status?.[field], wanted[field])) ||
    isOther(status?.containerStatuses, wanted.containerStatuses)
  );
}

const isOther = (found: unknown, wanted: unknown): boolean =>
  found !== wanted && wanted !== undefined && canonicalText(found) !== canonicalText(wanted);
