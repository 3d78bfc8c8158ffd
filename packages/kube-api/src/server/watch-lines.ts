import { documentStream } from '@nodewright/runtime';
import { emptyBuiltin } from '../builtin/empty.ts';
import { asApiObject } from '../resources/rules.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { Resource } from '../resources/resource.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { encodeText, encodeJson } from '../http/encoding.ts';
import type { WatchMessage } from './outcome.ts';
import { partialMetadata } from '../http/partial-metadata.ts';
import type { AnswerWriting } from './writing.ts';

/** The bytes of a watch: one JSON document per line. */
export const encodeWatch = (
  messages: AsyncIterable<WatchMessage>,
  resource: Resource,
  writing: AnswerWriting,
): AsyncIterable<Uint8Array> => documentStream(toEvents(messages, resource, writing), encodeEvent);

/** The content of a line. */
type WatchLine = { readonly type: WatchMessage['type']; readonly object: object };

const encodeEvent = ({ type, object }: WatchLine): Uint8Array =>
  encodeText(`{"type":"${type}","object":${encodeJson(object)}}\n`);

function toEvents(
  messages: AsyncIterable<WatchMessage>,
  resource: Resource,
  writing: AnswerWriting,
): AsyncIterable<WatchLine> {
  let isFirst = true;
  return mapMessages(messages, (message) => {
    const object = eventObject(message, resource, { ...writing, isFirst });
    isFirst = false;
    return { type: message.type, object };
  });
}

/** Maps the messages without a generator, which would add promise steps for every watcher and change. */
const mapMessages = <A, B>(parts: AsyncIterable<A>, change: (part: A) => B): AsyncIterable<B> => ({
  [Symbol.asyncIterator]() {
    const from = parts[Symbol.asyncIterator]();
    return {
      next: async () => {
        const next = await from.next();
        return next.done === true ? { done: true, value: undefined } : { done: false, value: change(next.value) };
      },
      return: async () => {
        await from.return?.();
        return { done: true, value: undefined };
      },
    };
  },
});

type EventWriting = AnswerWriting & { readonly isFirst: boolean };

function eventObject(message: WatchMessage, resource: Resource, line: EventWriting): object {
  switch (message.type) {
    case 'ERROR':
      return message.status;
    case 'BOOKMARK':
      return bookmarkObject(message, resource, line);
    default:
      return changedObject(message.object, resource, line);
  }
}

function changedObject(object: ApiObject, resource: Resource, line: EventWriting): object {
  switch (line.form.as) {
    case 'object':
      return object;
    case 'metadata':
      return partialMetadata(object);
    case 'table':
      return line.tables.ofWatched(resource, object, line);
  }
}

type Bookmark = Extract<WatchMessage, { type: 'BOOKMARK' }>;

/** A bookmark is an empty object of its kind. */
function bookmarkObject({ revision, initialEventsEnd }: Bookmark, resource: Resource, line: EventWriting): object {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const metadata = { resourceVersion: String(revision), ...(initialEventsEnd && { annotations }) };
  const empty = resource.custom === undefined ? emptyBuiltin(resource) : {};
  const object = asApiObject({ kind: resource.kind, apiVersion: groupVersion(resource), ...empty, metadata });
  return changedObject(object, resource, line);
}
