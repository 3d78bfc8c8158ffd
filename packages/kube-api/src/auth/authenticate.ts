import type { HttpRequest } from '@nodewright/runtime';
import { unauthorizedError } from '../http/status-error.ts';
import { accountOfToken } from './service-account-token.ts';
import type { BearerTokenReader, User } from './user.ts';

export const anonymousUser: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Identifies the sender of a request by its client certificate, then by its bearer token. A request without both comes
 * from `system:anonymous`. Throws a 401 for an unknown token.
 */
export function authenticateRequest({ peer, headers }: HttpRequest, readers: readonly BearerTokenReader[]): User {
  const certificate = peer?.clientCertificate;
  if (certificate !== undefined) return signedIn(certificate.commonName, certificate.organizations);
  const token = /^Bearer +(.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (token === undefined) return anonymousUser;
  const user = readBearerToken(token, readers);
  if (user === undefined) throw unauthorizedError();
  return user;
}

/** The authenticated user of a bearer token; undefined for an unknown token. */
export function readBearerToken(token: string, readers: readonly BearerTokenReader[]): User | undefined {
  for (const read of [...readers, serviceAccount]) {
    const user = read(token);
    if (user !== undefined) return { ...user, groups: withAuthenticated(user.groups) };
  }
  return undefined;
}

const signedIn = (name: string, groups: readonly string[]): User => ({ name, groups: withAuthenticated(groups) });

const withAuthenticated = (groups: readonly string[]): readonly string[] => [
  ...new Set([...groups, 'system:authenticated']),
];

const serviceAccount: BearerTokenReader = (token) => {
  const account = accountOfToken(token);
  if (account === undefined) return undefined;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  return { name: `system:serviceaccount:${account.namespace}:${account.name}`, groups };
};
