import { type Resource, storedReader } from '../../resources/resource.ts';
import { fieldText } from '../../selectors/selectable-fields.ts';
import { CompactedError, type StoredCollection } from '../../storage/collection.ts';
import { type ApiObject, storedKeyOf, keyText } from '../../storage/api-object.ts';
import type { ListMetadata } from '../../http/partial-metadata.ts';
import type { RequestOutcome } from '../outcome.ts';
import { expiredError } from '../../http/status-error.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { type Continuation, encodeContinue } from './continue-token.ts';
import { refuseFuture } from './get.ts';
import { type ListRequestOptions, readListOptions } from './list-options.ts';
import { type ObjectSelection, readSelection, refuseUnreadableSelectors, type SelectedField } from './selection.ts';

export function serveList(world: ServerContext, call: ResourceCall): RequestOutcome {
  refuseUnreadableSelectors(call);
  const options = readListOptions(call);
  const page = listObjects(world, call, options, readSelection(call));
  return { kind: 'list', ...page, resource: call.resource };
}

type ListedObjects = { readonly objects: readonly ApiObject[]; readonly metadata: ListMetadata };

/** Lists all selected objects, or one page of them at one revision. */
export function listObjects(
  world: ServerContext,
  call: ObjectCall,
  options: ListRequestOptions,
  selection: ObjectSelection,
): ListedObjects {
  if (options.continuation === undefined) refuseFuture(world, options.version);
  const revision = listRevision(world, options);
  const limit = isFromCache(options) ? Infinity : (options.limit ?? Infinity);
  const page = pageAt(world, call, { revision, limit, continuation: options.continuation, selection });
  return { objects: page.objects, metadata: listMetadata(page, revision, call) };
}

type ListPage = {
  readonly objects: readonly ApiObject[];
  /** The number of objects after this page. With a selector they are not matched, so it is `some`. */
  readonly following: number | 'some';
};

type WantedPage = {
  readonly revision: number;
  readonly limit: number;
  readonly continuation: Continuation | undefined;
  readonly selection: ObjectSelection;
};

/** Without a selector, the current objects behind the page are not looked at; by a field, only those with its value are. */
function pageAt(world: ServerContext, call: ObjectCall, wanted: WantedPage): ListPage {
  const { revision, limit, continuation, selection } = wanted;
  const { resource, path } = call;
  const collection = world.store.collection(resource.collection);
  const isCurrent = revision >= world.store.revision;
  if (isCurrent && !selection.isPartial) {
    const after = continuation && keyIn(continuation.after, call);
    const { objects, following } = collection.page(limit, path.namespace, after);
    return { objects: readObjects(resource, objects), following };
  }
  const { field } = selection;
  const left =
    isCurrent && continuation === undefined && field !== undefined && isStoredForm(resource)
      ? objectsWithField(collection, field, path.namespace)
      : objectsAt(world, call, revision, continuation);
  return choosePage(left, { limit, selection, resource });
}

function readObjects(resource: Resource, stored: readonly ApiObject[]): readonly ApiObject[] {
  resource.prepared?.prepare(stored);
  return stored.map(storedReader(resource));
}

/** Whether objects are served as they are stored. */
const isStoredForm = ({ stored, custom }: Resource): boolean => stored === undefined && custom === undefined;

const objectsWithField = (
  collection: StoredCollection,
  { path, value }: SelectedField,
  namespace: string,
): readonly ApiObject[] =>
  collection
    .withField(path, value, (object) => fieldText(object, path))
    .filter((object) => namespace === '' || object.metadata.namespace === namespace);

type PageChoice = { readonly limit: number; readonly selection: ObjectSelection; readonly resource: Resource };

function choosePage(left: readonly ApiObject[], { limit, selection, resource }: PageChoice): ListPage {
  if (!selection.isPartial) {
    const objects = readObjects(resource, left.slice(0, limit));
    return { objects, following: left.length - objects.length };
  }
  resource.prepared?.prepare(left);
  const read = storedReader(resource);
  const objects: ApiObject[] = [];
  for (const stored of left) {
    if (objects.length === limit) return { objects, following: 'some' };
    const object = read(stored);
    if (selection.selects(object)) objects.push(object);
  }
  return { objects, following: 0 };
}

/** `resourceVersion=0` accepts any cached state. A real server then ignores the limit. */
const isFromCache = ({ version, continuation }: ListRequestOptions): boolean =>
  version === 0 && continuation === undefined;

function listRevision({ store }: ServerContext, { continuation, version, match, limit }: ListRequestOptions): number {
  if (continuation !== undefined) return continuation.revision === -1 ? store.revision : continuation.revision;
  const wantsPast = match === 'Exact' || (match === '' && limit !== undefined);
  return version !== undefined && version > 0 && wantsPast ? version : store.revision;
}

function objectsAt(
  { store }: ServerContext,
  { resource, path }: ObjectCall,
  revision: number,
  continuation: Continuation | undefined,
): readonly ApiObject[] {
  const collection = store.collection(resource.collection);
  const after = continuation === undefined ? undefined : keyIn(continuation.after, { resource, path });
  if (revision >= store.revision) return collection.list(path.namespace, after);
  try {
    return collection.listAt(revision, path.namespace, after);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw continuation === undefined ? tooOldToList() : tooOldToContinue(continuation);
  }
}

const tooOldToList = (): Error => expiredError('The resourceVersion for the provided list is too old.');

const tooOldToContinue = ({ after }: Continuation): Error =>
  expiredError(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, after: after.replace(/^\//, '') }),
  );

type ListPlace = Pick<ObjectCall, 'path' | 'resource'>;

const namesNamespaces = ({ path, resource }: ListPlace): boolean => path.namespace === '' && resource.namespaced;

/** The position in a list: the name within one namespace, else namespace and name. */
const positionOf = (object: ApiObject, where: ListPlace): string =>
  namesNamespaces(where) ? keyText(storedKeyOf(object)) : object.metadata.name;

/** The storage key of a position. */
function keyIn(position: string, where: ListPlace): string {
  const text = position.replace(/^\//, '');
  return namesNamespaces(where) ? text : keyText({ namespace: where.path.namespace, name: text });
}

/** Lists of custom kinds have an empty `continue` on the last page. Lists of built-in kinds omit it. */
function listMetadata({ objects, following }: ListPage, revision: number, call: ObjectCall): ListMetadata {
  const last = objects.at(-1);
  const resourceVersion = String(revision);
  if (last === undefined || following === 0) {
    return { ...(call.resource.custom !== undefined && { continue: '' }), resourceVersion };
  }
  return {
    resourceVersion,
    continue: encodeContinue({ revision, after: `/${positionOf(last, call)}` }),
    ...(following !== 'some' && { remainingItemCount: following }),
  };
}
