import type { Pod } from '@nodewright/apis';
import { findNewestActivePod, isActivePod, isNewerPod } from '@nodewright/engine';
import type { Objects } from './objects.ts';

/**
 * The newest live pod of each owner that was asked about.
 *
 * Guarantees: all pods of an owner are looked at when it is asked about first, and again when its newest pod ends. Any
 * other change costs the same, however many pods the owner has.
 */
export class NewestPods {
  readonly #pods: Pick<Objects['pods'], 'by'>;
  /** By the uid of the owner. An owner without a live pod has no entry. */
  readonly #newest = new Map<string, Pod>();

  constructor(pods: Pick<Objects['pods'], 'by' | 'cache'>) {
    this.#pods = pods;
    pods.cache.onChange(({ before, after }) => {
      for (const { uid } of (after ?? before)?.metadata.ownerReferences ?? []) this.#follow(uid, before, after);
    });
  }

  /** @param owner its uid */
  of(owner: string): Pod | undefined {
    const known = this.#newest.get(owner) ?? findNewestActivePod(this.#pods.by('owner', owner));
    if (known !== undefined) this.#newest.set(owner, known);
    return known;
  }

  #follow(owner: string, before: Pod | undefined, after: Pod | undefined): void {
    const newest = this.#newest.get(owner);
    if (newest === undefined) return;
    const wasNewest = before === newest;
    if (after !== undefined && isActivePod(after) && (wasNewest || isNewerPod(after, newest)))
      this.#newest.set(owner, after);
    else if (wasNewest) this.#newest.delete(owner);
  }
}
