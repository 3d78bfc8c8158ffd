import { byTextOf, type Instant, toTimestamp } from '@nodewright/apis';
import { keyText, type ObjectWrite, storedKeyOf } from '@nodewright/kube-api';

/** What two ways of reaching the API server may differ in: `docs/below-the-wire.md` has the reasons. */
const leftOut: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields']);
const collectionsLeftOut: ReadonlySet<string> = new Set(['leases.coordination.k8s.io']);

/**
 * What happened in a world, a line for each thing: every state of every object with who wrote it, and what the operator
 * logged. Members are sorted.
 */
export class Transcript {
  readonly #lines: string[] = [];
  /** The last state of each object. */
  readonly #states = new Map<string, string>();

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** A write that leaves the object as it was is left out. */
  write({ type, collection, object, client }: ObjectWrite, at: Instant): void {
    if (collectionsLeftOut.has(collection)) return;
    const key = `${collection} ${keyText(storedKeyOf(object))}`;
    const state = sortedText(object);
    if (type === 'MODIFIED' && this.#states.get(key) === state) return;
    if (type === 'DELETED') this.#states.delete(key);
    else this.#states.set(key, state);
    this.#lines.push(`${toTimestamp(at)} ${client} ${type} ${key} ${state}`);
  }

  /** @param line a log line in JSON */
  log(line: string): void {
    this.#lines.push(`log ${sortedText(JSON.parse(line))}`);
  }
}

const sortedText = (value: unknown): string => JSON.stringify(value, sortMembers);

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !leftOut.has(name));
  return Object.fromEntries(members.toSorted(byTextOf(([member]) => member)));
}
