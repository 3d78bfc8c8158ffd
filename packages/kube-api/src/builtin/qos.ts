import { isQuantity, parseQuantity } from '@nodewright/apis';
import { valueAtPath, isObject, type JsonValue, type JsonObject } from '../schema/json.ts';

const governed = ['cpu', 'memory'] as const;

/**
 * `Guaranteed` when every container has limits for CPU and memory and requests the same amounts, `BestEffort` when no
 * container requests either, else `Burstable`.
 */
export function podQosClass(pod: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = ['containers', 'initContainers'].flatMap((key) =>
    resourcesOfContainer(valueAtPath(pod, 'spec', key)),
  );
  if (containers.every((container) => !asksForAnything(container))) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

const resourcesOfContainer = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const resourceAmount = (container: JsonObject, kind: 'requests' | 'limits', resource: string): JsonValue | undefined =>
  valueAtPath(container, 'resources', kind, resource);

const asksForAnything = (container: JsonObject): boolean =>
  governed.some(
    (resource) =>
      isPositive(resourceAmount(container, 'requests', resource)) ||
      isPositive(resourceAmount(container, 'limits', resource)),
  );

const isGuaranteed = (container: JsonObject): boolean =>
  governed.every((resource) => {
    const limit = resourceAmount(container, 'limits', resource);
    return isPositive(limit) && (resourceAmount(container, 'requests', resource) ?? limit) === limit;
  });

const isPositive = (quantity: JsonValue | undefined): boolean =>
  (typeof quantity === 'string' || typeof quantity === 'number') &&
  isQuantity(quantity) &&
  parseQuantity(quantity).nanos > 0n;
