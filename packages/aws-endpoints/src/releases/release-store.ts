import { type Instant, instant, readOwn, toTimestamp } from '@nodewright/apis';
import { forgetfulLedger, type Ledger } from '@nodewright/runtime';
import { type ReleaseHistory, sortedMinors } from './history.ts';
import type { ImageRelease } from './release.ts';
import { newestVersionFirst } from './release-order.ts';
import { isOut, Shelf } from './shelf.ts';

/** Which builds a withdrawal or deprecation means: all of them that fit what is given. */
export type ReleaseSelector = Partial<
  Pick<ImageRelease, 'family' | 'variant' | 'arch' | 'kubernetesVersion' | 'version' | 'imageId' | 'name'>
>;

/**
 * Every build that was or will be published, by Kubernetes minor. What the account sees of them is a
 * matter of the time. A minor's history is made when something first asks for it.
 */
export class ReleaseStore {
  readonly #history: ReleaseHistory;
  readonly #shelves = new Map<string, Shelf>();
  /** What was published, withdrawn or deprecated by hand, by image. */
  readonly #changed: Map<string, ImageRelease>;

  constructor(history: ReleaseHistory, ledger: Ledger = forgetfulLedger()) {
    this.#history = history;
    this.#changed = ledger.map('releases');
  }

  /** Minors that have releases, oldest first. */
  minors(): readonly string[] {
    const changed = [...this.#changed.values()].map(({ kubernetesVersion }) => kubernetesVersion);
    return sortedMinors([...this.#history.minors, ...changed]);
  }

  /** All releases that fit, newest first within each minor, also those of the future and those withdrawn. */
  list(which: ReleaseSelector = {}): readonly ImageRelease[] {
    const minors = which.kubernetesVersion === undefined ? this.minors() : [which.kubernetesVersion];
    return minors.flatMap((minor) => this.shelf(minor).releases.filter((release) => fitsSelector(release, which)));
  }

  /** Published and not withdrawn, of every minor. */
  visibleAt(now: Instant): readonly ImageRelease[] {
    return this.minors().flatMap((minor) => this.shelf(minor).visibleAt(now));
  }

  /** The same of one minor, newest first. */
  visibleOf(minor: string, now: Instant): readonly ImageRelease[] {
    return this.shelf(minor).releases.filter((release) => isOut(release, now));
  }

  /** The next instant after `since` at which what is visible changes, among the minors that were asked for. */
  nextChange(since: Instant): Instant | undefined {
    const next = Math.min(...[...this.#shelves.values()].map((shelf) => shelf.nextChange(since)));
    return Number.isFinite(next) ? instant(next) : undefined;
  }

  /** The releases of one minor. */
  shelf(minor: string): Shelf {
    const known = this.#shelves.get(minor);
    if (known !== undefined) return known;
    const shelf = new Shelf(this.#history.of(minor));
    shelf.put([...this.#changed.values()].filter(({ kubernetesVersion }) => kubernetesVersion === minor));
    this.#shelves.set(minor, shelf);
    return shelf;
  }

  /** The published build of an image, withdrawn or not. Looks first where something was asked for before. */
  byImage(imageId: string): ImageRelease | undefined {
    for (const minor of new Set([...this.#shelves.keys(), ...this.minors()])) {
      const found = this.shelf(minor).byImage(imageId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Adds a build; one with the same image id is replaced. */
  publish(release: ImageRelease): void {
    this.#put([release]);
  }

  /** @returns the builds that are now withdrawn */
  withdraw(which: ReleaseSelector, at: Instant): readonly ImageRelease[] {
    return this.#change(which, { withdrawnAt: toTimestamp(at) });
  }

  /** Moves the pointer away and leaves the images. @returns the builds that no moving parameter names any more */
  recall(which: ReleaseSelector, at: Instant): readonly ImageRelease[] {
    return this.#change(which, { recalledAt: toTimestamp(at) });
  }

  /** @returns the builds that are now deprecated */
  deprecate(which: ReleaseSelector, at: Instant): readonly ImageRelease[] {
    return this.#change(which, { deprecatedAt: toTimestamp(at) });
  }

  #change(which: ReleaseSelector, change: Partial<ImageRelease>): readonly ImageRelease[] {
    const touched = this.list(which).map((release) => ({ ...release, ...change }));
    this.#put(touched);
    return touched.toSorted(newestVersionFirst);
  }

  #put(releases: readonly ImageRelease[]): void {
    for (const release of releases) this.#changed.set(release.imageId, release);
    for (const minor of new Set(releases.map(({ kubernetesVersion }) => kubernetesVersion))) {
      this.shelf(minor).put(releases.filter(({ kubernetesVersion }) => kubernetesVersion === minor));
    }
  }
}

const fitsSelector = (release: ImageRelease, which: ReleaseSelector): boolean =>
  Object.entries(which).every(([field, value]) => value === undefined || readOwn<unknown>(release, field) === value);
