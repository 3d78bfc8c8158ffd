import { isQuantity, parseQuantity } from '@nodewright/apis';
import { at, isObject, type Json, type JsonObject } from '../schema/json.ts';

const governed = ['cpu', 'memory'] as const;

/**
 * Guaranteed when every container has limits for CPU and memory and requests nothing else, BestEffort when none asks
 * for either, Burstable otherwise.
 */
export function podQosClass(pod: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = ['containers', 'initContainers'].flatMap((key) => listOf(at(pod, 'spec', key)));
  if (containers.every((container) => !asksForAnything(container))) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const amount = (container: JsonObject, kind: 'requests' | 'limits', resource: string): Json | undefined =>
  at(container, 'resources', kind, resource);

const asksForAnything = (container: JsonObject): boolean =>
  governed.some(
    (resource) =>
      isPositive(amount(container, 'requests', resource)) || isPositive(amount(container, 'limits', resource)),
  );

const isGuaranteed = (container: JsonObject): boolean =>
  governed.every((resource) => {
    const limit = amount(container, 'limits', resource);
    return isPositive(limit) && (amount(container, 'requests', resource) ?? limit) === limit;
  });

const isPositive = (quantity: Json | undefined): boolean =>
  (typeof quantity === 'string' || typeof quantity === 'number') &&
  isQuantity(quantity) &&
  parseQuantity(quantity).nanos > 0n;
