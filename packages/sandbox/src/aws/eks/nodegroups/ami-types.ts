import { isPromoted } from '../../../releases/shelf.ts';
import { releaseVersionOf } from '../../../releases/release-version.ts';
import type { Release } from '../../../releases/release.ts';
import type { ReleaseStore } from '../../../releases/release-store.ts';
import type { Instant } from '@nodewright/apis';
import type { NodeGroup } from './node-group.ts';

export type AmiType = NodeGroup['amiType'];

/** The images one AMI type stands for. */
export type ReleaseLine = Pick<Release, 'family' | 'variant' | 'arch'>;

const line = (family: Release['family'], variant: Release['variant'], arch: Release['arch']): ReleaseLine => ({
  family,
  variant,
  arch,
});

const lines: Partial<Record<AmiType, ReleaseLine>> = {
  AL2_x86_64: line('AL2', 'standard', 'amd64'),
  AL2_x86_64_GPU: line('AL2', 'nvidia', 'amd64'),
  AL2_ARM_64: line('AL2', 'standard', 'arm64'),
  AL2023_x86_64_STANDARD: line('AL2023', 'standard', 'amd64'),
  AL2023_ARM_64_STANDARD: line('AL2023', 'standard', 'arm64'),
  AL2023_x86_64_NEURON: line('AL2023', 'neuron', 'amd64'),
  AL2023_x86_64_NVIDIA: line('AL2023', 'nvidia', 'amd64'),
  AL2023_ARM_64_NVIDIA: line('AL2023', 'nvidia', 'arm64'),
  BOTTLEROCKET_x86_64: line('Bottlerocket', 'standard', 'amd64'),
  BOTTLEROCKET_ARM_64: line('Bottlerocket', 'standard', 'arm64'),
  BOTTLEROCKET_x86_64_NVIDIA: line('Bottlerocket', 'nvidia', 'amd64'),
  BOTTLEROCKET_ARM_64_NVIDIA: line('Bottlerocket', 'nvidia', 'arm64'),
  BOTTLEROCKET_x86_64_FIPS: line('Bottlerocket', 'fips', 'amd64'),
  BOTTLEROCKET_ARM_64_FIPS: line('Bottlerocket', 'fips', 'arm64'),
  WINDOWS_CORE_2019_x86_64: line('Windows2019', 'standard', 'amd64'),
  WINDOWS_FULL_2019_x86_64: line('Windows2019', 'standard', 'amd64'),
  WINDOWS_CORE_2022_x86_64: line('Windows2022', 'standard', 'amd64'),
  WINDOWS_FULL_2022_x86_64: line('Windows2022', 'standard', 'amd64'),
  WINDOWS_CORE_2025_x86_64: line('Windows2025', 'standard', 'amd64'),
  WINDOWS_FULL_2025_x86_64: line('Windows2025', 'standard', 'amd64'),
};

export const lineOf = (amiType: AmiType): ReleaseLine | undefined => lines[amiType];

/** Every AMI type, for the words of a refusal. */
export const amiTypes: readonly string[] = [...Object.keys(lines), 'CUSTOM'];

type Asked = { readonly amiType: AmiType; readonly version: string; readonly now: Instant };

/** What nodes of the type can be launched from now, the recommended build first. */
export function releasesFor({ amiType, version, now }: Asked, store: ReleaseStore): readonly Release[] {
  const wanted = lines[amiType];
  return store
    .shelf(version)
    .visibleAt(now)
    .filter(
      (release) =>
        release.family === wanted?.family && release.variant === wanted.variant && release.arch === wanted.arch,
    )
    .toSorted((a, b) => Number(isPromoted(b, now)) - Number(isPromoted(a, now)));
}

/** The minor that a release version names; Bottlerocket's names none. */
export const minorOfRelease = (releaseVersion: string): string | undefined =>
  /^(\d+\.\d+)\.\d+-\d{8}$/.exec(releaseVersion)?.[1];

export const named = (releases: readonly Release[], releaseVersion: string): Release | undefined =>
  releases.find((release) => releaseVersionOf(release) === releaseVersion || release.version === releaseVersion);
