import type { Access } from './access.ts';
import { forbiddenError, StatusError } from '../http/status-error.ts';
import type { User } from './user.ts';
import { isGranted, type ReadableStore } from './rbac.ts';

/** Paths that every client may read. */
const publicPaths = /^\/(version|healthz|livez|readyz)(\/|$)/;

/** Paths that every authenticated user may read. */
const discoveryPaths = /^\/(api|apis|openapi|version|\.well-known)(\/|$)|^\/$/;

/**
 * Whether a user may do something. Administrators may do everything, authenticated users may read discovery, and roles
 * allow the rest.
 */
export function isAccessAllowed(user: User, access: Access, store: ReadableStore): boolean {
  if (isAdministrator(user)) return true;
  const isOpen = 'resource' in access ? isSelfReview(user, access.resource) : isForAnybody(user, access);
  return isOpen || isGranted(user, access, store);
}

function isForAnybody(user: User, { path, verb }: Extract<Access, { path: string }>): boolean {
  if (publicPaths.test(path)) return true;
  return isAuthenticated(user) && verb === 'get' && discoveryPaths.test(path);
}

/** Users that are authorized without a role. */
export const isAdministrator = ({ groups, name }: User): boolean =>
  groups.includes('system:masters') ||
  groups.includes('system:nodes') ||
  name.startsWith('system:serviceaccount:kube-system:');

const isAuthenticated = ({ groups }: User): boolean => groups.includes('system:authenticated');

/** Every authenticated user may create reviews about itself. */
const isSelfReview = (user: User, { plural }: { readonly plural: string }): boolean =>
  isAuthenticated(user) && plural.startsWith('selfsubject');

/** Throws a 403 that names the user, the verb and the resource or path. */
export function requireAccess(user: User, access: Access, store: ReadableStore): void {
  if (isAccessAllowed(user, access, store)) return;
  throw 'resource' in access ? refusedResource(user, access.verb, access.resource) : refusedPath(user, access);
}

type DeniedResource = Extract<Access, { resource: unknown }>['resource'];

function refusedResource(
  user: User,
  verb: string,
  { group, plural, namespace, name, subresource }: DeniedResource,
): StatusError {
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const place = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const because = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${place}`;
  return forbiddenError({ group, plural }, name, because);
}

function refusedPath(user: User, { verb, path }: Extract<Access, { path: string }>): StatusError {
  const message = `forbidden: User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`;
  return new StatusError(403, message, { reason: 'Forbidden', details: {} });
}
