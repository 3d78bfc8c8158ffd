import { instant, seconds, type Instant, type Pod } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

/** The watch shows that a pod is ending by then. If it does not, the pod is asked once more, which does no harm. */
const rememberedMs = seconds(10);

/**
 * Pods whose eviction was granted and that the watch does not show as ending yet. While a node drains, each of its pods
 * wakes it, and without this memory the others were asked and counted again.
 */
export class GrantedEvictions {
  readonly #clock: Clock;
  /** By the uid of the pod, the oldest first. */
  readonly #until = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ metadata: { uid } }: Pod): void {
    if (uid === undefined) return;
    this.#forgetOld();
    this.#until.delete(uid);
    this.#until.set(uid, instant(this.#clock.now() + rememberedMs));
  }

  has({ metadata: { uid = '' } }: Pod): boolean {
    return (this.#until.get(uid) ?? 0) > this.#clock.now();
  }

  #forgetOld(): void {
    for (const [uid, until] of this.#until) {
      if (until > this.#clock.now()) return;
      this.#until.delete(uid);
    }
  }
}
