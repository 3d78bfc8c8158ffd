import { readOwn } from '@nodewright/apis';
import { al2023Releases, al2Releases } from './amazon-linux.ts';
import { buildPlainAmazonLinux } from './plain-amazon-linux.ts';
import { bottlerocketReleases } from './bottlerocket.ts';
import type { Build } from './build.ts';
import { digitsOf } from './days.ts';
import type { ReleaseHistory } from './history.ts';
import { type Minor, minorNamed, minors } from './minors.ts';
import type { ImageRelease } from './release.ts';
import { ubuntuReleases } from './ubuntu.ts';
import { windowsReleases } from './windows.ts';

/**
 * The history that every sandbox knows: all families for the minors 1.22 to 1.36, from August 2022 on.
 * What lies after the recorded days is imagined, at the pace releases have.
 */
export const builtInReleases = (): ReleaseHistory => ({
  minors: ['', ...minors.map(({ version }) => version)],
  of(version) {
    const built = builtMinors.get(version) ?? buildMinor(version);
    builtMinors.set(version, built);
    return built;
  },
});

/** The history is the same for every sandbox of a process: each minor is built once. */
const builtMinors = new Map<string, readonly ImageRelease[]>();

function buildMinor(version: string): readonly ImageRelease[] {
  if (version === '') return buildPlainAmazonLinux().map(withId);
  const minor = minorNamed(version);
  return minor === undefined ? [] : listBuildsOfMinor(minor).map(withId);
}

const listBuildsOfMinor = (minor: Minor): readonly Build[] => [
  ...al2Releases(minor),
  ...al2023Releases(minor),
  ...bottlerocketReleases(minor),
  ...ubuntuReleases(minor),
  ...windowsReleases(minor),
];

/** Ids that walkthroughs print: the last AL2 build of 1.23, and the pinned AL2023 release. */
const knownIds: Readonly<Record<string, string>> = {
  'amazon-eks-node-1.23-v20231002': 'ami-0fcd72f3118e0dd88',
  'amazon-eks-node-al2023-x86_64-standard-1.29-v20240219': 'ami-052c9ea013e6e3567',
};

/** The same name has the same id in every sandbox. */
const withId = (build: Build): ImageRelease => ({
  ...build,
  imageId: readOwn(knownIds, build.name) ?? `ami-0${digitsOf(build.name, 16)}`,
});
