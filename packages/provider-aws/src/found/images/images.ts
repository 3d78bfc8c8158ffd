import { type DescribeImagesRequest, DescribeImagesCommand, type Image } from '@aws-sdk/client-ec2';
import { type AmiSelectorTerm, byText, hours, type Instant, instant, minutes } from '@nodewright/apis';
import type { FamilyReleases, FoundImage, FoundImages, ImageQuery, LookupPace } from '@nodewright/ports';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import type { AwsContext } from '../../context.ts';
import { readAllPages } from '../../calls/pages.ts';
import { buildImageRequest, imagesById, imagesNamed } from './describe-requests.ts';
import { findAliasedImages } from './aliased-images.ts';
import { ImageParameters } from './parameters.ts';
import { minorOfName, parseAlias, versionOfName } from './release-paths.ts';

const architectures: ReadonlyMap<string, FoundImage['arch']> = new Map([
  ['x86_64', 'amd64'],
  ['arm64', 'arm64'],
]);

/** How a term came to an image: by alias a variant comes with it. */
type How = Pick<
  FoundImage,
  'term' | 'variant' | 'version' | 'publishedAt' | 'recommended' | 'recommendedVersion' | 'namedSince'
>;

/** One way in which a term names an image. */
type NamedImage = { readonly imageId: string } & How;

/** What a term asks for: images by id, and queries that find them. */
type Lookup = {
  readonly named: readonly NamedImage[];
  readonly queries: readonly { readonly request: DescribeImagesRequest; readonly how: How }[];
};
const emptyLookup: Lookup = { named: [], queries: [] };

/** How old answers may be: of parameters, and of images. */
type ImageAges = { readonly parametersMs: number; readonly imagesMs: number };

type TermQuestion = {
  readonly term: AmiSelectorTerm;
  readonly index: number;
  readonly query: ImageQuery;
  readonly ages: ImageAges;
};

const freshImagesMs = minutes(1);
/** The turn of a NodeClass after twelve minutes looks again. */
const restingImagesMs = minutes(11.5);
/** What moving parameters name is looked up when they move. In between only the end of an image goes unseen. */
const namedImagesMs = hours(1);

/** On whose behalf images are looked up: each caches its own. */
type ImageAsker = { readonly asker: string; readonly ages: ImageAges };

/** Looks up the images that selector terms name. Which of them is launched is decided elsewhere. */
export class ImageLookup {
  readonly #context: AwsContext;
  readonly #parameters: ImageParameters;
  readonly #described: ExpiringCache<readonly Image[]>;
  readonly #refreshMs: number | undefined;

  /** @param refreshMs `AMI_REFRESH_INTERVAL`: how long answers about images, and moving parameters, are believed at any pace */
  constructor(context: AwsContext, refreshMs?: number) {
    this.#context = context;
    this.#refreshMs = refreshMs;
    this.#parameters = new ImageParameters(context);
    this.#described = new ExpiringCache(context.clock, Math.max(refreshMs ?? 0, namedImagesMs), context.freshness);
  }

  /** Every image a term could mean, also those too young or deprecated: caches hold no decisions. */
  async find(query: ImageQuery, signal: AbortSignal, pace: LookupPace = 'close'): Promise<FoundImages> {
    const { terms, kubernetesVersion, asker = '' } = query;
    const ages = this.#ages(query, pace);
    const foundAt = this.#context.clock.now();
    const lookups = await Promise.all(terms.map((term, index) => this.#lookup({ term, index, query, ages }, signal)));
    const byId = await this.#byId(
      lookups.flatMap(({ named }) => named),
      { asker, ages },
      signal,
    );
    const queried = await Promise.all(
      lookups
        .flatMap(({ queries }) => queries)
        .map(async ({ request, how }) =>
          (await this.#describe(request, { asker, ages }, signal)).flatMap((image) => toFoundImages(image, how)),
        ),
    );
    const images = withoutRepeats([...byId, ...queried.flat()]).toSorted(compareNewestFirst);
    const missing = terms.flatMap(({ alias }, index) =>
      alias === undefined || parseAlias(alias).version === 'latest' || images.some(({ term }) => term === index)
        ? []
        : [alias],
    );
    const releases = await Promise.all(
      missing.map((alias) => this.#releasesBeside(alias, { kubernetesVersion, asker, ages }, signal)),
    );
    return { images, foundAt, ...(releases.length === 0 ? {} : { releases }) };
  }

  #ages({ terms }: ImageQuery, pace: LookupPace): ImageAges {
    if (this.#refreshMs !== undefined) return { parametersMs: this.#refreshMs, imagesMs: this.#refreshMs };
    if (pace === 'close') return { parametersMs: freshImagesMs, imagesMs: freshImagesMs };
    const areMoving = terms.every(({ alias }) => alias !== undefined && parseAlias(alias).version === 'latest');
    return { parametersMs: restingImagesMs, imagesMs: areMoving ? namedImagesMs : restingImagesMs };
  }

  async #lookup({ term, index, query, ages }: TermQuestion, signal: AbortSignal): Promise<Lookup> {
    const notOlderThanMs = ages.parametersMs;
    if (term.id !== undefined) return { ...emptyLookup, named: [{ imageId: term.id, term: index }] };
    if (term.alias !== undefined) {
      const { kubernetesVersion, history, defaultMinimumAge } = query;
      const withHistory = history ?? (term.minimumAgeDuration ?? defaultMinimumAge) !== undefined;
      const alias = { alias: parseAlias(term.alias), kubernetesVersion, withHistory, notOlderThanMs };
      const { images, byName } = await findAliasedImages(this.#parameters, alias, signal);
      return {
        named: images.map((image) => ({ ...image, term: index })),
        queries: byName.map((line) => ({
          request: imagesNamed(line.images),
          how: { term: index, ...(line.variant === undefined ? {} : { variant: line.variant }) },
        })),
      };
    }
    if (term.ssmParameter !== undefined) {
      const parameter = await this.#parameters.own(term.ssmParameter, { notOlderThanMs }, signal);
      return parameter === undefined
        ? emptyLookup
        : { ...emptyLookup, named: [{ imageId: parameter.imageId, term: index }] };
    }
    const request = buildImageRequest(term);
    return request === undefined ? emptyLookup : { ...emptyLookup, queries: [{ request, how: { term: index } }] };
  }

  /** The releases of a family whose pinned release is not there. */
  async #releasesBeside(
    alias: string,
    { kubernetesVersion, asker, ages }: ImageAsker & { readonly kubernetesVersion: string },
    signal: AbortSignal,
  ): Promise<FamilyReleases> {
    const family = { ...parseAlias(alias), version: 'latest' };
    const question = { alias: family, kubernetesVersion, withHistory: true, notOlderThanMs: ages.parametersMs };
    const { images: named } = await findAliasedImages(this.#parameters, question, signal);
    const images = await this.#byId(
      named.map((image) => ({ ...image, term: 0 })),
      { asker: `${asker} beside`, ages },
      signal,
    );
    return { alias, images };
  }

  async #byId(named: readonly NamedImage[], asker: ImageAsker, signal: AbortSignal): Promise<readonly FoundImage[]> {
    const ids = [...new Set(named.map(({ imageId }) => imageId))].toSorted();
    const described = await Promise.all(imagesById(ids).map((request) => this.#describe(request, asker, signal)));
    const images = new Map(described.flat().map((image) => [image.ImageId, image]));
    this.#parameters.sawImages(new Map(ids.map((id) => [id, images.has(id)])));
    return named.flatMap(({ imageId, ...how }) => {
      const image = images.get(imageId);
      return image === undefined ? [] : toFoundImages(image, how);
    });
  }

  #describe(
    request: DescribeImagesRequest,
    { asker, ages }: ImageAsker,
    signal: AbortSignal,
  ): Promise<readonly Image[]> {
    const load = async (): Promise<readonly Image[]> => {
      const { call, clients } = this.#context;
      const pages = await readAllPages((NextToken) =>
        call((options) => clients.ec2.send(new DescribeImagesCommand({ ...request, NextToken }), options), signal),
      );
      return pages.flatMap(({ Images: images = [] }) => images);
    };
    return this.#described.remember(`${asker} ${JSON.stringify(request)}`, load, ages.imagesMs);
  }
}

/** A line that is known by name finds the image of its moving parameter once more: the parameter tells more of it. */
function withoutRepeats(images: readonly FoundImage[]): readonly FoundImage[] {
  const first = new Map<string, FoundImage>();
  for (const image of images) {
    const key = `${image.term} ${image.variant} ${image.id}`;
    if (!first.has(key)) first.set(key, image);
  }
  return [...first.values()];
}

function toFoundImages(image: Image, how: How): FoundImage[] {
  // EC2 always tells the architecture; emulators may not.
  const { ImageId: id, Name: name = '', Architecture = 'x86_64', CreationDate, DeprecationTime } = image;
  const arch = architectures.get(Architecture);
  if (id === undefined || arch === undefined) return [];
  const version = versionOfName(name);
  const kubernetesVersion = minorOfName(name);
  return [
    {
      id,
      name,
      arch,
      createdAt: parseImageTime(CreationDate),
      ...(DeprecationTime === undefined ? {} : { deprecatedAt: parseImageTime(DeprecationTime) }),
      ...(version === undefined ? {} : { version }),
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...how,
    },
  ];
}

/** A date that is missing is infinitely old. */
const parseImageTime = (text: string | undefined): Instant => instant(text === undefined ? 0 : Date.parse(text));

const compareNewestFirst = (a: FoundImage, b: FoundImage): number =>
  b.createdAt - a.createdAt || byText(a.id, b.id) || byText(a.variant ?? '', b.variant ?? '');
