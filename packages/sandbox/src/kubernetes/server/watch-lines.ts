import { groupVersion } from '../resources/served-kind.ts';
import type { Resource } from '../resources/resource.ts';
import { bytesOf, documentJson, jsonOf, watchLineOf } from './encoding.ts';
import type { WatchMessage } from './outcome.ts';
import { metadataOf } from './partial-metadata.ts';
import type { Writing } from './writing.ts';

/** A watch as it goes over the wire: one JSON document per line. */
export async function* watchLines(
  messages: AsyncIterable<WatchMessage>,
  resource: Resource,
  writing: Writing,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const message of messages) {
    yield lineOf(message, resource, { ...writing, isFirst });
    isFirst = false;
  }
}

function lineOf(message: WatchMessage, resource: Resource, line: Line): Uint8Array {
  if (line.form.as === 'object' && 'object' in message) return watchLineOf(message.type, message.object);
  return bytesOf(`{"type":"${message.type}","object":${payload(message, resource, line)}}\n`);
}

type Line = Writing & { readonly isFirst: boolean };

function payload(message: WatchMessage, resource: Resource, line: Line): string {
  switch (message.type) {
    case 'ERROR':
      return documentJson(message.status, false);
    case 'BOOKMARK':
      return documentJson(bookmark(message, resource, line), false);
    default:
      return changed(message.object, resource, line);
  }
}

function changed(object: Parameters<typeof jsonOf>[0], resource: Resource, line: Line): string {
  switch (line.form.as) {
    case 'object':
      return jsonOf(object);
    case 'metadata':
      return documentJson(metadataOf(object), false);
    case 'table':
      return documentJson(line.tables.ofWatched(resource, object, line), false);
  }
}

type Bookmark = Extract<WatchMessage, { type: 'BOOKMARK' }>;

function bookmark({ revision, initialEventsEnd }: Bookmark, resource: Resource, { form }: Line): unknown {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const metadata = { resourceVersion: String(revision), ...(initialEventsEnd && { annotations }) };
  return form.as === 'metadata'
    ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
    : { kind: resource.kind, apiVersion: groupVersion(resource), metadata };
}
