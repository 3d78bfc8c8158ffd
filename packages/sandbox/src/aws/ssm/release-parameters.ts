import { fromTimestamp, type Instant } from '@nodewright/apis';
import type { Release } from '../../releases/release.ts';

/** A public parameter as it stands now. */
export type PublicParameter = {
  readonly name: string;
  readonly value: string;
  readonly modifiedAt: Instant;
  readonly version: number;
};

/** The releases one moving parameter chooses from, newest first. */
type Line = { readonly tree: string; readonly releases: readonly Release[] };

/**
 * Every image parameter that the releases give rise to: the pinned ones, and per line the one that moves.
 * @param visible published and not withdrawn, newest first
 * @param withdrawn gone again; the moving parameter was touched when they went
 */
export function releaseParameters(
  visible: readonly Release[],
  withdrawn: readonly Release[],
): ReadonlyMap<string, PublicParameter> {
  const parameters = linesOf(visible).flatMap((line) => [
    ...line.releases.flatMap((release) => pinned(line.tree, release)),
    ...moving(
      line,
      withdrawn.filter((release) => treeOf(release) === line.tree),
    ),
  ]);
  const sorted = parameters.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map((parameter) => [parameter.name, parameter]));
}

function linesOf(releases: readonly Release[]): readonly Line[] {
  const lines = new Map<string, Release[]>();
  for (const release of releases) {
    const tree = treeOf(release);
    if (tree === undefined) continue;
    lines.set(tree, [...(lines.get(tree) ?? []), release]);
  }
  return [...lines].map(([tree, releases]) => ({ tree, releases }));
}

/** The folder under which a release's parameters live; none for families without versioned parameters. */
function treeOf(release: Release): string | undefined {
  const eks = `/aws/service/eks/optimized-ami/${release.kubernetesVersion}`;
  const machine = release.arch === 'amd64' ? 'x86_64' : 'arm64';
  switch (release.family) {
    case 'AL2':
      return `${eks}/amazon-linux-2${al2Suffix(release)}`;
    case 'AL2023':
      return `${eks}/amazon-linux-2023/${machine}/${release.variant}`;
    case 'Bottlerocket':
      return `/aws/service/bottlerocket/aws-k8s-${release.kubernetesVersion}${bottlerocketSuffix(release)}/${machine}`;
    default:
      return undefined;
  }
}

const al2Suffix = ({ variant, arch }: Release): string =>
  variant !== 'standard' ? '-gpu' : arch === 'arm64' ? '-arm64' : '';

const bottlerocketSuffix = ({ variant }: Release): string => (variant === 'standard' ? '' : `-${variant}`);

function pinned(tree: string, release: Release): readonly PublicParameter[] {
  const at = { modifiedAt: fromTimestamp(release.publishedAt), version: 1 };
  if (release.family !== 'Bottlerocket') return leaves(`${tree}/${release.name}`, release, at);
  return [release.version, longVersion(release)].flatMap((version) => leaves(`${tree}/${version}`, release, at));
}

/** The pointer moved once for each release, and back once for each that was withdrawn. */
function moving({ tree, releases }: Line, withdrawn: readonly Release[]): readonly PublicParameter[] {
  const [newest] = releases;
  if (newest === undefined) return [];
  const moves = [newest.publishedAt, ...withdrawn.flatMap(({ withdrawnAt }) => withdrawnAt ?? [])];
  const at = {
    modifiedAt: moves.map(fromTimestamp).reduce((a, b) => (a > b ? a : b)),
    version: releases.length + 2 * withdrawn.length,
  };
  if (newest.family === 'Bottlerocket') return leaves(`${tree}/latest`, newest, at);
  const document = { name: `${tree}/recommended`, value: recommendation(newest), ...at };
  return [document, ...leaves(`${tree}/recommended`, newest, at)];
}

type Stamp = Pick<PublicParameter, 'modifiedAt' | 'version'>;

function leaves(folder: string, release: Release, at: Stamp): readonly PublicParameter[] {
  const values = release.family === 'Bottlerocket' ? bottlerocketLeaves(release) : eksLeaves(release);
  return Object.entries(values).map(([leaf, value]) => ({ name: `${folder}/${leaf}`, value, ...at }));
}

const bottlerocketLeaves = (release: Release) => ({ image_id: release.imageId, image_version: longVersion(release) });

const eksLeaves = (release: Release) => ({
  image_id: release.imageId,
  image_name: release.name,
  release_version: releaseVersion(release),
});

const recommendation = (release: Release): string => JSON.stringify({ schema_version: '2', ...eksLeaves(release) });

/** `1.28.5-20240117`: the kubelet's patch version and the date of the build. */
const releaseVersion = ({ kubeletVersion, version }: Release): string =>
  `${kubeletVersion.replace(/^v/, '').split('-', 1).join('')}-${version.replace(/^v/, '')}`;

/** `1.18.0-7452c37e`, as the image's name ends. */
const longVersion = ({ name, version }: Release): string => name.split('-v').at(-1) ?? version;
