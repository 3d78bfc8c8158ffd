import type { ResourceType } from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import type { User } from '../auth/user.ts';
import type { Verb } from '../http/verb.ts';
import type { Resource } from '../resources/resource.ts';
import { refuseWrongPlace } from '../server/dispatch.ts';
import { requireSubresource } from '../server/subresources/subresource.ts';
import type { ObjectCall, ObjectPath, ServerContext } from '../server/world.ts';

/** A verb and the object or collection that it is for. */
export type CallTarget = { readonly verb: Verb; readonly path: ObjectPath };

/**
 * The call of a client in the same process, with the resource that is served now.
 * @throws ApiError when the resource, its subresource or the verb does not exist
 */
export function directCall(
  { registry }: ServerContext,
  type: ResourceType,
  { verb, path }: CallTarget,
  user: User,
): ObjectCall {
  const resource: Resource | undefined = registry.find(type);
  if (resource === undefined) throw notServed();
  const call: ObjectCall = { path, resource, user, warnings: [], isFloat };
  if (path.subresource === '') refuseWrongPlace(call, verb);
  else requireSubresource(call, verb);
  return call;
}

/** Values have no text, so none is written as a float. */
const isFloat = (): boolean => false;

/** What a client makes of the page that a server answers for an unknown path. */
const notServed = (): ApiError =>
  new ApiError({
    kind: 'Status',
    status: 'Failure',
    code: 404,
    message: '404 page not found',
    reason: 'NotFound',
  });
