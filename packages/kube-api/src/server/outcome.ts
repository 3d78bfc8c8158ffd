import type { ByteConnection, HttpHeaders } from '@nodewright/runtime';
import type { Resource } from '../resources/resource.ts';
import type { ListMetadata } from '../http/partial-metadata.ts';
import type { ApiObject } from '../storage/api-object.ts';

/** A message of a watch, with the object in the requested version. An error is a status. */
export type WatchMessage =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Readonly<Record<string, unknown>> };

/** The result of a request, before it is written in the form of the answer. */
export type RequestOutcome =
  | { readonly kind: 'object'; readonly code: number; readonly object: ApiObject; readonly resource: Resource }
  | {
      readonly kind: 'list';
      readonly objects: readonly ApiObject[];
      readonly metadata: ListMetadata;
      readonly resource: Resource;
    }
  | { readonly kind: 'watch'; readonly messages: AsyncIterable<WatchMessage>; readonly resource: Resource }
  /** A document that is not a stored object: a status, a review, a scale. */
  | { readonly kind: 'document'; readonly code: number; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | { readonly kind: 'stream'; readonly contentType: string; readonly chunks: AsyncIterable<Uint8Array> }
  /** The connection goes on in another protocol, after an answer 101 with these headers. */
  | {
      readonly kind: 'connection';
      readonly headers: HttpHeaders;
      readonly serve: (connection: ByteConnection) => Promise<void>;
    };
