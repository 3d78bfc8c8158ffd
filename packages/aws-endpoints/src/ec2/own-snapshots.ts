import { type Instant, seconds } from '@nodewright/apis';
import type { Ledger, Random } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';
import type { TagBook } from './tags.ts';
import type { VolumeEncryption } from './volume-encryption.ts';

/** A snapshot that the account made of a volume, or copied. */
export type OwnSnapshot = VolumeEncryption & {
  readonly id: string;
  readonly volumeId: string;
  readonly sizeGib: number;
  readonly startedAt: Instant;
  readonly description: string;
};

/** How long EC2 takes to store a snapshot. */
const storingMs = seconds(30);

/** How far a snapshot is: `pending` until it is stored. */
export function describeSnapshotProgress({ startedAt }: Pick<OwnSnapshot, 'startedAt'>, now: Instant) {
  const part = Math.min(1, (now - startedAt) / storingMs);
  return {
    State: part < 1 ? ('pending' as const) : ('completed' as const),
    Progress: `${Math.floor(part * 100)}%`,
    ...(part === 1 && { CompletionTime: new Date(startedAt + storingMs) }),
  };
}

/** The snapshots of the account, by id. */
export class OwnSnapshots {
  readonly #tags: TagBook;
  readonly #random: Random;
  readonly #byId: Map<string, OwnSnapshot>;

  constructor({ tags, random, ledger }: { readonly tags: TagBook; readonly random: Random; readonly ledger: Ledger }) {
    this.#tags = tags;
    this.#random = random;
    this.#byId = ledger.map('ec2/snapshots');
  }

  /** In the order in which they were made. */
  all(): readonly OwnSnapshot[] {
    return [...this.#byId.values()];
  }

  find(id: string): OwnSnapshot | undefined {
    return this.#byId.get(id);
  }

  add(snapshot: Omit<OwnSnapshot, 'id'>): OwnSnapshot {
    const made = { ...snapshot, id: `snap-0${this.#random.hex(16)}` };
    this.#byId.set(made.id, made);
    return made;
  }

  delete(id: string): void {
    this.#byId.delete(id);
    this.#tags.forget(id);
  }
}

export const noSuchSnapshot = (id: string): AwsError =>
  new AwsError('InvalidSnapshot.NotFound', `The snapshot '${id}' does not exist.`);
