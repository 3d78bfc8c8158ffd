import { type Instant, byNumberOf, inReverse } from '@nodewright/apis';
import { classifyError } from '../../calls/error-codes.ts';
import type { ImageParameter, ImageParameters, NamedParameter, ParameterAge } from './parameters.ts';
import {
  type Alias,
  isRelease,
  isUnpromotedForm,
  type ReleasePath,
  releasePaths,
  versionOfPath,
} from './release-paths.ts';

/** An image that a parameter names, with what the parameter tells of it. */
export type AliasedImage = {
  readonly imageId: string;
  readonly variant?: NonNullable<ReleasePath['variant']>;
  /** When its release got a parameter of its own. */
  readonly publishedAt?: Instant;
  readonly recommended?: boolean;
  /** Since when the moving parameter names it. */
  readonly namedSince?: Instant;
  /** As an alias would pin it; unknown for what has no parameter of its own. */
  readonly version?: string;
  /** The version that the moving parameter of its line names. */
  readonly recommendedVersion?: string;
};

/** What an alias stands for. Lines whose older releases have no parameters that can be read are known by name only. */
export type AliasedImages = { readonly images: readonly AliasedImage[]; readonly byName: readonly ReleasePath[] };

export type AliasQuestion = ParameterAge & {
  readonly alias: Alias;
  readonly kubernetesVersion: string;
  /** Whether older releases are wanted too: a minimum age may pass the newest over. */
  readonly withHistory: boolean;
};

/** The images of an alias, variant by variant. A variant without a parameter is left out. */
export async function findAliasedImages(
  parameters: ImageParameters,
  { alias, kubernetesVersion, withHistory, notOlderThanMs }: AliasQuestion,
  signal: AbortSignal,
): Promise<AliasedImages> {
  const lines = releasePaths(alias, kubernetesVersion);
  const isMoving = alias.version === 'latest';
  const names = lines.map(({ path }) => path);
  const current = await parameters.read(names, { kind: isMoving ? 'moving' : 'pinned', notOlderThanMs }, signal);
  if (!isMoving) return { images: lines.flatMap((line) => pinnedImages(line, current.get(line.path))), byName: [] };
  const found = await Promise.all(
    lines.map(async (line): Promise<AliasedImages> => {
      const parameter = current.get(line.path);
      if (parameter === undefined) return { images: [], byName: [] };
      const releases = withHistory ? await releasesBeside(parameters, { line, parameter }, signal) : noReleases;
      return {
        images: imagesOfLine(line, parameter, releases),
        byName: withHistory && releases.size === 0 ? [line] : [],
      };
    }),
  );
  return { images: found.flatMap(({ images }) => images), byName: found.flatMap(({ byName }) => byName) };
}

const variantOfLine = ({ variant }: ReleasePath) => (variant === undefined ? {} : { variant });

const pinnedImages = (line: ReleasePath, parameter: ImageParameter | undefined): readonly AliasedImage[] =>
  parameter === undefined
    ? []
    : [{ imageId: parameter.imageId, ...variantOfLine(line), publishedAt: parameter.modifiedAt }];

/** By image id: when it was published, and as what. */
type Releases = ReadonlyMap<string, { readonly publishedAt: Instant; readonly version?: string }>;
const noReleases: Releases = new Map();

function imagesOfLine(line: ReleasePath, parameter: ImageParameter, releases: Releases): readonly AliasedImage[] {
  const { imageId, modifiedAt: namedSince } = parameter;
  const own = releases.get(imageId);
  const common = {
    ...variantOfLine(line),
    ...(own?.version === undefined ? {} : { recommendedVersion: own.version }),
  };
  return [
    { imageId, ...common, recommended: true, namedSince, ...own },
    ...[...releases].filter(([id]) => id !== imageId).map(([id, release]) => ({ imageId: id, ...common, ...release })),
  ];
}

/** The releases with parameters of their own, beside a moving one. None where reading them is not allowed. */
async function releasesBeside(
  parameters: ImageParameters,
  { line, parameter }: { readonly line: ReleasePath; readonly parameter: ImageParameter },
  signal: AbortSignal,
): Promise<Releases> {
  if (line.tree === undefined) return noReleases;
  const beside = (
    await listReleaseParameters(
      parameters,
      { tree: line.tree, as: `${parameter.imageId} since ${parameter.modifiedAt}` },
      signal,
    )
  ).filter(({ name }) => isRelease(name, line));
  const out = new Set(beside.filter(({ name }) => !isUnpromotedForm(name)).map(({ imageId }) => imageId));
  const latestFirst = beside
    .filter(({ imageId }) => out.has(imageId))
    .toSorted(inReverse(byNumberOf(({ modifiedAt }) => modifiedAt)));
  // A later entry of the map replaces an earlier one: of two forms of a release, the older counts.
  return new Map(
    latestFirst.map(({ imageId, name, modifiedAt: publishedAt }) => {
      const version = versionOfPath(name, line);
      return [imageId, { publishedAt, ...(version === undefined ? {} : { version }) }];
    }),
  );
}

/** Listed again whenever the moving parameter moves: then a release has come or gone. */
async function listReleaseParameters(
  parameters: ImageParameters,
  { tree, as }: { readonly tree: string; readonly as: string },
  signal: AbortSignal,
): Promise<readonly NamedParameter[]> {
  try {
    return await parameters.below(tree, as, signal);
  } catch (error) {
    if (classifyError(error) === 'unauthorized') return [];
    throw error;
  }
}
