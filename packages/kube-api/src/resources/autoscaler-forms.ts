import { readOwn } from '@nodewright/apis';
import { cpuMetric } from '../builtin/autoscaler-defaults.ts';
import { isObject, type JsonObject, type JsonValue, mapMembers, memberOf } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { asApiObject, asJson } from './rules.ts';

/** What `autoscaling/v1` has no members for is in annotations, as JSON. */
const annotationPrefix = 'autoscaling.alpha.kubernetes.io/';
const hidden = {
  metrics: `${annotationPrefix}metrics`,
  behavior: `${annotationPrefix}behavior`,
  conditions: `${annotationPrefix}conditions`,
};

const objectOrEmptyOne = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

const isCpuShare = (metric: JsonValue): boolean =>
  memberOf(metric, 'type') === 'Resource' &&
  memberOf(memberOf(metric, 'resource'), 'name') === 'cpu' &&
  memberOf(memberOf(memberOf(metric, 'resource'), 'target'), 'type') === 'Utilization';

const without = (object: JsonObject, ...keys: readonly string[]): JsonObject =>
  mapMembers(object, (value, key) => (keys.includes(key) ? undefined : value));

/** Converts a stored autoscaler to `autoscaling/v1`. */
export function autoscalerV1Of(stored: ApiObject): ApiObject {
  const object = asJson(stored);
  const spec = objectOrEmptyOne(object['spec']);
  const status = objectOrEmptyOne(object['status']);
  const metrics = listOf(spec['metrics']);
  const cpu = metrics.find(isCpuShare);
  const target = memberOf(memberOf(memberOf(cpu, 'resource'), 'target'), 'averageUtilization');
  const texts = {
    [hidden.metrics]: metrics.filter((metric) => metric !== cpu),
    [hidden.behavior]: spec['behavior'],
    [hidden.conditions]: status['conditions'],
  };
  return asApiObject({
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: withHiddenTexts(objectOrEmptyOne(object['metadata']), texts),
    spec: {
      ...without(spec, 'metrics', 'behavior'),
      ...(target !== undefined && { targetCPUUtilizationPercentage: target }),
    },
    status: { currentReplicas: 0, ...without(status, 'conditions', 'currentMetrics') },
  });
}

function withHiddenTexts(metadata: JsonObject, texts: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const added = Object.entries(texts).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, JSON.stringify(value)] as const],
  );
  if (added.length === 0) return metadata;
  return { ...metadata, annotations: { ...objectOrEmptyOne(metadata['annotations']), ...Object.fromEntries(added) } };
}

/** Converts an autoscaler of `autoscaling/v1` to its stored form. Without any metric, 80% of the CPU is the target. */
export function autoscalerV2Of(old: ApiObject): ApiObject {
  const object = asJson(old);
  const metadata = objectOrEmptyOne(object['metadata']);
  const annotations = objectOrEmptyOne(metadata['annotations']);
  const spec = objectOrEmptyOne(object['spec']);
  const kept = without(annotations, ...Object.values(hidden));
  const behavior = parsedAnnotation(annotations, hidden.behavior);
  const conditions = parsedAnnotation(annotations, hidden.conditions);
  return asApiObject({
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: {
      ...without(metadata, 'annotations'),
      ...(Object.keys(kept).length > 0 && { annotations: kept }),
    },
    spec: {
      ...without(spec, 'targetCPUUtilizationPercentage'),
      metrics: metricsOf(spec, parsedAnnotation(annotations, hidden.metrics)),
      ...(behavior !== undefined && { behavior }),
    },
    ...(object['status'] !== undefined && {
      status: { ...objectOrEmptyOne(object['status']), ...(conditions !== undefined && { conditions }) },
    }),
  });
}

function metricsOf(spec: JsonObject, others: JsonValue | undefined): JsonValue[] {
  const share = spec['targetCPUUtilizationPercentage'] ?? undefined;
  const known = listOf(others);
  return share === undefined && known.length > 0 ? known : [...known, cpuMetric(share)];
}

function parsedAnnotation(annotations: JsonObject, name: string): JsonValue | undefined {
  const text = readOwn(annotations, name);
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
