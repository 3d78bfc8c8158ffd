import { byTextOf, type Instant } from '@nodewright/apis';
import type { ReleaseStore } from '../releases/release-store.ts';
import type { ImageRelease } from '../releases/release.ts';
import { releaseParameters, type PublicParameter } from './release-parameters.ts';

type BuiltParameters = {
  readonly from: readonly ImageRelease[];
  readonly parameters: ReadonlyMap<string, PublicParameter>;
};

/** The public parameters of the region at a time, minor by minor; made anew only when a release came or went. */
export class PublicParameters {
  readonly #releases: ReleaseStore;
  readonly #made = new Map<string, BuiltParameters>();

  constructor(releases: ReleaseStore) {
    this.#releases = releases;
  }

  get(name: string, now: Instant): PublicParameter | undefined {
    const minor = minorIn(`${name}/`);
    return minor === undefined ? undefined : this.#at(minor, now).get(name);
  }

  /** Those below a path, by name. Without `recursive` only the direct children. */
  below(path: string, options: { readonly recursive: boolean; readonly now: Instant }): readonly PublicParameter[] {
    const minor = minorIn(path.endsWith('/') ? path : `${path}/`);
    const minors = minor === undefined ? this.#releases.minors() : [minor];
    return minors
      .flatMap((each) => [...this.#at(each, options.now).values()])
      .filter(({ name }) => isBelow(name, path, options.recursive))
      .toSorted(byTextOf(({ name }) => name));
  }

  #at(minor: string, now: Instant): ReadonlyMap<string, PublicParameter> {
    const shelf = this.#releases.shelf(minor);
    const visible = shelf.visibleAt(now);
    const known = this.#made.get(minor);
    if (known?.from === visible) return known.parameters;
    const parameters = releaseParameters(visible, shelf.releases, now);
    this.#made.set(minor, { from: visible, parameters });
    return parameters;
  }
}

/** Every image parameter has the minor in its path. */
const minorIn = (path: string): string | undefined => /[/_-](1\.\d+)(?=[/-])/.exec(path)?.[1];

/** Whether a parameter is in a folder, or with `recursive` anywhere below it. */
export function isBelow(name: string, path: string, recursive: boolean): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`;
  return name.startsWith(folder) && (recursive || !name.slice(folder.length).includes('/'));
}
