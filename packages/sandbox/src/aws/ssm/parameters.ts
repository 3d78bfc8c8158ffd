import type { Instant } from '@nodewright/apis';
import type { ReleaseStore } from '../../releases/release-store.ts';
import type { Release } from '../../releases/release.ts';
import { releaseParameters, type PublicParameter } from './release-parameters.ts';

/** The public parameters of the region at a time; made anew only when a release came or went. */
export class PublicParameters {
  readonly #releases: ReleaseStore;
  #made: { readonly from: readonly Release[]; readonly parameters: ReadonlyMap<string, PublicParameter> } | undefined;

  constructor(releases: ReleaseStore) {
    this.#releases = releases;
  }

  get(name: string, now: Instant): PublicParameter | undefined {
    return this.#at(now).get(name);
  }

  /** Those below a path, by name. Without `recursive` only the direct children. */
  below(path: string, options: { readonly recursive: boolean; readonly now: Instant }): readonly PublicParameter[] {
    const folder = path.endsWith('/') ? path : `${path}/`;
    return [...this.#at(options.now).values()].filter(
      ({ name }) => name.startsWith(folder) && (options.recursive || !name.slice(folder.length).includes('/')),
    );
  }

  #at(now: Instant): ReadonlyMap<string, PublicParameter> {
    const visible = this.#releases.visibleAt(now);
    if (this.#made?.from !== visible) {
      const withdrawn = this.#releases.list().filter((release) => wasWithdrawn(release, now));
      this.#made = { from: visible, parameters: releaseParameters(visible, withdrawn) };
    }
    return this.#made.parameters;
  }
}

const wasWithdrawn = ({ withdrawnAt }: Release, now: Instant): boolean =>
  withdrawnAt !== undefined && Date.parse(withdrawnAt) <= now;
