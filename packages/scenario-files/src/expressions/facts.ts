import { readOwn } from '@nodewright/apis';
import { parse } from '@marcbachmann/cel-js';
import { type FactList, factTables } from './fact-tables.ts';

/** The values of one fact by the names of its fields. Those that cost something are functions. */
type FactFields = Readonly<Record<string, unknown>>;

/** One item of a list in expressions. The expression library tells the types apart by their classes. */
class FactValue {
  readonly #fields: FactFields;

  constructor(fields: FactFields) {
    this.#fields = fields;
  }

  static read(fact: FactValue, name: string): unknown {
    const value = readOwn(fact.#fields, name);
    return typeof value === 'function' ? (value as () => unknown)() : value;
  }

  get [Symbol.toStringTag](): string {
    return 'fact';
  }
}

export const factClasses = {
  nodes: withFields('nodes', class NodeFact extends FactValue {}),
  pods: withFields('pods', class PodFact extends FactValue {}),
  claims: withFields('claims', class ClaimFact extends FactValue {}),
  pools: withFields('pools', class PoolFact extends FactValue {}),
  services: withFields('services', class ServiceFact extends FactValue {}),
  rollouts: withFields('rollouts', class RolloutFact extends FactValue {}),
  groups: withFields('groups', class GroupFact extends FactValue {}),
  messages: withFields('messages', class MessageFact extends FactValue {}),
  events: withFields('events', class EventFact extends FactValue {}),
  evictions: withFields('evictions', class EvictionFact extends FactValue {}),
  instances: withFields('instances', class InstanceFact extends FactValue {}),
} as const satisfies Readonly<Record<FactList, typeof FactValue>>;

/** The class has the fields, and not each fact: there may be a fact for every version of a pod. */
function withFields(list: FactList, factClass: typeof FactValue): typeof FactValue {
  for (const name of Object.keys(factTables[list].fields))
    Object.defineProperty(factClass.prototype, name, {
      get(this: FactValue) {
        return FactValue.read(this, name);
      },
    });
  return factClass;
}

export const createFact = (list: FactList, fields: FactFields): object => new factClasses[list](fields);

/** Labels or annotations: a key that is not there reads as an empty text, and `"key" in labels` tells. */
export function createTextMap(texts: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  const map = new Map(Object.entries(texts ?? {}));
  return Object.assign(map, { get: (key: string) => Map.prototype.get.call(map, key) ?? '' });
}

const difference = parse('later - earlier');

/** A duration of the expression library. */
export const durationBetween = (earlier: Date, later: Date): unknown => difference({ earlier, later });
