import type { Instant } from '@nodewright/apis';
import { meaningOf } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { imageParameter, imageParametersBelow, type ImageParameter } from './parameters.ts';
import { type Alias, type ReleasePath, releasePaths } from './release-paths.ts';

/** An image that a parameter names, with what the parameter tells of it. */
export type AliasedImage = {
  readonly imageId: string;
  readonly variant: ReleasePath['variant'];
  readonly publishedAt?: Instant;
  readonly recommended?: boolean;
};

export type AliasQuestion = {
  readonly alias: Alias;
  readonly kubernetesVersion: string;
  /** Whether older releases are wanted too: a minimum age may pass the newest over. */
  readonly withHistory: boolean;
};

/** The images of an alias, variant by variant. A variant without a parameter is left out. */
export async function aliasedImages(
  context: AwsContext,
  { alias, kubernetesVersion, withHistory }: AliasQuestion,
  signal: AbortSignal,
): Promise<readonly AliasedImage[]> {
  const paths = releasePaths(alias, kubernetesVersion);
  const isMoving = alias.version === 'latest';
  const named = await onEach(paths, ({ path }) => imageParameter(context, path, signal));
  const history =
    isMoving && withHistory
      ? await onEach(paths, ({ path }) => releasesBeside(context, path, signal))
      : new Map<string, Releases>();
  return paths.flatMap(({ path, variant }): AliasedImage[] => {
    const parameter = named.get(path);
    const older = [...(history.get(path) ?? [])].map(([imageId, publishedAt]) => ({ imageId, variant, publishedAt }));
    if (parameter === undefined) return older;
    const image = isMoving
      ? recommended(parameter, history.get(path))
      : { imageId: parameter.imageId, publishedAt: parameter.modifiedAt };
    return [{ ...image, variant }, ...older.filter(({ imageId }) => imageId !== image.imageId)];
  });
}

/** Image id to when it was published. */
type Releases = ReadonlyMap<string, Instant>;

/** Dated by its own parameter if that is known, else by the moving one: it names the release since then. */
function recommended(
  { imageId, modifiedAt }: ImageParameter,
  releases: Releases | undefined,
): Omit<AliasedImage, 'variant'> {
  const publishedAt = releases?.get(imageId) ?? modifiedAt;
  return { imageId, recommended: true, ...(releases === undefined ? {} : { publishedAt }) };
}

/** The releases with parameters of their own, beside a moving one. None where reading them is not allowed. */
async function releasesBeside(context: AwsContext, path: string, signal: AbortSignal): Promise<Releases> {
  const tree = path.replace(/\/[^/]+\/image_id$/, '');
  const releases = new Map<string, Instant>();
  for (const { name, imageId, modifiedAt } of await listed(context, tree, signal)) {
    if (!name.endsWith('/image_id') || /\/(?:recommended|latest)\/image_id$/.test(name)) continue;
    const known = releases.get(imageId);
    if (known === undefined || modifiedAt < known) releases.set(imageId, modifiedAt);
  }
  return releases;
}

async function listed(context: AwsContext, tree: string, signal: AbortSignal) {
  try {
    return await imageParametersBelow(context, tree, signal);
  } catch (error) {
    if (meaningOf(error) === 'unauthorized') return [];
    throw error;
  }
}

/** Asks once for each different path. */
async function onEach<T>(
  paths: readonly ReleasePath[],
  ask: (path: ReleasePath) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const distinct = [...new Map(paths.map((path) => [path.path, path])).values()];
  const answers = await Promise.all(distinct.map(async (path): Promise<[string, T]> => [path.path, await ask(path)]));
  return new Map(answers);
}
