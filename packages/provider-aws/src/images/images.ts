import { type DescribeImagesRequest, DescribeImagesCommand, type Image } from '@aws-sdk/client-ec2';
import {
  type AmiSelectorTerm,
  type EC2NodeClass,
  type Instant,
  instant,
  nodewrightAnnotations,
} from '@nodewright/apis';
import type { FoundImage, FoundImages } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import { allPages } from '../selection/pages.ts';
import { imageQuery, imagesById } from './image-queries.ts';
import { aliasedImages } from './aliased-images.ts';
import { imageParameter } from './parameters.ts';
import { parseAlias, versionOfName } from './release-paths.ts';

const architectures: ReadonlyMap<string, FoundImage['arch']> = new Map([
  ['x86_64', 'amd64'],
  ['arm64', 'arm64'],
]);

/** One way in which a term names an image: by alias a variant comes with it. */
type NamedImage = { readonly imageId: string } & Pick<FoundImage, 'term' | 'variant' | 'publishedAt' | 'recommended'>;

type Question = {
  readonly term: AmiSelectorTerm;
  readonly index: number;
  readonly kubernetesVersion: string;
  readonly annotatedAge: string | undefined;
};

/** Found images count for at least so long, as in Karpenter: it looks again after five minutes, or one when there was none. */
const steadyMs = 5 * 60_000;

/** Looks up the images that a NodeClass's terms name. Which of them is launched is decided elsewhere. */
export class Images {
  readonly #context: AwsContext;
  readonly #found: ExpiringCache<FoundImages>;

  readonly #freshMs: number;

  constructor(context: AwsContext, freshMs: number = 60_000) {
    this.#context = context;
    this.#freshMs = freshMs;
    this.#found = new ExpiringCache(context.clock, Math.max(freshMs, steadyMs));
  }

  async find(nodeClass: EC2NodeClass, kubernetesVersion: string, signal: AbortSignal): Promise<FoundImages> {
    const found = await this.#look({ nodeClass, kubernetesVersion }, signal);
    return found.images.length === 0 ? this.#look({ nodeClass, kubernetesVersion }, signal, this.#freshMs) : found;
  }

  #look(
    { nodeClass, kubernetesVersion }: { readonly nodeClass: EC2NodeClass; readonly kubernetesVersion: string },
    signal: AbortSignal,
    notOlderThanMs?: number,
  ): Promise<FoundImages> {
    const { metadata, spec } = nodeClass;
    const annotatedAge = metadata.annotations?.[nodewrightAnnotations.minimumAgeDuration];
    const key = [metadata.uid, metadata.generation, kubernetesVersion, annotatedAge].join(' ');
    const load = async (): Promise<FoundImages> => {
      const foundAt = this.#context.clock.now();
      const questions = spec.amiSelectorTerms.map((term, index) => ({ term, index, kubernetesVersion, annotatedAge }));
      const named = await Promise.all(questions.map((question) => this.#named(question, signal)));
      const queried = await Promise.all(questions.map((question) => this.#queried(question, signal)));
      const byId = await this.#byId(named.flat(), signal);
      return { images: [...byId, ...queried.flat()].toSorted(newestFirst), foundAt };
    };
    return this.#found.remember(key, load, notOlderThanMs);
  }

  async #named(question: Question, signal: AbortSignal): Promise<readonly NamedImage[]> {
    const { term, index, kubernetesVersion, annotatedAge } = question;
    if (term.id !== undefined) return [{ imageId: term.id, term: index }];
    if (term.alias !== undefined) {
      const withHistory = (term.minimumAgeDuration ?? annotatedAge) !== undefined;
      const alias = { alias: parseAlias(term.alias), kubernetesVersion, withHistory };
      return (await aliasedImages(this.#context, alias, signal)).map((image) => ({ ...image, term: index }));
    }
    if (term.ssmParameter === undefined) return [];
    const parameter = await imageParameter(this.#context, term.ssmParameter, signal);
    return parameter === undefined ? [] : [{ imageId: parameter.imageId, term: index }];
  }

  async #queried({ term, index }: Question, signal: AbortSignal): Promise<readonly FoundImage[]> {
    if (term.id !== undefined || term.alias !== undefined || term.ssmParameter !== undefined) return [];
    const query = imageQuery(term);
    if (query === undefined) return [];
    return (await this.#describe(query, signal)).flatMap((image) => found(image, { term: index }));
  }

  async #byId(named: readonly NamedImage[], signal: AbortSignal): Promise<readonly FoundImage[]> {
    const ids = [...new Set(named.map(({ imageId }) => imageId))].toSorted();
    if (ids.length === 0) return [];
    const images = new Map((await this.#describe(imagesById(ids), signal)).map((image) => [image.ImageId, image]));
    return named.flatMap(({ imageId, ...how }) => {
      const image = images.get(imageId);
      return image === undefined ? [] : found(image, how);
    });
  }

  async #describe(request: DescribeImagesRequest, signal: AbortSignal): Promise<readonly Image[]> {
    const { call, clients } = this.#context;
    const pages = await allPages((NextToken) =>
      call((options) => clients.ec2.send(new DescribeImagesCommand({ ...request, NextToken }), options), signal),
    );
    return pages.flatMap(({ Images: images = [] }) => images);
  }
}

function found(image: Image, how: Omit<NamedImage, 'imageId'>): FoundImage[] {
  const { ImageId: id, Name: name = '', Architecture = '', CreationDate, DeprecationTime } = image;
  const arch = architectures.get(Architecture);
  if (id === undefined || arch === undefined) return [];
  const version = versionOfName(name);
  return [
    {
      id,
      name,
      arch,
      createdAt: timeOf(CreationDate),
      ...(DeprecationTime === undefined ? {} : { deprecatedAt: timeOf(DeprecationTime) }),
      ...how,
      ...(version === undefined ? {} : { version }),
    },
  ];
}

/** A date that is missing is infinitely old. */
const timeOf = (text: string | undefined): Instant => instant(text === undefined ? 0 : Date.parse(text));

const newestFirst = (a: FoundImage, b: FoundImage): number =>
  b.createdAt - a.createdAt || compareText(a.id, b.id) || compareText(a.variant ?? '', b.variant ?? '');

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
