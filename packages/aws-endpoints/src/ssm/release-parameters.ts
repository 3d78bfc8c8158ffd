import { byTextOf, fromTimestamp, instant, type Instant } from '@nodewright/apis';
import { eksImageName } from '../releases/eks-image-name.ts';
import { newestVersionFirst } from '../releases/release-order.ts';
import { releaseVersionOf } from '../releases/release-version.ts';
import type { ImageRelease } from '../releases/release.ts';
import { isPromoted, promotionOf } from '../releases/shelf.ts';

/** A public parameter as it stands now. */
export type PublicParameter = {
  readonly name: string;
  readonly value: string;
  readonly modifiedAt: Instant;
  readonly version: number;
};

/** The releases of one moving parameter, newest first. */
type ParameterLine = { readonly key: string; readonly tree: string; readonly releases: readonly ImageRelease[] };

/**
 * Every image parameter that the releases give rise to: the pinned ones, and per line the one that moves.
 * @param visible published and not withdrawn, newest first
 * @param all also the withdrawn releases: their withdrawal changed the moving parameter
 */
export function releaseParameters(
  visible: readonly ImageRelease[],
  all: readonly ImageRelease[],
  now: Instant,
): ReadonlyMap<string, PublicParameter> {
  const left = all.filter((release) => leftAt(release, now) !== undefined);
  const parameters = listParameterLines(visible).flatMap((line) => {
    const pointer = moving(line, { left: left.filter((release) => parameterLineKey(release) === line.key), now });
    return [...line.releases.flatMap((release) => listPinnedParameters(line.tree, release, now)), ...pointer];
  });
  // Of two builds with one name, the later one has overwritten the parameters.
  const byName = new Map(parameters.toReversed().map((parameter) => [parameter.name, parameter]));
  return new Map([...byName].toSorted(byTextOf(([key]) => key)));
}

/** When the pointer moved away from a release to an older one, if it has. One that never was named took it nowhere. */
function leftAt(release: ImageRelease, now: Instant): Instant | undefined {
  const ends = [release.withdrawnAt, release.recalledAt].flatMap((text) =>
    text === undefined ? [] : [fromTimestamp(text)],
  );
  const end = instant(Math.min(...ends));
  return end <= now && fromTimestamp(promotionOf(release)) < end ? end : undefined;
}

function listParameterLines(releases: readonly ImageRelease[]): readonly ParameterLine[] {
  const lines = new Map<string, ImageRelease[]>();
  for (const release of releases) {
    const key = parameterLineKey(release);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, [release]);
    else line.push(release);
  }
  return [...lines].map(([key, releases]) => ({ key, tree: key.split(' ', 1).join(''), releases }));
}

/** Ubuntu's folder holds both architectures, each with a pointer of its own. */
const parameterLineKey = (release: ImageRelease): string => `${treeOf(release)} ${release.arch}`;

/** The folder under which a release's parameters live. */
function treeOf(release: ImageRelease): string {
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
const ubuntuVersion = ({ name }: ImageRelease): string => /-(\d\d\.\d\d)-/.exec(name)?.[1] ?? '20.04';

const al2Suffix = ({ variant, arch }: ImageRelease): string =>
  variant !== 'standard' ? '-gpu' : arch === 'arm64' ? '-arm64' : '';

const bottlerocketSuffix = ({ variant }: ImageRelease): string => (variant === 'standard' ? '' : `-${variant}`);

/** The folders a release can be asked for by, and since when; Windows has the moving form only. */
function pinnedFolders(tree: string, release: ImageRelease): readonly (readonly [folder: string, since: string])[] {
  const { family, publishedAt, version } = release;
  switch (family) {
    case 'Bottlerocket':
      return [
        [`${tree}/${version.replace(/^v/, '')}`, promotionOf(release)],
        [`${tree}/${releaseVersionOf(release)}`, publishedAt],
      ];
    case 'Ubuntu':
      return [[`${tree}/${version.replace(/^v/, '')}`, publishedAt]];
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return [];
    case 'AL2':
    case 'AL2023':
      return [[`${tree}/${eksImageName(release)}`, publishedAt]];
    case 'AmazonLinux':
      return [[`${tree}/${release.name}`, publishedAt]];
  }
}

const listPinnedParameters = (tree: string, release: ImageRelease, now: Instant): readonly PublicParameter[] =>
  pinnedFolders(tree, release)
    .map(([folder, since]) => ({ folder, modifiedAt: fromTimestamp(since) }))
    .filter(({ modifiedAt }) => modifiedAt <= now)
    .flatMap(({ folder, modifiedAt }) => leaves(folder, release, { modifiedAt, version: 1 }));

/** The pointer moved once for each release, and back once for each newer one that it has left. */
function moving(
  { tree, releases }: ParameterLine,
  { left, now }: { readonly left: readonly ImageRelease[]; readonly now: Instant },
): readonly PublicParameter[] {
  const named = releases.filter((release) => isPromoted(release, now));
  const [newest] = named;
  if (newest === undefined) return [];
  const leavings = left
    .filter((release) => newestVersionFirst(release, newest) < 0)
    .flatMap((release) => leftAt(release, now) ?? []);
  const at = {
    modifiedAt: instant(Math.max(fromTimestamp(promotionOf(newest)), ...leavings)),
    version: named.length + 2 * leavings.length,
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

function leaves(folder: string, release: ImageRelease, at: Stamp): readonly PublicParameter[] {
  const values = leafValues(release);
  return Object.entries(values).map(([leaf, value]) => ({ name: `${folder}/${leaf}`, value, ...at }));
}

function leafValues(release: ImageRelease): Readonly<Record<string, string>> {
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
const ubuntuLeaves = ({ arch, imageId, name }: ImageRelease) => ({
  [`${arch}/hvm/${name.includes('/hvm-ssd-gp3/') ? 'ebs-gp3' : 'ebs-gp2'}/ami-id`]: imageId,
});

const windowsLeaves = (release: ImageRelease) => ({
  image_id: release.imageId,
  release_version: releaseVersionOf(release),
});

const bottlerocketLeaves = (release: ImageRelease) => ({
  image_id: release.imageId,
  image_version: releaseVersionOf(release),
});

const eksLeaves = (release: ImageRelease) => ({
  image_id: release.imageId,
  image_name: release.name,
  release_version: releaseVersionOf(release),
});

const recommendation = (release: ImageRelease): string =>
  JSON.stringify({ schema_version: '2', ...eksLeaves(release) });
