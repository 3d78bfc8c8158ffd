import { CompactedError } from '../../storage/collection.ts';
import { type ApiObject, keyOf, keyText } from '../../storage/api-object.ts';
import type { ListMetadata, Outcome } from '../outcome.ts';
import { expired } from '../status-error.ts';
import type { Call, World } from '../world.ts';
import { type Continuation, encodeContinue } from './continue-token.ts';
import { refuseFuture } from './get.ts';
import { type ListOptions, listOptions } from './list-options.ts';
import { selectionOf } from './selection.ts';

/** The objects of a collection: all of them, or page by page at one revision. */
export function list(world: World, call: Call): Outcome {
  const options = listOptions(call);
  const selection = selectionOf(call);
  if (options.continuation === undefined) refuseFuture(world, options.version);
  const revision = revisionOf(world, options);
  const all = objectsAt(world, call, revision, options.continuation);
  const rest = remaining(all, call, options.continuation).map(call.resource.fromStored).filter(selection.selects);
  const page = options.limit === undefined || isFromCache(options) ? rest : rest.slice(0, options.limit);
  return {
    kind: 'list',
    objects: page,
    metadata: metadataOf({ revision, page, rest, call, isPartial: selection.isPartial }),
    resource: call.resource,
  };
}

/** `resourceVersion=0` asks for anything that is at hand; a real server then ignores the limit. */
const isFromCache = ({ version, continuation }: ListOptions): boolean => version === 0 && continuation === undefined;

function revisionOf({ store }: World, { continuation, version, match, limit }: ListOptions): number {
  if (continuation !== undefined) return continuation.revision === -1 ? store.revision : continuation.revision;
  const wantsPast = match === 'Exact' || (match === '' && limit !== undefined);
  return version !== undefined && version > 0 && wantsPast ? version : store.revision;
}

function objectsAt(
  { store }: World,
  { resource, path }: Call,
  revision: number,
  continuation: Continuation | undefined,
): readonly ApiObject[] {
  const collection = store.collection(resource.collection);
  if (revision >= store.revision) return collection.list(path.namespace);
  try {
    return collection.listAt(revision, path.namespace);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw continuation === undefined ? tooOldToList() : tooOldToContinue(continuation);
  }
}

const tooOldToList = (): Error => expired('The resourceVersion for the provided list is too old.');

const tooOldToContinue = ({ after }: Continuation): Error =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, after: after.replace(/^\//, '') }),
  );

function remaining(
  all: readonly ApiObject[],
  call: Call,
  continuation: Continuation | undefined,
): readonly ApiObject[] {
  if (continuation === undefined) return all;
  const after = continuation.after.replace(/^\//, '');
  return all.filter((object) => positionOf(object, call) > after);
}

/** Within one namespace the name, across all of them namespace and name. */
function positionOf(object: ApiObject, { path, resource }: Call): string {
  const key = keyOf(object);
  return path.namespace === '' && resource.namespaced ? keyText(key) : key.name;
}

type Page = {
  readonly revision: number;
  readonly page: readonly ApiObject[];
  readonly rest: readonly ApiObject[];
  readonly call: Call;
  readonly isPartial: boolean;
};

/** Lists of custom kinds say that there is no next page, lists of built-in ones leave it out. */
function metadataOf({ revision, page, rest, call, isPartial }: Page): ListMetadata {
  const last = page.at(-1);
  const resourceVersion = String(revision);
  if (last === undefined || page.length === rest.length) {
    return { ...(call.resource.custom !== undefined && { continue: '' }), resourceVersion };
  }
  return {
    resourceVersion,
    continue: encodeContinue({ revision, after: `/${positionOf(last, call)}` }),
    ...(!isPartial && { remainingItemCount: rest.length - page.length }),
  };
}
