import type { Instant } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, column, type Columns, columns, type Row, sinceText, wide } from './columns.ts';
import { at, listAt, type Members, numberAt, textAt } from './reading.ts';

/** Pods as `kubectl get pods` shows them: what is wrong with a container speaks before the phase does. */
const printed: Columns = columns(
  column('Ready', (pod) => `${readyContainers(pod)}/${listAt(pod, 'spec.containers').length}`),
  column('Status', (pod) => podStatus(pod)),
  column('Restarts', (pod, now) => restartsText(pod, now)),
  ageColumn,
  column('IP', (pod) => textAt(pod, 'status.podIP', '<none>'), wide),
  column('Node', (pod) => textAt(pod, 'spec.nodeName', '<none>'), wide),
  column('Nominated Node', (pod) => textAt(pod, 'status.nominatedNodeName', '<none>'), wide),
  column('Readiness Gates', (pod) => gatesText(pod), wide),
);

export const podColumns: Columns = {
  definitions: printed.definitions,
  cells: (pod, now) => ({ ...printed.cells(pod, now), ...completion(pod) }),
};

function completion(pod: ApiObject): Partial<Row> {
  const phase = textAt(pod, 'status.phase');
  if (phase === 'Succeeded') return { conditions: [completed('Succeeded', 'The pod has completed successfully.')] };
  if (phase === 'Failed') return { conditions: [completed('Failed', 'The pod failed.')] };
  return {};
}

const completed = (reason: string, message: string) => ({ type: 'Completed', status: 'True', reason, message });

const containers = (pod: ApiObject): readonly Members[] => listAt(pod, 'status.containerStatuses');

const readyContainers = (pod: ApiObject): number =>
  containers(pod).filter((status) => status['ready'] === true && at(status, 'state.running') !== undefined).length;

export function podStatus(pod: ApiObject): string {
  const reason = initReason(pod) ?? containerReason(pod) ?? gateReason(pod) ?? phaseReason(pod);
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  return textAt(pod, 'status.reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
}

const phaseReason = (pod: ApiObject): string => textAt(pod, 'status.reason', textAt(pod, 'status.phase', 'Unknown'));

function gateReason(pod: ApiObject): string | undefined {
  const scheduled = listAt(pod, 'status.conditions').find(({ type }) => type === 'PodScheduled');
  return scheduled?.['reason'] === 'SchedulingGated' ? 'SchedulingGated' : undefined;
}

/** The first init container that is not through with its work. */
function initReason(pod: ApiObject): string | undefined {
  const statuses = listAt(pod, 'status.initContainerStatuses');
  const index = statuses.findIndex((status) => at(status, 'state.terminated.exitCode') !== 0);
  const status = statuses[index];
  if (status === undefined) return undefined;
  const waiting = textAt(status, 'state.waiting.reason');
  const ended = at(status, 'state.terminated') === undefined ? '' : terminationText(status);
  if (ended !== '') return `Init:${ended}`;
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${listAt(pod, 'spec.initContainers').length}`;
}

/** The last container with something to say; completed ones do not hide that others still run. */
function containerReason(pod: ApiObject): string | undefined {
  const reasons = containers(pod)
    .toReversed()
    .map(stateReason)
    .filter((reason) => reason !== undefined);
  const reason = reasons.at(-1);
  if (reason !== 'Completed' || !containers(pod).some((status) => at(status, 'state.running') !== undefined))
    return reason;
  return isReady(pod) ? 'Running' : 'NotReady';
}

function stateReason(status: Members): string | undefined {
  const waiting = textAt(status, 'state.waiting.reason');
  if (waiting !== '') return waiting;
  return at(status, 'state.terminated') === undefined ? undefined : terminationText(status);
}

function terminationText(status: Members): string {
  const signal = numberAt(status, 'state.terminated.signal');
  const otherwise = signal === 0 ? `ExitCode:${numberAt(status, 'state.terminated.exitCode')}` : `Signal:${signal}`;
  return textAt(status, 'state.terminated.reason', otherwise);
}

const isReady = (pod: ApiObject): boolean =>
  listAt(pod, 'status.conditions').some(({ type, status }) => type === 'Ready' && status === 'True');

function restartsText(pod: ApiObject, now: Instant): string {
  const restarts = containers(pod).reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0);
  const ends = containers(pod).map((status) => textAt(status, 'lastState.terminated.finishedAt'));
  const last = ends.toSorted().at(-1) ?? '';
  return restarts === 0 || last === '' ? String(restarts) : `${restarts} (${sinceText(last, now)} ago)`;
}

function gatesText(pod: ApiObject): string {
  const gates = listAt(pod, 'spec.readinessGates');
  if (gates.length === 0) return '<none>';
  const holds = gates.filter((gate) =>
    listAt(pod, 'status.conditions').some(({ type, status }) => type === gate['conditionType'] && status === 'True'),
  );
  return `${holds.length}/${gates.length}`;
}
