import type { Instant } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import {
  ageColumn,
  defineColumn,
  type TableColumns,
  nameAndColumns,
  type TableRow,
  sinceText,
  wideColumn,
} from './columns.ts';
import { readPath, readList, type TableMembers, readNumber, readText } from './reading.ts';

/** Pods as `kubectl get pods` prints them. A problem of a container takes precedence over the phase. */
const printedPodColumns: TableColumns = nameAndColumns(
  defineColumn('Ready', (pod) => `${countReadyContainers(pod)}/${countContainers(pod)}`),
  defineColumn('Status', (pod) => podStatus(pod)),
  defineColumn('Restarts', (pod, now) => restartsText(pod, now)),
  ageColumn,
  defineColumn('IP', (pod) => readText(pod, 'status.podIP', '<none>'), wideColumn),
  defineColumn('Node', (pod) => readText(pod, 'spec.nodeName', '<none>'), wideColumn),
  defineColumn('Nominated Node', (pod) => readText(pod, 'status.nominatedNodeName', '<none>'), wideColumn),
  defineColumn('Readiness Gates', (pod) => gatesText(pod), wideColumn),
);

export const podColumns: TableColumns = {
  definitions: printedPodColumns.definitions,
  cells: (pod, now) => ({ ...printedPodColumns.cells(pod, now), ...completion(pod) }),
};

function completion(pod: ApiObject): Partial<TableRow> {
  const phase = readText(pod, 'status.phase');
  if (phase === 'Succeeded')
    return { conditions: [completedCondition('Succeeded', 'The pod has completed successfully.')] };
  if (phase === 'Failed') return { conditions: [completedCondition('Failed', 'The pod failed.')] };
  return {};
}

const completedCondition = (reason: string, message: string) => ({
  type: 'Completed',
  status: 'True',
  reason,
  message,
});

const containerStatuses = (pod: ApiObject): readonly TableMembers[] => readList(pod, 'status.containerStatuses');

/** Init containers that are restarted always run beside the containers of the pod, and count like them. */
const sidecarNames = (pod: ApiObject): ReadonlySet<unknown> =>
  new Set(
    readList(pod, 'spec.initContainers')
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );

const sidecarStatuses = (pod: ApiObject): readonly TableMembers[] => {
  const sidecars = sidecarNames(pod);
  return readList(pod, 'status.initContainerStatuses').filter(({ name }) => sidecars.has(name));
};

const countContainers = (pod: ApiObject): number => readList(pod, 'spec.containers').length + sidecarNames(pod).size;

const isRunningAndReady = (status: TableMembers): boolean =>
  status['ready'] === true && readPath(status, 'state.running') !== undefined;

function countReadyContainers(pod: ApiObject): number {
  const sidecars = sidecarStatuses(pod).filter((status) => status['started'] === true && status['ready'] === true);
  return sidecars.length + (isInitializing(pod) ? 0 : containerStatuses(pod).filter(isRunningAndReady).length);
}

/** Whether an init container is still to finish, and the pod does not say that it is initialized. */
const isInitializing = (pod: ApiObject): boolean =>
  initReason(pod) !== undefined && !hasTrueCondition(pod, 'Initialized');

export function podStatus(pod: ApiObject): string {
  const settled = isInitializing(pod) ? initReason(pod) : (containerReason(pod) ?? initReason(pod));
  if (pod.metadata.deletionTimestamp === undefined) return settled ?? gateReason(pod) ?? phaseReason(pod);
  if (readText(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  const hasEnded = ['Succeeded', 'Failed'].includes(readText(pod, 'status.phase'));
  return hasEnded ? (settled ?? phaseReason(pod)) : 'Terminating';
}

const phaseReason = (pod: ApiObject): string =>
  readText(pod, 'status.reason', readText(pod, 'status.phase', 'Unknown'));

function gateReason(pod: ApiObject): string | undefined {
  const scheduled = readList(pod, 'status.conditions').find(({ type }) => type === 'PodScheduled');
  return scheduled?.['reason'] === 'SchedulingGated' ? 'SchedulingGated' : undefined;
}

/** The reason of the first init container that has not finished. */
function initReason(pod: ApiObject): string | undefined {
  const statuses = readList(pod, 'status.initContainerStatuses');
  const sidecars = sidecarNames(pod);
  const index = statuses.findIndex(
    (status) =>
      readPath(status, 'state.terminated.exitCode') !== 0 &&
      !(sidecars.has(status['name']) && status['started'] === true),
  );
  const status = statuses[index];
  if (status === undefined) return undefined;
  const waiting = readText(status, 'state.waiting.reason');
  const ended = readPath(status, 'state.terminated') === undefined ? '' : terminationText(status);
  if (ended !== '') return `Init:${ended}`;
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${readList(pod, 'spec.initContainers').length}`;
}

/** The reason of the last container that has one. A completed container does not hide a running one. */
function containerReason(pod: ApiObject): string | undefined {
  const reasons = containerStatuses(pod)
    .toReversed()
    .map(stateReason)
    .filter((reason) => reason !== undefined);
  const reason = reasons.at(-1);
  if (reason !== 'Completed' || !containerStatuses(pod).some(isRunningAndReady)) return reason;
  return hasTrueCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

function stateReason(status: TableMembers): string | undefined {
  const waiting = readText(status, 'state.waiting.reason');
  if (waiting !== '') return waiting;
  return readPath(status, 'state.terminated') === undefined ? undefined : terminationText(status);
}

function terminationText(status: TableMembers): string {
  const signal = readNumber(status, 'state.terminated.signal');
  const otherwise = signal === 0 ? `ExitCode:${readNumber(status, 'state.terminated.exitCode')}` : `Signal:${signal}`;
  return readText(status, 'state.terminated.reason', otherwise);
}

const hasTrueCondition = (pod: ApiObject, wanted: string): boolean =>
  readList(pod, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');

/** The containers whose restarts count: those that initialize the pod, then its sidecars and containers. */
const restartedStatuses = (pod: ApiObject): readonly TableMembers[] =>
  isInitializing(pod)
    ? readList(pod, 'status.initContainerStatuses')
    : [...sidecarStatuses(pod), ...containerStatuses(pod)];

function restartsText(pod: ApiObject, now: Instant): string {
  const statuses = restartedStatuses(pod);
  const restarts = statuses.reduce((sum, status) => sum + readNumber(status, 'restartCount'), 0);
  const ends = statuses.map((status) => readText(status, 'lastState.terminated.finishedAt'));
  const last = ends.toSorted().at(-1) ?? '';
  return restarts === 0 || last === '' ? String(restarts) : `${restarts} (${sinceText(last, now)} ago)`;
}

function gatesText(pod: ApiObject): string {
  const gates = readList(pod, 'spec.readinessGates');
  if (gates.length === 0) return '<none>';
  const holds = gates.filter((gate) =>
    readList(pod, 'status.conditions').some(({ type, status }) => type === gate['conditionType'] && status === 'True'),
  );
  return `${holds.length}/${gates.length}`;
}
