import type { DeleteOptions, ListOptions, WatchOptions, WriteOptions } from '@nodewright/runtime';
import { parseListVersion, parseVersion } from '../http/go-values.ts';
import { listKindOf, type Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { ObjectWriteOptions } from '../server/request-options.ts';
import { decodeContinue } from '../server/verbs/continue-token.ts';
import type { DeletionOptions } from '../server/verbs/delete-options.ts';
import type { ListRequestOptions } from '../server/verbs/list-options.ts';
import type { WatchRequestOptions } from '../server/verbs/watch-options.ts';

/** Without a manager: the owners of fields are not kept. */
export const writeOptionsOf = ({ dryRun = false, fieldValidation }: WriteOptions): ObjectWriteOptions => ({
  dryRun,
  manager: undefined,
  fieldValidation: fieldValidation ?? 'Ignore',
});

export const deletionOptionsOf = ({
  gracePeriodSeconds,
  propagationPolicy,
  preconditions: { uid, resourceVersion } = {},
}: DeleteOptions): DeletionOptions => ({
  dryRun: false,
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  ...(propagationPolicy !== undefined && { propagation: propagationPolicy }),
  ...(uid !== undefined && { uid }),
  ...(resourceVersion !== undefined && { resourceVersion }),
});

export function listOptionsOf({ limit, continue: token = '', resourceVersion }: ListOptions): ListRequestOptions {
  const version = parseListVersion(resourceVersion ?? null);
  return {
    ...(limit !== undefined && limit > 0 && { limit }),
    ...(token !== '' && { continuation: decodeContinue(token) }),
    ...(version !== undefined && { version }),
    match: '',
  };
}

export function watchOptionsOf(options: WatchOptions): WatchRequestOptions {
  const { resourceVersion, allowWatchBookmarks = false, timeoutSeconds } = options;
  const version = parseVersion(resourceVersion);
  return {
    ...(version !== undefined && { version }),
    allowBookmarks: allowWatchBookmarks,
    sendInitialEvents: false,
    ...(timeoutSeconds !== undefined && timeoutSeconds > 0 && { timeoutSeconds }),
  };
}

/** What a list says about itself. */
export const listTypeOf = (resource: Resource): { readonly kind: string; readonly apiVersion: string } => ({
  kind: listKindOf(resource),
  apiVersion: groupVersion(resource),
});
