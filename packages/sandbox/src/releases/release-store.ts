import { fromTimestamp, toTimestamp, type Instant } from '@nodewright/apis';
import type { Release } from './release.ts';
import { newestVersionFirst } from './release-order.ts';

/** Which builds a withdrawal or deprecation means: all of them that fit what is given. */
export type ReleaseSelector = Partial<
  Pick<Release, 'family' | 'variant' | 'arch' | 'kubernetesVersion' | 'version' | 'imageId'>
>;

/** Every build that was or will be published. What the account sees of them is a matter of the time. */
export class ReleaseStore {
  #releases: readonly Release[];
  #visible: { readonly releases: readonly Release[]; readonly from: Instant; readonly until: Instant } | undefined;

  constructor(releases: readonly Release[]) {
    this.#releases = releases.toSorted(newestVersionFirst);
  }

  /** All releases, newest first, also those of the future and those withdrawn. */
  list(): readonly Release[] {
    return this.#releases;
  }

  /** Published and not withdrawn, newest first. The same array as long as nothing changes. */
  visibleAt(now: Instant): readonly Release[] {
    const known = this.#visible;
    if (known !== undefined && known.from <= now && now < known.until) return known.releases;
    const releases = this.#releases.filter((release) => isVisible(release, now));
    this.#visible = { releases, from: now, until: nextChange(this.#releases, now) };
    return releases;
  }

  /** The published build of an image, withdrawn or not. */
  byImage(imageId: string): Release | undefined {
    return this.#releases.find((release) => release.imageId === imageId);
  }

  /** Adds a build; one with the same image id is replaced. */
  publish(release: Release): void {
    this.#set([...this.#releases.filter(({ imageId }) => imageId !== release.imageId), release]);
  }

  /** @returns the builds that are now withdrawn */
  withdraw(which: ReleaseSelector, at: Instant): readonly Release[] {
    return this.#change(which, { withdrawnAt: toTimestamp(at) });
  }

  /** @returns the builds that are now deprecated */
  deprecate(which: ReleaseSelector, at: Instant): readonly Release[] {
    return this.#change(which, { deprecatedAt: toTimestamp(at) });
  }

  #change(which: ReleaseSelector, change: Partial<Release>): readonly Release[] {
    const touched = this.#releases
      .filter((release) => fits(release, which))
      .map((release) => ({ ...release, ...change }));
    const ids = new Set(touched.map(({ imageId }) => imageId));
    this.#set([...this.#releases.filter(({ imageId }) => !ids.has(imageId)), ...touched]);
    return touched;
  }

  #set(releases: readonly Release[]): void {
    this.#releases = releases.toSorted(newestVersionFirst);
    this.#visible = undefined;
  }
}

const isVisible = (release: Release, now: Instant): boolean =>
  fromTimestamp(release.publishedAt) <= now &&
  (release.withdrawnAt === undefined || now < fromTimestamp(release.withdrawnAt));

function nextChange(releases: readonly Release[], now: Instant): Instant {
  const changes = releases.flatMap(({ publishedAt, withdrawnAt }) =>
    [publishedAt, withdrawnAt].flatMap((text) => (text === undefined ? [] : [fromTimestamp(text)])),
  );
  return changes.reduce((next, at) => (at > now && at < next ? at : next), Infinity as Instant);
}

const fits = (release: Release, which: ReleaseSelector): boolean =>
  Object.entries(which).every(([field, value]) => release[field as keyof Release] === value);
