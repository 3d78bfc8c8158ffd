import { parseVersion } from '../../http/go-values.ts';
import type { Outcome } from '../outcome.ts';
import { notFound, tooLargeVersion } from '../../http/status-error.ts';
import type { Call, World } from '../world.ts';
import type { ApiObject } from '../../storage/api-object.ts';

/** The stored object that a path names, in the requested version. Throws a 404. */
export function existing(world: World, { resource, path }: Call): ApiObject {
  const stored = world.store.collection(resource.collection).get(path);
  if (stored === undefined) throw notFound(resource, path.name);
  return resource.fromStored(stored);
}

export function get(world: World, call: Call): Outcome {
  refuseFuture(world, parseVersion(call.info.query.get('resourceVersion')));
  return { kind: 'object', code: 200, object: existing(world, call), resource: call.resource };
}

/** A real server waits three seconds for a version it has not seen; ours sees every write at once. */
export function refuseFuture({ store }: World, version: number | undefined): void {
  if (version !== undefined && version > store.revision) throw tooLargeVersion(version, store.revision);
}
