import type { Access } from './access.ts';
import { forbiddenError, StatusError } from '../http/status-error.ts';
import type { User } from './user.ts';
import { decideForNode, type NodeDecision } from './node-authorizer.ts';
import { isGranted, type ReadableStore } from './rbac.ts';

/** Whether a user may do something. Administrators may do everything; the node authorizer and roles allow the rest. */
export const isAccessAllowed = (user: User, access: Access, store: ReadableStore): boolean =>
  decideAccess(user, access, store).isAllowed;

function decideAccess(user: User, access: Access, store: ReadableStore): NodeDecision {
  if (isAdministrator(user)) return { isAllowed: true };
  const decision = decideForNode(user, access, store);
  return decision?.isAllowed === true || !isGranted(user, access, store)
    ? (decision ?? { isAllowed: false })
    : { isAllowed: true };
}

/** Users that are authorized without a role. */
export const isAdministrator = ({ groups }: User): boolean => groups.includes('system:masters');

/** Throws a 403 that names the user, the verb and the resource or path. */
export function requireAccess(user: User, access: Access, store: ReadableStore): void {
  const { isAllowed, reason } = decideAccess(user, access, store);
  if (isAllowed) return;
  throw 'resource' in access ? refusedResource(user, access, reason) : refusedPath(user, access);
}

function refusedResource(
  user: User,
  { verb, resource: denied }: Extract<Access, { resource: unknown }>,
  reason: string | undefined,
): StatusError {
  const { group, plural, namespace, name, subresource } = denied;
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const place = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const because = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${place}`;
  return forbiddenError({ group, plural }, name, reason === undefined ? because : `${because}: ${reason}`);
}

function refusedPath(user: User, { verb, path }: Extract<Access, { path: string }>): StatusError {
  const message = `forbidden: User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`;
  return new StatusError(403, message, { reason: 'Forbidden', details: {} });
}
