import type { HttpPeer, HttpRequest } from '@nodewright/runtime';
import { unauthorizedError } from '../http/status-error.ts';
import type { ServiceAccountTokens } from './tokens/service-account-tokens.ts';
import type { BearerTokenReader, User } from './user.ts';

export const anonymousUser: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Identifies the sender of a request by its client certificate, then by its bearer token. A request without both comes
 * from `system:anonymous`. Throws a 401 for an unknown token.
 */
export function authenticateRequest({ peer, headers }: HttpRequest, readers: TokenReaders): User {
  const certificate = peer?.clientCertificate;
  if (certificate !== undefined) return userOfCertificate(certificate);
  const token = /^Bearer +(.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (token === undefined) return anonymousUser;
  const verdict = readBearerToken(token, readers);
  if (verdict.kind === 'refused') throw unauthorizedError();
  return verdict.user;
}

/** Who reads bearer tokens. */
export type TokenReaders = { readonly tokens: readonly BearerTokenReader[]; readonly accounts: ServiceAccountTokens };

/** The bearer of a token. The audiences are known for tokens of service accounts only. */
export type TokenReading =
  | { readonly kind: 'accepted'; readonly user: User; readonly audiences?: readonly string[] }
  | { readonly kind: 'refused'; readonly reason?: string };

/**
 * Reads a bearer token.
 * @param wanted the audiences of which the token needs one; that of the server when left out
 */
export function readBearerToken(token: string, readers: TokenReaders, wanted?: readonly string[]): TokenReading {
  for (const read of readers.tokens) {
    const user = read(token);
    if (user !== undefined) return { kind: 'accepted', user: { ...user, groups: withAuthenticated(user.groups) } };
  }
  const verdict = readers.accounts.verify(token, wanted);
  if (verdict?.kind !== 'accepted') return verdict ?? { kind: 'refused' };
  return { ...verdict, user: { ...verdict.user, groups: withAuthenticated(verdict.user.groups) } };
}

type ClientCertificate = NonNullable<HttpPeer['clientCertificate']>;

const userOfCertificate = ({ commonName, organizations, fingerprint }: ClientCertificate): User => ({
  name: commonName,
  groups: withAuthenticated(organizations),
  ...(fingerprint !== undefined && {
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  }),
});

const withAuthenticated = (groups: readonly string[]): readonly string[] => [
  ...new Set([...groups, 'system:authenticated']),
];
