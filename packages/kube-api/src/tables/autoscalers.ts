import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, defineColumn, nameAndColumns, type TableColumns } from './columns.ts';
import { firstTexts } from './first-texts.ts';
import { readList, readNumber, readPath, readText, type TableMembers } from './reading.ts';

/** The member of a metric that describes it, by the metric's type. */
const metricSources: ReadonlyMap<string, string> = new Map([
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['External', 'external'],
]);

const percentAt = (metric: TableMembers, path: string): string => {
  const percent = readText(metric, path);
  return percent === '' ? '' : `${percent}%`;
};

/** A metric of pods: as an amount when its target is one, else as a share of the requests. */
function resourceText(wanted: TableMembers, current: TableMembers): string {
  const amount = readText(wanted, 'target.averageValue');
  const text =
    amount === ''
      ? [
          percentAt(current, 'current.averageUtilization') || '<unknown>',
          percentAt(wanted, 'target.averageUtilization') || '<auto>',
        ]
      : [readText(current, 'current.averageValue', '<unknown>'), amount];
  return `${readText(wanted, 'name')}: ${text.join('/')}`;
}

function printAmount(type: string, wanted: TableMembers, current: TableMembers): string {
  const average = readText(wanted, 'target.averageValue');
  if (average === '') return `${readText(current, 'current.value', '<unknown>')}/${readText(wanted, 'target.value')}`;
  const text = `${readText(current, 'current.averageValue', '<unknown>')}/${average}`;
  return type === 'Pods' ? text : `${text} (avg)`;
}

function metricText(metric: TableMembers, status: TableMembers): string {
  const type = readText(metric, 'type');
  const member = metricSources.get(type);
  if (member === undefined) return '<unknown type>';
  const wanted = (readPath(metric, member) ?? {}) as TableMembers;
  const current = (readPath(status, member) ?? {}) as TableMembers;
  return type.endsWith('Resource') ? resourceText(wanted, current) : printAmount(type, wanted, current);
}

function targetsText(scaler: ApiObject): string {
  const current = readList(scaler, 'status.currentMetrics');
  const texts = readList(scaler, 'spec.metrics').map((metric, index) => metricText(metric, current[index] ?? {}));
  return firstTexts(texts, { most: 2, separator: ', ' }) || '<none>';
}

/** HorizontalPodAutoscalers in the form of autoscaling/v2. */
export const autoscalerColumns: TableColumns = nameAndColumns(
  defineColumn(
    'Reference',
    (scaler) => `${readText(scaler, 'spec.scaleTargetRef.kind')}/${readText(scaler, 'spec.scaleTargetRef.name')}`,
  ),
  defineColumn('Targets', targetsText),
  defineColumn('MinPods', (scaler) => readText(scaler, 'spec.minReplicas', '<unset>')),
  defineColumn('MaxPods', (scaler) => readNumber(scaler, 'spec.maxReplicas')),
  defineColumn('Replicas', (scaler) => readNumber(scaler, 'status.currentReplicas')),
  ageColumn,
);
