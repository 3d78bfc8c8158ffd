import {
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  type Parameter,
} from '@aws-sdk/client-ssm';
import { days, hours, type Instant, instant, minutes } from '@nodewright/apis';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import { classifyError, isAwsNotFound } from '../../calls/error-codes.ts';
import type { AwsContext } from '../../context.ts';
import { readAllPages } from '../../calls/pages.ts';

export type ImageParameter = { readonly imageId: string; readonly modifiedAt: Instant };

/** A parameter below a path, by its full name. */
export type NamedParameter = ImageParameter & { readonly name: string };

/** How old the answer may be. */
export type ParameterAge = { readonly notOlderThanMs: number };

/** What a listing found, and what it was made for. */
type ParameterListing = { readonly as: string; readonly found: readonly NamedParameter[] };

const customMs = minutes(5);
const mostParameterNames = 10;

/**
 * The image ids in SSM parameters. Every lookup answers `undefined` for a parameter that is not there or
 * holds no image id; every other failure is thrown: it says nothing about the parameter.
 */
export class ImageParameters {
  readonly #context: AwsContext;
  readonly #moving: ExpiringCache<ImageParameter | 'none'>;
  readonly #pinned: ExpiringCache<ImageParameter>;
  readonly #custom: ExpiringCache<ImageParameter>;
  readonly #listings: ExpiringCache<ParameterListing>;
  /** Images that parameters name, as far as EC2 did not know them when last asked. */
  readonly #gone = new Set<string>();

  constructor(context: AwsContext) {
    this.#context = context;
    this.#moving = new ExpiringCache(context.clock, hours(1), context.freshness);
    this.#pinned = new ExpiringCache(context.clock, days(1), context.freshness);
    this.#custom = new ExpiringCache(context.clock, hours(1), context.freshness);
    this.#listings = new ExpiringCache(context.clock, days(1), context.freshness);
  }

  /**
   * Those of the names that exist, read ten at a time. A moving parameter, and the absence of any, is believed for
   * `notOlderThanMs` only, so that a withdrawn release is not launched for longer; a pinned one never changes.
   */
  async read(
    names: readonly string[],
    { kind, notOlderThanMs }: { readonly kind: 'moving' | 'pinned' } & ParameterAge,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ImageParameter>> {
    const wanted = [...new Set(names)];
    const unknown = wanted.filter((name) => this.#known(name, notOlderThanMs) === undefined);
    for (let at = 0; at < unknown.length; at += mostParameterNames) {
      const chunk = unknown.slice(at, at + mostParameterNames);
      const found = new Map((await this.#readTogether(chunk, signal)).map(({ name, ...image }) => [name, image]));
      for (const name of chunk) {
        const parameter = found.get(name);
        if (kind === 'pinned' && parameter !== undefined) this.#pinned.set(name, parameter);
        else this.#moving.set(name, parameter ?? 'none');
      }
    }
    return new Map(
      wanted.flatMap((name): [string, ImageParameter][] => {
        const known = this.#known(name, notOlderThanMs);
        return known === undefined || known === 'none' ? [] : [[name, known]];
      }),
    );
  }

  /** A parameter of the user's own, by name or ARN. It is believed for five minutes at least. */
  async own(name: string, { notOlderThanMs }: ParameterAge, signal: AbortSignal): Promise<ImageParameter | undefined> {
    const known = this.#custom.get(name, Math.max(customMs, notOlderThanMs));
    if (known !== undefined) return known;
    const found = await this.#readOne(name, signal);
    if (found !== undefined) this.#custom.set(name, found);
    return found;
  }

  /**
   * Every parameter below a path that holds an image id. They are written once, so a listing holds for a day;
   * `as` names what the listing was made for, and another one makes a new listing.
   */
  async below(path: string, as: string, signal: AbortSignal): Promise<readonly NamedParameter[]> {
    if (this.#listings.get(path)?.as !== as) this.#listings.forget(path);
    const listing = await this.#listings.remember(path, async () => ({ as, found: await this.#list(path, signal) }));
    return listing.found;
  }

  /**
   * Parameters that name an image which is not there may be old: a pinned one is read again, and a listing
   * once for every image that goes.
   */
  sawImages(isThere: ReadonlyMap<string, boolean>): void {
    const gone = new Set([...isThere].filter(([, there]) => !there).map(([id]) => id));
    const fresh = new Set([...gone].filter((id) => !this.#gone.has(id)));
    this.#pinned.forgetThose(({ imageId }) => gone.has(imageId));
    this.#listings.forgetThose(({ found }) => found.some(({ imageId }) => fresh.has(imageId)));
    for (const [id, there] of isThere) {
      if (there) this.#gone.delete(id);
      else this.#gone.add(id);
    }
  }

  #known(name: string, notOlderThanMs: number): ImageParameter | 'none' | undefined {
    return this.#pinned.get(name) ?? this.#moving.get(name, notOlderThanMs);
  }

  /** Where only single reads are allowed, they are made one by one. */
  async #readTogether(names: readonly string[], signal: AbortSignal): Promise<readonly NamedParameter[]> {
    const { call, clients } = this.#context;
    try {
      const { Parameters = [] } = await call(
        (options) => clients.ssm.send(new GetParametersCommand({ Names: [...names] }), options),
        signal,
      );
      return Parameters.flatMap(toNamedParameters);
    } catch (error) {
      if (classifyError(error) !== 'unauthorized') throw error;
    }
    const found: NamedParameter[] = [];
    for (const name of names) {
      const image = await this.#readOne(name, signal);
      if (image !== undefined) found.push({ name, ...image });
    }
    return found;
  }

  async #readOne(name: string, signal: AbortSignal): Promise<ImageParameter | undefined> {
    const { call, clients } = this.#context;
    try {
      const { Parameter } = await call(
        (options) => clients.ssm.send(new GetParameterCommand({ Name: name }), options),
        signal,
      );
      return imageIn(Parameter ?? {});
    } catch (error) {
      if (isAwsNotFound(error)) return undefined;
      throw error;
    }
  }

  async #list(path: string, signal: AbortSignal): Promise<readonly NamedParameter[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ssm.send(new GetParametersByPathCommand({ Path: path, Recursive: true, NextToken }), options),
        signal,
      ),
    );
    return pages.flatMap(({ Parameters = [] }) => Parameters.flatMap(toNamedParameters));
  }
}

function toNamedParameters(parameter: Parameter): NamedParameter[] {
  const image = imageIn(parameter);
  return image === undefined ? [] : [{ ...image, name: parameter.Name ?? '' }];
}

function imageIn({ Value: imageId, LastModifiedDate }: Parameter): ImageParameter | undefined {
  if (imageId === undefined || !imageId.startsWith('ami-')) return undefined;
  return { imageId, modifiedAt: instant(LastModifiedDate?.getTime() ?? 0) };
}
