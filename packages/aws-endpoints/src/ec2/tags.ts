import { byTextOf, mergeRecords } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';

export type TagSet = Readonly<Record<string, string>>;

const noTags: TagSet = {};

/** Keeps the tags of every resource, by resource id. */
export class TagBook {
  readonly #tags: Map<string, TagSet>;

  constructor(ledger: Ledger) {
    this.#tags = ledger.map('ec2/tags');
  }

  of(resourceId: string): TagSet {
    return this.#tags.get(resourceId) ?? noTags;
  }

  /** Whether the resource has ever had tags. */
  knows(resourceId: string): boolean {
    return this.#tags.has(resourceId);
  }

  /** Adds tags. Existing keys get the new value. */
  add(resourceId: string, tags: TagSet): void {
    this.#tags.set(resourceId, { ...this.of(resourceId), ...tags });
  }

  remove(resourceId: string, keys: readonly string[]): void {
    const left = Object.entries(this.of(resourceId)).filter(([key]) => !keys.includes(key));
    this.#tags.set(resourceId, Object.fromEntries(left));
  }

  forget(resourceId: string): void {
    this.#tags.delete(resourceId);
  }

  /** Lists every tag of every resource, sorted by resource and key. */
  all(): readonly { readonly resourceId: string; readonly key: string; readonly value: string }[] {
    return [...this.#tags]
      .flatMap(([resourceId, tags]) => Object.entries(tags).map(([key, value]) => ({ resourceId, key, value })))
      .toSorted(byTextOf(({ key, resourceId }) => `${resourceId} ${key}`));
  }
}

/** Writes tags as EC2 lists them, sorted by key. */
export const writeEc2Tags = (tags: TagSet): { Key: string; Value: string }[] =>
  Object.entries(tags)
    .toSorted(byTextOf(([key]) => key))
    .map(([Key, Value]) => ({ Key, Value }));

type WireTag = { readonly Key?: string | undefined; readonly Value?: string | undefined };

export const readEc2Tags = (tags: readonly WireTag[] = []): TagSet =>
  Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));

type TagSpecification = { readonly ResourceType?: string | undefined; readonly Tags?: readonly WireTag[] | undefined };

/** Reads the tags that tag specifications have for one type of resource: `instance`, `volume`, `launch-template`. */
export const readTagSpecifications = (kind: string, specifications: readonly TagSpecification[] = []): TagSet =>
  mergeRecords(specifications.filter((each) => each.ResourceType === kind).map(({ Tags }) => readEc2Tags(Tags)));
