import type { Instant } from '@nodewright/apis';
import type { StateChange } from './state-change.ts';
import { knowsFormat, readFormatVersion, readRecord, type StateRecord } from './state-record.ts';

/** What the records of a ledger come to. */
export type KeptState = {
  readonly maps: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** When the last of it happened; none for an empty ledger. */
  readonly last?: Instant;
};

/** A line of a state file without its newline. */
export type StateLine = { readonly offset: number; readonly bytes: Uint8Array };

/** A record that is not as it was written. */
export type DamagedRecord = {
  /** Counts the lines of the file, from 1. */
  readonly number: number;
  /** Where its line begins, in bytes. */
  readonly offset: number;
  /** What it changed, as far as that can still be read: `kubernetes/pods default/web`. */
  readonly keys: readonly string[];
  readonly reason: DamageReason;
};

/** `missing`: a record before this one is not there. `repeated`: it came before, or belongs to another file. */
export type DamageReason = 'damaged' | 'missing' | 'repeated';

/**
 * What a state file holds.
 *
 * - `whole`: every record.
 * - `torn`: every record but the last, whose writer was stopped before it answered.
 * - `unsynced`: every record up to a gap that a power loss left in the part that had not been synced; `lost` counts the
 *   records from there on.
 * - `damaged`: records that were kept once cannot be read. `state` has all others.
 */
export type StateReading = { readonly state: KeptState; readonly records: number } & (
  | { readonly kind: 'whole' }
  | { readonly kind: 'torn' | 'damaged'; readonly damaged: readonly DamagedRecord[] }
  | { readonly kind: 'unsynced'; readonly damaged: readonly DamagedRecord[]; readonly lost: number }
);

/**
 * Reads the lines of a state file, oldest first.
 * @throws Error when a newer version of the program wrote the file
 */
export function readState(lines: Iterable<StateLine>): StateReading {
  const reader = new StateReader();
  for (const line of lines) reader.take(line);
  return reader.reading();
}

type Damage = DamagedRecord & { readonly hasHole: boolean };

class StateReader {
  readonly #maps = new Map<string, Map<string, unknown>>();
  readonly #damages: Damage[] = [];
  /** Records behind the first damaged one. */
  readonly #behind: StateRecord[] = [];
  #last: Instant | undefined;
  #number = 0;
  #records = 0;
  #sequence = 0;

  take({ offset, bytes }: StateLine): void {
    this.#number += 1;
    if (this.#number === 1) refuseNewerFormat(bytes);
    const record = readRecord(bytes);
    const reason = record === undefined ? 'damaged' : this.#disorderOf(record);
    if (reason !== undefined) {
      const keys = reason === 'missing' ? [] : keysIn(bytes);
      this.#damages.push({ number: this.#number, offset, keys, reason, hasHole: bytes.includes(0) });
    }
    if (record === undefined || reason === 'repeated') return;
    this.#sequence = record.sequence ?? this.#sequence + 1;
    if (this.#damages.length > 0) this.#behind.push(record);
    else this.#fold(record);
  }

  reading(): StateReading {
    const damaged = this.#damages.map(({ hasHole: _hole, ...place }) => place);
    const [first] = this.#damages;
    if (first === undefined) return { ...this.#folded(), kind: 'whole' };
    if (this.#behind.length === 0 && damaged.length === 1) return { ...this.#folded(), kind: 'torn', damaged };
    if (this.#isPowerLoss(first)) {
      return { ...this.#folded(), kind: 'unsynced', damaged, lost: this.#behind.length + damaged.length };
    }
    for (const record of this.#behind) this.#fold(record);
    return { ...this.#folded(), kind: 'damaged', damaged };
  }

  /**
   * Pages that did not reach the disk before the power went read as zeros, which no record contains, and no later record
   * says that they had reached it.
   */
  #isPowerLoss({ offset }: Damage): boolean {
    return this.#damages.some(({ hasHole }) => hasHole) && this.#behind.every(({ synced }) => synced <= offset);
  }

  /** Behind a damaged line it cannot be told how many records are missing. */
  #disorderOf({ sequence }: StateRecord): DamageReason | undefined {
    if (sequence === undefined || sequence === this.#sequence + 1) return undefined;
    if (sequence <= this.#sequence) return 'repeated';
    return this.#damages.length > 0 ? undefined : 'missing';
  }

  #fold({ changes }: StateRecord): void {
    this.#records += 1;
    for (const change of changes) {
      this.#last = change.at;
      applyChange(this.#maps, change);
    }
  }

  #folded(): { readonly state: KeptState; readonly records: number } {
    const state = { maps: this.#maps, ...(this.#last !== undefined && { last: this.#last }) };
    return { state, records: this.#records };
  }
}

function applyChange(maps: Map<string, Map<string, unknown>>, { map, key, value }: StateChange): void {
  const changed = maps.get(map) ?? new Map<string, unknown>();
  maps.set(map, changed);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
}

function refuseNewerFormat(first: Uint8Array): void {
  const version = readFormatVersion(first);
  if (version !== undefined && !knowsFormat(version))
    throw new Error(`it is of format ${version}, which this version does not read; use the version that wrote it`);
}

/** As far as they can be read, the keys that a record changed: its changes begin with a time, a map and a key. */
function keysIn(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.subarray(0, 1 << 20)).toString('utf8');
  const found = text.matchAll(/\[\d{1,16},"((?:[^"\\\0]|\\.)+)","((?:[^"\\\0]|\\.)+)"/g);
  return [...new Set([...found].map(([, map, key]) => `${map} ${key}`))];
}
