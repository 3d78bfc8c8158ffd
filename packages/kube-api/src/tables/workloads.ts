import { fromTimestamp, type Instant, type LabelSelector, printLabelTerms, termsOfSelector } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import {
  ageColumn,
  defineColumn,
  type TableColumns,
  nameAndColumns,
  printDuration,
  integerColumn,
  sinceText,
  wideColumn,
} from './columns.ts';
import { readPath, labelsText, readList, readNumber, readText } from './reading.ts';

const namesAt = (object: ApiObject, path: string, member: string): string =>
  readList(object, path)
    .map((container) => readText(container, member))
    .join(',');

const containersAt = (path: string) => [
  defineColumn('Containers', (object) => namesAt(object, path, 'name'), wideColumn),
  defineColumn('Images', (object) => namesAt(object, path, 'image'), wideColumn),
];

const templateColumns = containersAt('spec.template.spec.containers');

function selectorText(object: ApiObject): string {
  const selector = readPath(object, 'spec.selector') as LabelSelector | undefined;
  return selector === undefined ? '<none>' : printLabelTerms(termsOfSelector(selector));
}

const selectorColumn = defineColumn('Selector', selectorText, wideColumn);

const replicasAt = (name: string, path: string) =>
  defineColumn(name, (object) => readNumber(object, path), integerColumn);

export const deploymentColumns: TableColumns = nameAndColumns(
  defineColumn(
    'Ready',
    (object) => `${readNumber(object, 'status.readyReplicas')}/${readNumber(object, 'spec.replicas')}`,
  ),
  defineColumn('Up-to-date', (object) => readNumber(object, 'status.updatedReplicas')),
  defineColumn('Available', (object) => readNumber(object, 'status.availableReplicas')),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

export const replicaSetColumns: TableColumns = nameAndColumns(
  replicasAt('Desired', 'spec.replicas'),
  replicasAt('Current', 'status.replicas'),
  replicasAt('Ready', 'status.readyReplicas'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

export const statefulSetColumns: TableColumns = nameAndColumns(
  defineColumn(
    'Ready',
    (object) => `${readNumber(object, 'status.readyReplicas')}/${readNumber(object, 'spec.replicas')}`,
  ),
  ageColumn,
  ...templateColumns,
);

export const daemonSetColumns: TableColumns = nameAndColumns(
  replicasAt('Desired', 'status.desiredNumberScheduled'),
  replicasAt('Current', 'status.currentNumberScheduled'),
  replicasAt('Ready', 'status.numberReady'),
  replicasAt('Up-to-date', 'status.updatedNumberScheduled'),
  replicasAt('Available', 'status.numberAvailable'),
  defineColumn('Node Selector', (object) => labelsText(readPath(object, 'spec.template.spec.nodeSelector'))),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

export const jobColumns: TableColumns = nameAndColumns(
  defineColumn('Status', (job) => jobStatusText(job)),
  defineColumn('Completions', (job) => completionsText(job)),
  defineColumn('Duration', (job, now) => jobDuration(job, now)),
  ageColumn,
  ...templateColumns,
  selectorColumn,
);

const hasTrueCondition = (object: ApiObject, wanted: string): boolean =>
  readList(object, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');

function jobStatusText(job: ApiObject): string {
  if (hasTrueCondition(job, 'Complete')) return 'Complete';
  if (hasTrueCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (hasTrueCondition(job, 'Suspended')) return 'Suspended';
  return hasTrueCondition(job, 'FailureTarget') ? 'FailureTarget' : 'Running';
}

function completionsText(job: ApiObject): string {
  const succeeded = readNumber(job, 'status.succeeded');
  const wanted = readPath(job, 'spec.completions');
  if (wanted !== undefined && wanted !== null) return `${succeeded}/${readNumber(job, 'spec.completions')}`;
  const parallelism = readNumber(job, 'spec.parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, now: Instant): string {
  const started = readText(job, 'status.startTime');
  if (started === '') return '';
  const ended = readText(job, 'status.completionTime');
  const end = ended === '' ? now : fromTimestamp(ended);
  return printDuration(Math.floor((end - fromTimestamp(started)) / 1000));
}

export const cronJobColumns: TableColumns = nameAndColumns(
  defineColumn('Schedule', (object) => readText(object, 'spec.schedule')),
  defineColumn('Timezone', (object) => readText(object, 'spec.timeZone', '<none>')),
  defineColumn('Suspend', (object) => (readPath(object, 'spec.suspend') === true ? 'True' : 'False'), {
    type: 'boolean',
  }),
  defineColumn('Active', (object) => readList(object, 'status.active').length, integerColumn),
  defineColumn('Last Schedule', (object, now) => {
    const last = readText(object, 'status.lastScheduleTime');
    return last === '' ? '<none>' : sinceText(last, now);
  }),
  ageColumn,
  ...containersAt('spec.jobTemplate.spec.template.spec.containers'),
  defineColumn('Selector', () => '<none>', wideColumn),
);

/** A template has its containers where others have them with `-o wide`. */
export const podTemplateColumns: TableColumns = nameAndColumns(
  defineColumn('Containers', (object) => namesAt(object, 'template.spec.containers', 'name')),
  defineColumn('Images', (object) => namesAt(object, 'template.spec.containers', 'image')),
  defineColumn('Pod Labels', (object) => labelsText(readPath(object, 'template.metadata.labels'))),
);

export const replicationControllerColumns: TableColumns = nameAndColumns(
  defineColumn('Desired', (object) => readNumber(object, 'spec.replicas'), integerColumn),
  defineColumn('Current', (object) => readNumber(object, 'status.replicas'), integerColumn),
  defineColumn('Ready', (object) => readNumber(object, 'status.readyReplicas'), integerColumn),
  ageColumn,
  ...templateColumns,
  defineColumn('Selector', (object) => labelsText(readPath(object, 'spec.selector')), wideColumn),
);
