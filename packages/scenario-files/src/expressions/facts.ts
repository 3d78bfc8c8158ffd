import { parse } from '@marcbachmann/cel-js';
import type { FactList } from './fact-tables.ts';

/** The values of one fact by the names of its fields. Those that cost something are functions. */
type FactFields = Readonly<Record<string, unknown>>;

/** One item of a list in expressions. The expression library tells the types apart by their classes. */
class FactValue {
  constructor(fields: FactFields) {
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'function') Object.defineProperty(this, name, { get: value as () => unknown });
      else Object.defineProperty(this, name, { value });
    }
  }

  get [Symbol.toStringTag](): string {
    return 'fact';
  }
}

export const factClasses = {
  nodes: class NodeFact extends FactValue {},
  pods: class PodFact extends FactValue {},
  claims: class ClaimFact extends FactValue {},
  pools: class PoolFact extends FactValue {},
  services: class ServiceFact extends FactValue {},
  rollouts: class RolloutFact extends FactValue {},
  groups: class GroupFact extends FactValue {},
  messages: class MessageFact extends FactValue {},
  events: class EventFact extends FactValue {},
  evictions: class EvictionFact extends FactValue {},
  instances: class InstanceFact extends FactValue {},
} as const satisfies Readonly<Record<FactList, typeof FactValue>>;

export const createFact = (list: FactList, fields: FactFields): object => new factClasses[list](fields);

/** Labels or annotations: a key that is not there reads as an empty text, and `"key" in labels` tells. */
export function createTextMap(texts: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  const map = new Map(Object.entries(texts ?? {}));
  return Object.assign(map, { get: (key: string) => Map.prototype.get.call(map, key) ?? '' });
}

const difference = parse('later - earlier');

/** A duration of the expression library. */
export const durationBetween = (earlier: Date, later: Date): unknown => difference({ earlier, later });
