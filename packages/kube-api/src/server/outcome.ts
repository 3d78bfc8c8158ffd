import type { Resource } from '../resources/resource.ts';
import type { ListMetadata } from '../http/partial-metadata.ts';
import type { ApiObject } from '../storage/api-object.ts';

/** What a watch tells, in the form the requested version has; a status stands for an error. */
export type WatchMessage =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Readonly<Record<string, unknown>> };

/** What serving a request came to, before it is written in the form the client asked for. */
export type RequestOutcome =
  | { readonly kind: 'object'; readonly code: number; readonly object: ApiObject; readonly resource: Resource }
  | {
      readonly kind: 'list';
      readonly objects: readonly ApiObject[];
      readonly metadata: ListMetadata;
      readonly resource: Resource;
    }
  | { readonly kind: 'watch'; readonly messages: AsyncIterable<WatchMessage>; readonly resource: Resource }
  /** A document of its own: a status, a review, a scale. */
  | { readonly kind: 'document'; readonly code: number; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'stream'; readonly contentType: string; readonly chunks: AsyncIterable<Uint8Array> };
