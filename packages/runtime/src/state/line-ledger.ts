import type { Instant } from '@nodewright/apis';
import { readChange, type StateChange, writeChange } from './state-change.ts';
import type { Ledger } from './ledger.ts';

/** What the lines of a ledger come to. */
export type KeptState = {
  readonly maps: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** When the last of it happened; none for an empty ledger. */
  readonly last?: Instant;
};

/**
 * Reads the lines of a ledger, oldest first. The last one may be torn: whoever wrote it was killed, and had not
 * told anybody yet.
 * @throws Error for any other line that cannot be read, with its number
 */
export function readLedger(lines: readonly string[]): KeptState {
  const maps = new Map<string, Map<string, unknown>>();
  let last: Instant | undefined;
  lines.forEach((line, at) => {
    const change = readChange(line);
    if (change === undefined && at < lines.length - 1)
      throw new Error(`line ${at + 1} is no change: ${line.slice(0, 80)}`);
    if (change === undefined) return;
    last = change.at;
    fold(maps, change);
  });
  return { maps, ...(last !== undefined && { last }) };
}

function fold(maps: Map<string, Map<string, unknown>>, { map, key, value }: StateChange): void {
  const changed = maps.get(map) ?? new Map<string, unknown>();
  maps.set(map, changed);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
}

export type LineLedgerOptions = {
  readonly kept: KeptState;
  readonly now: () => Instant;
  /** Takes one change as a line without its newline; returns when it is safe. */
  readonly append: (line: string) => void;
};

/** A ledger of JSON lines, one for every change. */
export class LineLedger implements Ledger {
  readonly #maps = new Map<string, KeptMap<unknown>>();
  readonly #now: () => Instant;

  constructor({ kept, now, append }: LineLedgerOptions) {
    this.#now = now;
    this.#write = append;
    for (const [name, entries] of kept.maps) this.#open(name, entries);
  }

  map<V>(name: string): Map<string, V> {
    return (this.#maps.get(name) ?? this.#open(name, new Map())) as KeptMap<V>;
  }

  names(): readonly string[] {
    return [...this.#maps].flatMap(([name, { size }]) => (size === 0 ? [] : [name])).toSorted();
  }

  /** The fewest lines that say all of it; what is appended later goes on from there. */
  *lines(): Generator<string> {
    const at = this.#now();
    for (const [map, entries] of this.#maps) {
      for (const [key, value] of entries) yield writeChange({ at, map, key, value });
    }
  }

  readonly #write: (line: string) => void;

  #open(name: string, entries: ReadonlyMap<string, unknown>): KeptMap<unknown> {
    const opened = new KeptMap(entries, (key, value) =>
      this.#write(writeChange({ at: this.#now(), map: name, key, value })),
    );
    this.#maps.set(name, opened);
    return opened;
  }
}

/** A map that tells of every change: a key without a value is gone. */
class KeptMap<V> extends Map<string, V> {
  readonly #tell: (key: string, value?: V) => void;

  constructor(entries: ReadonlyMap<string, V>, tell: (key: string, value?: V) => void) {
    super();
    this.#tell = tell;
    for (const [key, value] of entries) super.set(key, value);
  }

  override set(key: string, value: V): this {
    super.set(key, value);
    this.#tell(key, value);
    return this;
  }

  override delete(key: string): boolean {
    const was = super.delete(key);
    if (was) this.#tell(key);
    return was;
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key);
  }
}
