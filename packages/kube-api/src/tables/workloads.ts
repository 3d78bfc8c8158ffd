import { fromTimestamp, type Instant, type LabelSelector, printLabelTerms, termsOfSelector } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, column, type Columns, columns, humanDuration, integer, sinceText, wide } from './columns.ts';
import { at, labelsText, listAt, numberAt, textAt } from './reading.ts';

const namesAt = (object: ApiObject, path: string, member: string): string =>
  listAt(object, path)
    .map((container) => textAt(container, member))
    .join(',');

const containersAt = (path: string) => [
  column('Containers', (object) => namesAt(object, path, 'name'), wide),
  column('Images', (object) => namesAt(object, path, 'image'), wide),
];

const templateColumns = containersAt('spec.template.spec.containers');

function selectorText(object: ApiObject): string {
  const selector = at(object, 'spec.selector') as LabelSelector | undefined;
  return selector === undefined ? '<none>' : printLabelTerms(termsOfSelector(selector));
}

const selectorColumn = column('Selector', selectorText, wide);

const replicasAt = (name: string, path: string) => column(name, (object) => numberAt(object, path), integer);

export const deploymentColumns: Columns = columns(
  column('Ready', (object) => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`),
  column('Up-to-date', (object) => numberAt(object, 'status.updatedReplicas')),
  column('Available', (object) => numberAt(object, 'status.availableReplicas')),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

export const replicaSetColumns: Columns = columns(
  replicasAt('Desired', 'spec.replicas'),
  replicasAt('Current', 'status.replicas'),
  replicasAt('Ready', 'status.readyReplicas'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

export const statefulSetColumns: Columns = columns(
  column('Ready', (object) => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`),
  ageColumn,
  ...templateColumns,
);

export const daemonSetColumns: Columns = columns(
  replicasAt('Desired', 'status.desiredNumberScheduled'),
  replicasAt('Current', 'status.currentNumberScheduled'),
  replicasAt('Ready', 'status.numberReady'),
  replicasAt('Up-to-date', 'status.updatedNumberScheduled'),
  replicasAt('Available', 'status.numberAvailable'),
  column('Node Selector', (object) => labelsText(at(object, 'spec.template.spec.nodeSelector'))),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

export const jobColumns: Columns = columns(
  column('Status', (job) => jobStatus(job)),
  column('Completions', (job) => completionsText(job)),
  column('Duration', (job, now) => jobDuration(job, now)),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

const hasCondition = (object: ApiObject, wanted: string): boolean =>
  listAt(object, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');

function jobStatus(job: ApiObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  return hasCondition(job, 'FailureTarget') ? 'FailureTarget' : 'Running';
}

function completionsText(job: ApiObject): string {
  const succeeded = numberAt(job, 'status.succeeded');
  const wanted = at(job, 'spec.completions');
  if (wanted !== undefined && wanted !== null) return `${succeeded}/${numberAt(job, 'spec.completions')}`;
  const parallelism = numberAt(job, 'spec.parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, now: Instant): string {
  const started = textAt(job, 'status.startTime');
  if (started === '') return '';
  const ended = textAt(job, 'status.completionTime');
  const end = ended === '' ? now : fromTimestamp(ended);
  return humanDuration(Math.floor((end - fromTimestamp(started)) / 1000));
}

export const cronJobColumns: Columns = columns(
  column('Schedule', (object) => textAt(object, 'spec.schedule')),
  column('Timezone', (object) => textAt(object, 'spec.timeZone', '<none>')),
  column('Suspend', (object) => (at(object, 'spec.suspend') === true ? 'True' : 'False'), { type: 'boolean' }),
  column('Active', (object) => listAt(object, 'status.active').length, integer),
  column('Last Schedule', (object, now) => {
    const last = textAt(object, 'status.lastScheduleTime');
    return last === '' ? '<none>' : sinceText(last, now);
  }),
  ageColumn,
  ...containersAt('spec.jobTemplate.spec.template.spec.containers'),
  column('Selector', () => '<none>', wide),
);
