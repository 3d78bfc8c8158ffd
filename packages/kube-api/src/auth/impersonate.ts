import type { HttpHeaders } from '@nodewright/runtime';
import { internalError } from '../http/status-error.ts';
import type { User } from './user.ts';
import type { ApiObjectStore } from '../storage/store.ts';
import type { Access } from './access.ts';
import { requireAccess } from './authorize.ts';

/** The identity in the `Impersonate-...` headers of a request (`kubectl --as`). */
type WantedIdentity = {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
};

/**
 * The user that a request acts as: its sender, or the user it impersonates.
 *
 * Errors: a 403 when the sender may not impersonate the user, a group, the uid or an extra value; a 500, as from a
 * real server, when the headers name no user.
 */
export function actingUser(sender: User, headers: HttpHeaders, store: ApiObjectStore): User {
  if (!Object.keys(headers).some((name) => name.startsWith('impersonate-'))) return sender;
  const wanted = readWantedIdentity(headers);
  for (const resource of listImpersonatedResources(wanted))
    requireAccess(sender, { verb: 'impersonate', resource }, store);
  const groups = wanted.groups.length > 0 ? wanted.groups : impliedGroups(wanted.user);
  return {
    name: wanted.user,
    ...(wanted.uid !== undefined && { uid: wanted.uid }),
    groups: withSignIn(wanted.user, groups),
    ...(Object.keys(wanted.extra).length > 0 && { extra: wanted.extra }),
  };
}

const extraPrefix = 'impersonate-extra-';

function readWantedIdentity(headers: HttpHeaders): WantedIdentity {
  const user = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'];
  const groups = splitHeaderValues(headers['impersonate-group']);
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(extraPrefix))
      .map(([name, value]) => [decodeURIComponent(name.slice(extraPrefix.length)), splitHeaderValues(value)]),
  );
  if (user !== '') return { user, uid, groups, extra };
  throw internalError('Internal error occurred: requested groups, uid or extra values without impersonating a user');
}

/** A repeated header arrives as one comma-separated text. */
const splitHeaderValues = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

type ImpersonatedResource = Extract<Access, { readonly resource: unknown }>['resource'];

const impersonatedResource = (
  plural: string,
  name: string,
  rest: Partial<ImpersonatedResource> = {},
): ImpersonatedResource => ({
  group: '',
  plural,
  namespace: '',
  name,
  subresource: '',
  ...rest,
});

/** The RBAC resources that stand for the parts of an identity. */
function listImpersonatedResources({ user, uid, groups, extra }: WantedIdentity): readonly ImpersonatedResource[] {
  const account = accountOf(user);
  const group = 'authentication.k8s.io';
  return [
    account === undefined
      ? impersonatedResource('users', user)
      : impersonatedResource('serviceaccounts', account.name, { namespace: account.namespace }),
    ...groups.map((name) => impersonatedResource('groups', name)),
    ...(uid === undefined ? [] : [impersonatedResource('uids', uid, { group })]),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => impersonatedResource('userextras', value, { group, subresource })),
    ),
  ];
}

function accountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

function impliedGroups(user: string): readonly string[] {
  const account = accountOf(user);
  return account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
}

function withSignIn(user: string, groups: readonly string[]): readonly string[] {
  const own = user === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  const isSignedIn = groups.includes('system:authenticated') || groups.includes('system:unauthenticated');
  return isSignedIn ? groups : [...groups, own];
}
