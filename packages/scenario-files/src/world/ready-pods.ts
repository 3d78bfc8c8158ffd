import { type Instant, isConditionTrue, type Pod } from '@nodewright/apis';

/** How many pods were ready since when. */
export type ReadyPodCount = { readonly at: Instant; readonly ready: number; readonly total: number };

/** Follows how many pods are ready, for the timeline. */
export class ReadyPods {
  readonly #now: () => Instant;
  readonly #ready = new Map<string, boolean>();
  readonly #counts: ReadyPodCount[] = [];

  constructor(now: () => Instant) {
    this.#now = now;
  }

  see(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod): void {
    const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    const before = this.#ready.get(key);
    const after = type === 'DELETED' ? undefined : isConditionTrue(pod, 'Ready');
    if (before === after) return;
    if (after === undefined) this.#ready.delete(key);
    else this.#ready.set(key, after);
    const ready = [...this.#ready.values()].filter(Boolean).length;
    const count = { at: this.#now(), ready, total: this.#ready.size };
    if (this.#counts.at(-1)?.at === count.at) this.#counts.pop();
    this.#counts.push(count);
  }

  counts(): readonly ReadyPodCount[] {
    return this.#counts;
  }
}
