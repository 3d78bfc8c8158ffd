import type { HttpHeaders } from '@nodewright/runtime';
import { internalError } from '../http/status-error.ts';
import type { User } from './user.ts';
import type { Store } from '../storage/store.ts';
import type { Access } from './access.ts';
import { authorize } from './authorize.ts';

/** Whom a request asks to act as (`kubectl --as`); names are those of the headers `Impersonate-...`. */
type Wanted = {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
};

/**
 * The user that a request acts as: the one who sent it, or the one it impersonates.
 *
 * Throws a 403 when the sender may not impersonate the user, a group, the uid or an extra value, and a 500, as a real
 * server does, when all but the user is named.
 */
export function actingUser(sender: User, headers: HttpHeaders, store: Store): User {
  if (!Object.keys(headers).some((name) => name.startsWith('impersonate-'))) return sender;
  const wanted = wantedBy(headers);
  for (const resource of resourcesOf(wanted)) authorize(sender, { verb: 'impersonate', resource }, store);
  const groups = wanted.groups.length > 0 ? wanted.groups : impliedGroups(wanted.user);
  return {
    name: wanted.user,
    ...(wanted.uid !== undefined && { uid: wanted.uid }),
    groups: withSignIn(wanted.user, groups),
    ...(Object.keys(wanted.extra).length > 0 && { extra: wanted.extra }),
  };
}

const extraPrefix = 'impersonate-extra-';

function wantedBy(headers: HttpHeaders): Wanted {
  const user = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'];
  const groups = valuesOf(headers['impersonate-group']);
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(extraPrefix))
      .map(([name, value]) => [decodeURIComponent(name.slice(extraPrefix.length)), valuesOf(value)]),
  );
  if (user !== '') return { user, uid, groups, extra };
  throw internalError('Internal error occurred: requested groups, uid or extra values without impersonating a user');
}

/** A header that came several times is one text here. */
const valuesOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

type Target = Extract<Access, { readonly resource: unknown }>['resource'];

const target = (plural: string, name: string, rest: Partial<Target> = {}): Target => ({
  group: '',
  plural,
  namespace: '',
  name,
  subresource: '',
  ...rest,
});

/** What RBAC calls the parts of an identity. */
function resourcesOf({ user, uid, groups, extra }: Wanted): readonly Target[] {
  const account = accountOf(user);
  const group = 'authentication.k8s.io';
  return [
    account === undefined
      ? target('users', user)
      : target('serviceaccounts', account.name, { namespace: account.namespace }),
    ...groups.map((name) => target('groups', name)),
    ...(uid === undefined ? [] : [target('uids', uid, { group })]),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => target('userextras', value, { group, subresource })),
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
