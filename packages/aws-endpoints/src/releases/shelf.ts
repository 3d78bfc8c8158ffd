import { fromTimestamp, type Instant, oncePerObject } from '@nodewright/apis';
import type { ImageRelease } from './release.ts';
import { newestVersionFirst } from './release-order.ts';

/** The releases of one Kubernetes minor. */
export class Shelf {
  #releases: readonly ImageRelease[];
  #byImage: ReadonlyMap<string, ImageRelease> | undefined;
  #visible: { readonly releases: readonly ImageRelease[]; readonly from: Instant; readonly until: Instant } | undefined;
  /** The last answer of `nextChange`: a freshness check asks it for every call, also where the builds are not read. */
  #next: { readonly since: Instant; readonly at: Instant } | undefined;

  constructor(releases: readonly ImageRelease[]) {
    this.#releases = sortNewestFirst(releases);
  }

  /** Newest first. The same array as long as nothing is put. */
  get releases(): readonly ImageRelease[] {
    return this.#releases;
  }

  byImage(imageId: string): ImageRelease | undefined {
    this.#byImage ??= new Map(this.#releases.map((release) => [release.imageId, release]));
    return this.#byImage.get(imageId);
  }

  /** Published and not withdrawn, newest first. The same array as long as nothing changes. */
  visibleAt(now: Instant): readonly ImageRelease[] {
    const known = this.#visible;
    if (known !== undefined && known.from <= now && now < known.until) return known.releases;
    const releases = this.#releases.filter((release) => isOut(release, now));
    this.#visible = { releases, from: now, until: nextShelfChange(this.#releases, now) };
    return releases;
  }

  /** The next instant after `since` at which a build comes, goes, or moves a pointer; `Infinity` for never. */
  nextChange(since: Instant): Instant {
    const visible = this.#visible;
    if (visible !== undefined && visible.from <= since && since < visible.until) return visible.until;
    if (this.#next === undefined || since < this.#next.since || this.#next.at <= since)
      this.#next = { since, at: nextShelfChange(this.#releases, since) };
    return this.#next.at;
  }

  /** Adds builds; those with the same image id are replaced. */
  put(releases: readonly ImageRelease[]): void {
    if (releases.length === 0) return;
    const ids = new Set(releases.map(({ imageId }) => imageId));
    this.#releases = [...this.#releases.filter(({ imageId }) => !ids.has(imageId)), ...releases].toSorted(
      newestVersionFirst,
    );
    this.#byImage = undefined;
    this.#visible = undefined;
    this.#next = undefined;
  }
}

/** A history hands the same list to every sandbox. */
const sortNewestFirst = oncePerObject((releases: readonly ImageRelease[]) => releases.toSorted(newestVersionFirst));

/** Whether a release is out at a time: published, and not withdrawn. */
export const isOut = ({ publishedAt, withdrawnAt }: ImageRelease, now: Instant): boolean =>
  hasCome(publishedAt, now) && !hasCome(withdrawnAt, now);

/** Returns whether the moving parameter may name the release: it is published and promoted, and the pointer was not moved away from it. */
export const isPromoted = (release: ImageRelease, now: Instant): boolean =>
  isOut(release, now) && hasCome(promotionOf(release), now) && !hasCome(release.recalledAt, now);

export const promotionOf = ({ publishedAt, promotedAt }: ImageRelease): string => promotedAt ?? publishedAt;

const hasCome = (time: string | undefined, now: Instant): boolean => time !== undefined && fromTimestamp(time) <= now;

function nextShelfChange(releases: readonly ImageRelease[], now: Instant): Instant {
  const changes = releases.flatMap(({ publishedAt, withdrawnAt, recalledAt, promotedAt }) =>
    [publishedAt, withdrawnAt, recalledAt, promotedAt].flatMap((text) =>
      text === undefined ? [] : [fromTimestamp(text)],
    ),
  );
  return changes.reduce((next, at) => (at > now && at < next ? at : next), Infinity as Instant);
}
