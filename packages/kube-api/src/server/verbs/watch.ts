import { instant, seconds } from '@nodewright/apis';
import { type ObjectChange, CompactedError } from '../../storage/collection.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { storedReader } from '../../resources/resource.ts';
import type { RequestOutcome, WatchMessage } from '../outcome.ts';
import { expiredError, StatusError } from '../../http/status-error.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { type HandOver, MessageChannel } from '../channel.ts';
import { type ObjectSelection, readSelection } from './selection.ts';
import { type WatchRequestOptions, readWatchOptions } from './watch-options.ts';

/** The limit of changes that wait for a slow client. */
const mostUnreadChanges = 100_000;

export function serveWatch(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readWatchOptions(call);
  const { signal, handOver } = call;
  const reader = { selection: readSelection(call), signal, ...(handOver && { handOver }) };
  return { kind: 'watch', messages: openWatch(world, call, options, reader), resource: call.resource };
}

export type WatchReader = {
  readonly selection: ObjectSelection;
  readonly signal: AbortSignal;
  /** How each message is handed over [at once]. */
  readonly handOver?: HandOver;
};

/**
 * Opens a watch: the current objects or the changes since a version, then every change in the order of writes.
 *
 * Guarantees: no change between the first and the last message is missing or repeated. A change that leaves the
 * selection is a `DELETED`, one that enters it an `ADDED`.
 *
 * Errors: a version whose history is gone gets one `ERROR` message with a 410, then the stream ends. The stream of a
 * client that reads too slowly ends too; it resumes after the last change that it got. Too many watches get a 429.
 */
export function openWatch(
  world: ServerContext,
  call: ObjectCall,
  options: WatchRequestOptions,
  { selection, signal, handOver }: WatchReader,
): AsyncIterable<WatchMessage> {
  const messagesOf = createTranslator(call, selection);
  const { resource, path } = call;
  resource.prepared?.prepare(pastObjects(world, call, options));
  const stops: (() => void)[] = [world.watches.open()];
  const channel = new MessageChannel<WatchMessage>(() => stops.forEach((stop) => stop()), handOver);
  const send = createSender(call, channel, messagesOf);
  sendPast(world, call, options, channel, messagesOf);
  if (!channel.isClosed) {
    channel.limitWaiting(mostUnreadChanges);
    stops.push(
      world.store.collection(resource.collection).subscribe((change) => {
        if (isInNamespace(change.object, path.namespace)) send(change);
      }),
    );
    stops.push(closeAfterTimeout(world, options, channel));
    stops.push(closeOnAbort(signal, channel));
  }
  return channel;
}

/** Sends the messages of a change. Where a webhook converts, a change waits for its answer and for the changes before it. */
function createSender(
  { resource: { prepared } }: ObjectCall,
  channel: MessageChannel<WatchMessage>,
  messagesOf: Translate,
): (change: ObjectChange) => void {
  const sendAtOnce = (change: ObjectChange): void => messagesOf(change).forEach((message) => channel.push(message));
  if (prepared === undefined) return sendAtOnce;
  const fail = (error: unknown): void => {
    const status = error instanceof StatusError ? error : new StatusError(500, 'the conversion failed');
    channel.push({ type: 'ERROR', status: status.toStatus() });
    channel.close();
  };
  let before: Promise<void> = Promise.resolve();
  return (change) => {
    const { object, previous } = change;
    before = before
      .then(() => prepared.prepareLater(previous === undefined ? [object] : [previous, object]))
      .then(() => sendAtOnce(change))
      .catch(fail);
  };
}

type Translate = (change: ObjectChange) => readonly WatchMessage[];

const isInNamespace = (object: ApiObject, namespace: string): boolean =>
  namespace === '' || object.metadata.namespace === namespace;

/** Translates a change for the selection of this watch. */
function createTranslator({ resource }: ObjectCall, { selects, isPartial }: ObjectSelection): Translate {
  const fromStored = storedReader(resource);
  if (!isPartial) return ({ type, object }) => [{ type, object: fromStored(object) }];
  return ({ type, object, previous }) => {
    const after = fromStored(object);
    const was = previous !== undefined && selects(fromStored(previous));
    const is = type !== 'DELETED' && selects(after);
    if (!was && !is) return [];
    if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', object: after }];
    return [{ type: 'DELETED', object: type === 'DELETED' ? after : lastSelected(fromStored, previous, object) }];
  };
}

/** The last selected state of an object, at the version of the change that deselects it. */
function lastSelected(
  fromStored: (object: ApiObject) => ApiObject,
  previous: ApiObject | undefined,
  now: ApiObject,
): ApiObject {
  const last = fromStored(previous ?? now);
  return { ...last, metadata: { ...last.metadata, resourceVersion: now.metadata.resourceVersion ?? '' } };
}

/** The stored objects that the first messages are about. */
function pastObjects(
  { store }: ServerContext,
  { resource, path }: ObjectCall,
  { version = 0, sendInitialEvents }: WatchRequestOptions,
): readonly ApiObject[] {
  const collection = store.collection(resource.collection);
  if (version === 0 || sendInitialEvents) return collection.list(path.namespace);
  try {
    return collection
      .changesAfter(version)
      .flatMap(({ object, previous }) => (previous ? [previous, object] : [object]));
  } catch (error) {
    if (error instanceof CompactedError) return [];
    throw error;
  }
}

function sendPast(
  { store }: ServerContext,
  { resource, path }: ObjectCall,
  { version = 0, sendInitialEvents }: WatchRequestOptions,
  channel: MessageChannel<WatchMessage>,
  messagesOf: Translate,
): void {
  const collection = store.collection(resource.collection);
  if (version === 0 || sendInitialEvents) {
    for (const object of collection.list(path.namespace)) {
      messagesOf({ type: 'ADDED', revision: 0, object }).forEach((message) => channel.push(message));
    }
    if (sendInitialEvents) channel.push({ type: 'BOOKMARK', revision: store.revision, initialEventsEnd: true });
    return;
  }
  try {
    const past = collection.changesAfter(version).filter(({ object }) => isInNamespace(object, path.namespace));
    past.flatMap(messagesOf).forEach((message) => channel.push(message));
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    const status = expiredError(`too old resource version: ${version} (${error.oldest})`).toStatus();
    channel.push({ type: 'ERROR', status });
    channel.close();
  }
}

function closeAfterTimeout(
  { callersClock, store }: ServerContext,
  { timeoutSeconds, allowBookmarks }: WatchRequestOptions,
  channel: MessageChannel<WatchMessage>,
): () => void {
  if (timeoutSeconds === undefined) return () => {};
  const timer = callersClock.at(instant(callersClock.now() + seconds(timeoutSeconds)), () => {
    if (allowBookmarks) channel.push({ type: 'BOOKMARK', revision: store.revision, initialEventsEnd: false });
    channel.close();
  });
  return () => timer.cancel();
}

function closeOnAbort(signal: AbortSignal, channel: MessageChannel<WatchMessage>): () => void {
  const end = (): void => channel.close();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return () => signal.removeEventListener('abort', end);
}
