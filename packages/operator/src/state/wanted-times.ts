import type { Instant, VariantImage } from '@nodewright/apis';
import { structuralHash } from '@nodewright/engine';

/**
 * Since when each policy sees the images that are wanted now. EC2NodeClasses and node groups find a release at different
 * moments: a rollout waits until they agree. It lives in memory: a restart lets a rollout wait again, no more.
 */
export class WantedTimes {
  readonly #known = new Map<string, { readonly hash: string; readonly since: Instant }>();

  sinceWhen(policy: string, wanted: readonly VariantImage[], now: Instant): Instant {
    const hash = structuralHash(wanted.map(({ source, variant, image }) => `${source} ${variant} ${image}`).toSorted());
    const before = this.#known.get(policy);
    if (before?.hash === hash) return before.since;
    this.#known.set(policy, { hash, since: now });
    return now;
  }
}
