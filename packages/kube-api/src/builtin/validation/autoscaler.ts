import { validatePathSegment, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkMember,
  jsonObjectsIn,
  lengthOfList,
  amountNanos,
  amountText,
  validateChoice,
  validateCounts,
  validatePositiveAmount,
  validateRequiredName,
} from './checks.ts';

/** The problems of a HorizontalPodAutoscaler, in the form of `autoscaling/v2`. */
export function autoscalerCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...replicaCauses(spec),
    ...scaleTargetCauses(memberOf(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...checkEachItem(spec, 'metrics', 'spec', metricCauses),
    ...shareCauses(memberOf(spec, 'targetCPUUtilizationPercentage')),
    ...(memberOf(spec, 'minReplicas') === 0 && !hasWideMetric(spec)
      ? [forbiddenCause('spec.metrics', zeroReplicasNeed)]
      : []),
    ...checkMember(spec, 'behavior', 'spec', (behavior, field) => [
      ...checkMember(behavior, 'scaleUp', field, scalingRuleCauses),
      ...checkMember(behavior, 'scaleDown', field, scalingRuleCauses),
    ]),
  ];
}

/** In `autoscaling/v1`, a share of the CPU stands for the first metric. */
const shareCauses = (share: JsonValue | undefined): Cause[] =>
  typeof share === 'number' && share < 1
    ? [invalidCause('spec.metrics[0].resource.target.averageUtilization', share, 'must be greater than 0')]
    : [];

/** The problems of the status of a HorizontalPodAutoscaler. */
export const autoscalerStatusCauses = (object: JsonObject): Cause[] =>
  validateCounts(object['status'], 'status', ['currentReplicas', 'desiredReplicas']);

function replicaCauses(spec: JsonValue | undefined): Cause[] {
  const [least, most] = [memberOf(spec, 'minReplicas'), memberOf(spec, 'maxReplicas') ?? 0];
  const isUnset = memberOf(spec, 'maxReplicas') === undefined || most === 0;
  if (typeof most !== 'number') return [];
  return [
    ...(typeof least === 'number' && least < 1
      ? [invalidCause('spec.minReplicas', least, 'must be greater than or equal to 1')]
      : []),
    ...(isUnset ? [requiredCause('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(most < 1 && !isUnset ? [invalidCause('spec.maxReplicas', most, 'must be greater than 0')] : []),
    ...(most < (typeof least === 'number' ? least : 1)
      ? [invalidCause('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')]
      : []),
  ];
}

const zeroReplicasNeed = 'must specify at least one Object or External metric to support scaling to zero replicas';

const hasWideMetric = (spec: JsonValue | undefined): boolean =>
  jsonObjectsIn(memberOf(spec, 'metrics')).some(({ type }) => type === 'Object' || type === 'External');

const scaleTargetCauses = (reference: JsonValue | undefined, field: string): Cause[] => [
  ...(field === 'spec.scaleTargetRef' ? targetGroupCauses(reference, field) : []),
  ...validateRequiredName(`${field}.kind`, reference, validatePathSegment),
  ...validateRequiredName(`${field}.name`, reference, validatePathSegment),
];

/** What is scaled has a group, except for replication controllers. */
function targetGroupCauses(reference: JsonValue | undefined, field: string): Cause[] {
  const version = jsonTextAt(reference, 'apiVersion');
  const place = `${field}.apiVersion`;
  const isCore = jsonTextAt(reference, 'kind') === 'ReplicationController';
  const [group, rest, ...more] = version.split('/');
  if (more.length > 0) return [invalidCause(place, version, 'unexpected GroupVersion string: ' + version)];
  if (rest === undefined || group === '')
    return isCore ? [] : [invalidCause(place, version, 'apiVersion must specify API group')];
  return validateSubdomain(group ?? '').map((problem) => invalidCause(place, version, problem));
}

/** The types of metrics, and the member that each of them has. */
const metricMembers: ReadonlyMap<string, string> = new Map([
  ['ContainerResource', 'containerResource'],
  ['External', 'external'],
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
]);

/** Of several sources, the first one in this order is checked. */
const metricSourceOrder = ['object', 'external', 'pods', 'resource', 'containerResource'];

function metricCauses(metric: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(metric, 'type');
  const expected = metricMembers.get(type);
  const present = metricSourceOrder.filter((key) => memberOf(metric, key) !== undefined);
  const [first] = present;
  return [
    ...(type === '' ? [requiredCause(`${field}.type`, 'must specify a metric source type')] : []),
    ...(expected === undefined ? [notSupportedCause(`${field}.type`, type, [...metricMembers.keys()])] : []),
    ...(first === undefined ? [] : checkMember(metric, first, field, metricSourceCauses(first))),
    ...(expected !== undefined && !present.includes(expected)
      ? [requiredCause(`${field}.${expected}`, 'must populate information for the given metric source')]
      : []),
    ...(present.length > 1
      ? present
          .filter((key) => key !== expected)
          .map((key) => forbiddenCause(`${field}.${key}`, 'must populate the given metric source only'))
      : []),
  ];
}

/** A metric with a name, and a target of a value or of an average value. */
function valueMetricCauses(source: JsonObject, field: string, missing: string): Cause[] {
  const target = memberOf(source, 'target');
  return [
    ...metricNameCauses(source, field),
    ...metricTargetCauses(target, `${field}.target`),
    ...needsOneOf(target, ['value', 'averageValue'], `${field}.target.averageValue`, missing),
  ];
}

const metricSourceCauses =
  (member: string) =>
  (source: JsonObject, field: string): Cause[] => {
    const target = memberOf(source, 'target');
    switch (member) {
      case 'object':
        return [
          ...scaleTargetCauses(source['describedObject'], `${field}.describedObject`),
          ...valueMetricCauses(source, field, 'must set either a target value or averageValue'),
        ];
      case 'external':
        return [
          ...valueMetricCauses(source, field, 'must set either a target value for metric or a per-pod target'),
          ...needsNotBoth(
            target,
            ['value', 'averageValue'],
            `${field}.target.value`,
            'may not set both a target value for metric and a per-pod target',
          ),
        ];
      case 'pods':
        return [
          ...metricNameCauses(source, field),
          ...metricTargetCauses(target, `${field}.target`),
          ...((amountNanos(memberOf(target, 'averageValue')) ?? 0n) > 0n
            ? []
            : [requiredCause(`${field}.target.averageValue`, 'must specify a positive target averageValue')]),
        ];
      default:
        return resourceMetricCauses(source, field, member === 'containerResource');
    }
  };

function resourceMetricCauses(source: JsonObject, field: string, isOfContainer: boolean): Cause[] {
  const target = memberOf(source, 'target');
  const kinds = ['averageUtilization', 'averageValue'];
  return [
    ...(jsonTextAt(source, 'name') === '' ? [requiredCause(`${field}.name`, 'must specify a resource name')] : []),
    ...(isOfContainer && jsonTextAt(source, 'container') === ''
      ? [requiredCause(`${field}.container`, 'must specify a container')]
      : []),
    ...metricTargetCauses(target, `${field}.target`),
    ...needsOneOf(
      target,
      kinds,
      `${field}.target.averageUtilization`,
      'must set either a target raw value or a target utilization',
    ),
    ...needsNotBoth(
      target,
      kinds,
      `${field}.target.averageValue`,
      'may not set both a target raw value and a target utilization',
    ),
  ];
}

const needsOneOf = (target: JsonValue | undefined, keys: readonly string[], field: string, because: string): Cause[] =>
  keys.some((key) => memberOf(target, key) !== undefined) ? [] : [requiredCause(field, because)];

const needsNotBoth = (
  target: JsonValue | undefined,
  keys: readonly string[],
  field: string,
  because: string,
): Cause[] => (keys.every((key) => memberOf(target, key) !== undefined) ? [forbiddenCause(field, because)] : []);

function metricNameCauses(source: JsonObject, field: string): Cause[] {
  const metric = memberOf(source, 'metric');
  return jsonTextAt(metric, 'name') === ''
    ? [requiredCause(`${field}.metric.name`, 'must specify a metric name')]
    : validateRequiredName(`${field}.metric.name`, metric, validatePathSegment);
}

function metricTargetCauses(target: JsonValue | undefined, field: string): Cause[] {
  const type = jsonTextAt(target, 'type');
  const utilization = memberOf(target, 'averageUtilization');
  return [
    ...(type === '' ? [requiredCause(`${field}.type`, 'must specify a metric target type')] : []),
    ...(['Utilization', 'Value', 'AverageValue'].includes(type)
      ? []
      : [invalidCause(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...validatePositiveAmount(`${field}.value`, memberOf(target, 'value'), 'must be positive'),
    ...validatePositiveAmount(`${field}.averageValue`, memberOf(target, 'averageValue'), 'must be positive'),
    ...(typeof utilization === 'number' && utilization < 1
      ? [invalidCause(`${field}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
  ];
}

const longestWindowSeconds = 3600;
const longestPeriodSeconds = 1800;

function scalingRuleCauses(rules: JsonObject, field: string): Cause[] {
  const seconds = rules['stabilizationWindowSeconds'];
  const window = `${field}.stabilizationWindowSeconds`;
  return [
    ...(typeof seconds === 'number' && seconds < 0
      ? [invalidCause(window, seconds, 'must be greater than or equal to zero')]
      : []),
    ...(typeof seconds === 'number' && seconds > longestWindowSeconds
      ? [invalidCause(window, seconds, `must be less than or equal to ${longestWindowSeconds}`)]
      : []),
    ...validateChoice(`${field}.selectPolicy`, rules['selectPolicy'], ['Disabled', 'Max', 'Min']),
    ...(lengthOfList(rules['policies']) === 0
      ? [requiredCause(`${field}.policies`, 'must specify at least one Policy')]
      : []),
    ...checkEachItem(rules, 'policies', field, scalingPolicyCauses),
    ...toleranceCauses(rules['tolerance'], `${field}.tolerance`),
  ];
}

const toleranceCauses = (tolerance: JsonValue | undefined, field: string): Cause[] =>
  tolerance !== undefined && (amountNanos(tolerance) ?? 0n) < 0n
    ? [invalidCause(field, amountText(tolerance), 'must be greater than or equal to 0')]
    : [];

function scalingPolicyCauses(policy: JsonObject, field: string): Cause[] {
  const { type = '', value = 0, periodSeconds = 0 } = policy;
  return [
    ...(type === 'Pods' || type === 'Percent' ? [] : [notSupportedCause(`${field}.type`, type, ['Percent', 'Pods'])]),
    ...[['value', value] as const, ['periodSeconds', periodSeconds] as const].flatMap(([key, count]) =>
      typeof count === 'number' && count <= 0
        ? [invalidCause(`${field}.${key}`, count, 'must be greater than zero')]
        : [],
    ),
    ...(typeof periodSeconds === 'number' && periodSeconds > longestPeriodSeconds
      ? [invalidCause(`${field}.periodSeconds`, periodSeconds, `must be less than or equal to ${longestPeriodSeconds}`)]
      : []),
  ];
}
