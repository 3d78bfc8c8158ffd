import { parseMinorNumber } from '../../releases/minors.ts';
import { isPromoted } from '../../releases/shelf.ts';
import { releaseVersionOf } from '../../releases/release-version.ts';
import type { ImageRelease } from '../../releases/release.ts';
import type { ReleaseStore } from '../../releases/release-store.ts';
import { type Instant, readOwn, byNumberOf, inReverse } from '@nodewright/apis';
import type { EksNodeGroup } from './node-group.ts';

export type AmiType = EksNodeGroup['amiType'];

/** The images one AMI type stands for. */
export type ReleaseLine = Pick<ImageRelease, 'family' | 'variant' | 'arch'> & {
  /** Which of the two editions of Windows, as the image's name has it. */
  readonly edition?: 'Core' | 'Full';
};

const line = (
  family: ImageRelease['family'],
  variant: ImageRelease['variant'],
  arch: ImageRelease['arch'],
): ReleaseLine => ({
  family,
  variant,
  arch,
});

const windowsLine = (family: ImageRelease['family'], edition: 'Core' | 'Full'): ReleaseLine => ({
  ...line(family, 'standard', 'amd64'),
  edition,
});

const releaseLines: Partial<Record<AmiType, ReleaseLine>> = {
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
  BOTTLEROCKET_x86_64_NVIDIA_FIPS: line('Bottlerocket', 'nvidia-fips', 'amd64'),
  BOTTLEROCKET_ARM_64_NVIDIA_FIPS: line('Bottlerocket', 'nvidia-fips', 'arm64'),
  WINDOWS_CORE_2019_x86_64: windowsLine('Windows2019', 'Core'),
  WINDOWS_FULL_2019_x86_64: windowsLine('Windows2019', 'Full'),
  WINDOWS_CORE_2022_x86_64: windowsLine('Windows2022', 'Core'),
  WINDOWS_FULL_2022_x86_64: windowsLine('Windows2022', 'Full'),
  WINDOWS_CORE_2025_x86_64: windowsLine('Windows2025', 'Core'),
  WINDOWS_FULL_2025_x86_64: windowsLine('Windows2025', 'Full'),
};

export const findReleaseLine = (amiType: AmiType): ReleaseLine | undefined => readOwn(releaseLines, amiType);

/** Every AMI type, for the words of a refusal. */
export const amiTypes: readonly string[] = [...Object.keys(releaseLines), 'CUSTOM'];

/** The first minor whose node groups are of Amazon Linux 2023 where the request names no AMI type. */
const firstAl2023Minor = 30;

/** Returns the AMI type that EKS takes for a group of a minor when the request names none. */
export const defaultAmiType = (minor: string): AmiType =>
  parseMinorNumber(minor) < firstAl2023Minor ? 'AL2_x86_64' : 'AL2023_x86_64_STANDARD';

type AmiRequest = { readonly amiType: AmiType; readonly version: string; readonly now: Instant };

/** What nodes of the type can be launched from now, the recommended build first. */
export function releasesFor({ amiType, version, now }: AmiRequest, store: ReleaseStore): readonly ImageRelease[] {
  const wanted = readOwn(releaseLines, amiType);
  return store
    .shelf(version)
    .visibleAt(now)
    .filter((release) => wanted !== undefined && isOfLine(release, wanted))
    .toSorted(inReverse(byNumberOf((each) => Number(isPromoted(each, now)))));
}

/** Managed groups take no Windows image that is older. */
const firstWindows = '2022-11';

function isOfLine({ family, variant, arch, name, createdAt }: ImageRelease, wanted: ReleaseLine): boolean {
  if (family !== wanted.family || variant !== wanted.variant || arch !== wanted.arch) return false;
  return wanted.edition === undefined || (name.includes(`-${wanted.edition}-`) && createdAt >= firstWindows);
}

/** The minor that a release version names; Bottlerocket's names none. */
export const minorOfRelease = (releaseVersion: string): string | undefined =>
  /^(\d+\.\d+)(?:\.\d+-\d{8}|-\d{4}\.\d\d\.\d\d)$/.exec(releaseVersion)?.[1];

export const findReleaseVersion = (
  releases: readonly ImageRelease[],
  releaseVersion: string,
): ImageRelease | undefined =>
  releases.find((release) => releaseVersionOf(release) === releaseVersion || release.version === releaseVersion);
