import { parseVersion } from '../../http/go-values.ts';
import type { RequestOutcome } from '../outcome.ts';
import { notFoundError, tooLargeVersionError } from '../../http/status-error.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import type { ApiObject } from '../../storage/api-object.ts';

/** The stored object of the path, in the requested version. Throws a 404. */
export function findExisting(world: ServerContext, { resource, path }: ObjectCall): ApiObject {
  const stored = world.store.collection(resource.collection).get(path);
  if (stored === undefined) throw notFoundError(resource, path.name);
  return resource.fromStored(stored);
}

export function serveGet(world: ServerContext, call: ResourceCall): RequestOutcome {
  refuseFuture(world, parseVersion(call.info.query.get('resourceVersion')));
  return { kind: 'object', code: 200, object: findExisting(world, call), resource: call.resource };
}

/**
 * Throws a 504 for a version from the future. A real server waits three seconds first; this one has every write at
 * once.
 */
export function refuseFuture({ store }: ServerContext, version: number | undefined): void {
  if (version !== undefined && version > store.revision) throw tooLargeVersionError(version, store.revision);
}
