import { fromTimestamp, type Instant } from '@nodewright/apis';
import { newestVersionFirst } from '../../releases/release-order.ts';
import { releaseVersionOf } from '../../releases/release-version.ts';
import type { Release } from '../../releases/release.ts';

/** A public parameter as it stands now. */
export type PublicParameter = {
  readonly name: string;
  readonly value: string;
  readonly modifiedAt: Instant;
  readonly version: number;
};

/** The releases one moving parameter chooses from, newest first. */
type Line = { readonly key: string; readonly tree: string; readonly releases: readonly Release[] };

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
      withdrawn.filter((release) => lineOf(release) === line.key && isNewer(release, line)),
    ),
  ]);
  const sorted = parameters.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map((parameter) => [parameter.name, parameter]));
}

/** An older release takes the pointer nowhere when it goes. */
const isNewer = (release: Release, { releases: [newest] }: Line): boolean =>
  newest === undefined || newestVersionFirst(release, newest) < 0;

function linesOf(releases: readonly Release[]): readonly Line[] {
  const lines = new Map<string, Release[]>();
  for (const release of releases) {
    const key = lineOf(release);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, [release]);
    else line.push(release);
  }
  return [...lines].map(([key, releases]) => ({ key, tree: key.split(' ', 1).join(''), releases }));
}

/** Ubuntu's folder holds both architectures, each with a pointer of its own. */
const lineOf = (release: Release): string => `${treeOf(release)} ${release.arch}`;

/** The folder under which a release's parameters live. */
function treeOf(release: Release): string {
  const eks = `/aws/service/eks/optimized-ami/${release.kubernetesVersion}`;
  const machine = release.arch === 'amd64' ? 'x86_64' : 'arm64';
  switch (release.family) {
    case 'AL2':
      return `${eks}/amazon-linux-2${al2Suffix(release)}`;
    case 'AmazonLinux':
      return `/aws/service/ami-amazon-linux-latest/${release.name}`;
    case 'AL2023':
      return `${eks}/amazon-linux-2023/${machine}/${release.variant}`;
    case 'Bottlerocket':
      return `/aws/service/bottlerocket/aws-k8s-${release.kubernetesVersion}${bottlerocketSuffix(release)}/${machine}`;
    case 'Ubuntu':
      return `/aws/service/canonical/ubuntu/eks/${ubuntuVersion(release)}/${release.kubernetesVersion}/stable`;
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return `/aws/service/ami-windows-latest/${release.name.replace(/-[\d.]+$/, '')}`;
  }
}

/** `20.04` of `…/ubuntu-focal-20.04-amd64-server-20221208`. */
const ubuntuVersion = ({ name }: Release): string => /-(\d\d\.\d\d)-/.exec(name)?.[1] ?? '20.04';

const al2Suffix = ({ variant, arch }: Release): string =>
  variant !== 'standard' ? '-gpu' : arch === 'arm64' ? '-arm64' : '';

const bottlerocketSuffix = ({ variant }: Release): string => (variant === 'standard' ? '' : `-${variant}`);

/** The folder of each form a release can be asked for by; Windows has the moving form only. */
function pinnedFolders(tree: string, release: Release): readonly string[] {
  switch (release.family) {
    case 'Bottlerocket':
      return [`${tree}/${release.version}`, `${tree}/${releaseVersionOf(release)}`];
    case 'Ubuntu':
      return [`${tree}/${release.version.replace(/^v/, '')}`];
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return [];
    default:
      return [`${tree}/${release.name}`];
  }
}

function pinned(tree: string, release: Release): readonly PublicParameter[] {
  const at = { modifiedAt: fromTimestamp(release.publishedAt), version: 1 };
  return pinnedFolders(tree, release).flatMap((folder) => leaves(folder, release, at));
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
  switch (newest.family) {
    case 'Bottlerocket':
      return leaves(`${tree}/latest`, newest, at);
    case 'Ubuntu':
      return leaves(`${tree}/current`, newest, at);
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return leaves(tree, newest, at);
    default:
      return [
        { name: `${tree}/recommended`, value: recommendation(newest), ...at },
        ...leaves(`${tree}/recommended`, newest, at),
      ];
  }
}

type Stamp = Pick<PublicParameter, 'modifiedAt' | 'version'>;

function leaves(folder: string, release: Release, at: Stamp): readonly PublicParameter[] {
  const values = leafValues(release);
  return Object.entries(values).map(([leaf, value]) => ({ name: `${folder}/${leaf}`, value, ...at }));
}

function leafValues(release: Release): Readonly<Record<string, string>> {
  switch (release.family) {
    case 'Bottlerocket':
      return bottlerocketLeaves(release);
    case 'Ubuntu':
      return ubuntuLeaves(release);
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return windowsLeaves(release);
    default:
      return eksLeaves(release);
  }
}

/** Architecture and volume kind are below the release here. */
const ubuntuLeaves = ({ arch, imageId, name }: Release) => ({
  [`${arch}/hvm/${name.includes('/hvm-ssd-gp3/') ? 'ebs-gp3' : 'ebs-gp2'}/ami-id`]: imageId,
});

const windowsLeaves = (release: Release) => ({ image_id: release.imageId, release_version: releaseVersionOf(release) });

const bottlerocketLeaves = (release: Release) => ({
  image_id: release.imageId,
  image_version: releaseVersionOf(release),
});

const eksLeaves = (release: Release) => ({
  image_id: release.imageId,
  image_name: release.name,
  release_version: releaseVersionOf(release),
});

const recommendation = (release: Release): string => JSON.stringify({ schema_version: '2', ...eksLeaves(release) });
