import { documentStream } from '@nodewright/runtime';
import { groupVersion } from '../resources/served-kind.ts';
import type { Resource } from '../resources/resource.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { bytesOf, jsonOf } from '../http/encoding.ts';
import type { WatchMessage } from './outcome.ts';
import { metadataOf } from '../http/partial-metadata.ts';
import type { Writing } from './writing.ts';

/** A watch as it goes over the wire: one JSON document per line. */
export const watchLines = (
  messages: AsyncIterable<WatchMessage>,
  resource: Resource,
  writing: Writing,
): AsyncIterable<Uint8Array> => documentStream(events(messages, resource, writing), lineOf);

/** What a line says. */
type Event = { readonly type: WatchMessage['type']; readonly object: object };

const lineOf = ({ type, object }: Event): Uint8Array => bytesOf(`{"type":"${type}","object":${jsonOf(object)}}\n`);

function events(messages: AsyncIterable<WatchMessage>, resource: Resource, writing: Writing): AsyncIterable<Event> {
  let isFirst = true;
  return mapped(messages, (message) => {
    const object = told(message, resource, { ...writing, isFirst });
    isFirst = false;
    return { type: message.type, object };
  });
}

/** A generator would do it in more steps, and every watcher takes them for every change. */
const mapped = <A, B>(parts: AsyncIterable<A>, change: (part: A) => B): AsyncIterable<B> => ({
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

type Line = Writing & { readonly isFirst: boolean };

function told(message: WatchMessage, resource: Resource, line: Line): object {
  switch (message.type) {
    case 'ERROR':
      return message.status;
    case 'BOOKMARK':
      return bookmark(message, resource, line);
    default:
      return changed(message.object, resource, line);
  }
}

function changed(object: ApiObject, resource: Resource, line: Line): object {
  switch (line.form.as) {
    case 'object':
      return object;
    case 'metadata':
      return metadataOf(object);
    case 'table':
      return line.tables.ofWatched(resource, object, line);
  }
}

type Bookmark = Extract<WatchMessage, { type: 'BOOKMARK' }>;

function bookmark({ revision, initialEventsEnd }: Bookmark, resource: Resource, { form }: Line): object {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const metadata = { resourceVersion: String(revision), ...(initialEventsEnd && { annotations }) };
  return form.as === 'metadata'
    ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
    : { kind: resource.kind, apiVersion: groupVersion(resource), metadata };
}
