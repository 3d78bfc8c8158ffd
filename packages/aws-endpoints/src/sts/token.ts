import { minutes } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import { splitPath } from '../codec/protocol.ts';
import { readSignature } from '../signature/read-signature.ts';
import { type Verification, verifySignature } from '../signature/verify-signature.ts';

/** Who a cluster takes the bearer of a token for. */
export type TokenUser = {
  readonly username: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** ClusterRoles beside those that are bound, everywhere or in namespaces. */
  readonly grants?: readonly { readonly clusterRole: string; readonly namespaces?: readonly string[] }[];
};

export type TokenVerification = Pick<Verification, 'accessKey' | 'findTemporaryKey' | 'findUserKey' | 'now'> & {
  readonly clusterName: string;
  /** The user that the cluster sees in the holder of another key [none]. */
  readonly userOfKey?: (accessKeyId: string) => TokenUser | undefined;
};

const clusterTokenPrefix = 'k8s-aws-v1.';

/** EKS accepts a token for this long, whatever the presigned request in it says. */
const validForMs = minutes(15);

/**
 * Reads a token of `aws eks get-token`: a presigned GetCallerIdentity in base64url, signed for one cluster. The holder
 * of the account's key is the administrator of the account and of the cluster; who holds another one is whom the
 * cluster makes of him.
 * @returns `undefined` when the token is none of these, is too old, or is signed with another key
 */
export function readClusterToken(token: string, verification: TokenVerification): TokenUser | undefined {
  const request = presignedRequest(token, verification.clusterName);
  if (request === undefined || !asksForCaller(request)) return undefined;
  if (verifySignature(request, { ...verification, presignedForMs: validForMs }) !== undefined) return undefined;
  const keyId = new URLSearchParams(splitPath(request.path).query).get('X-Amz-Credential')?.split('/')[0] ?? '';
  return keyId === verification.accessKey?.accessKeyId ? clusterAdministrator : verification.userOfKey?.(keyId);
}

export const clusterAdministrator: TokenUser = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

/** The request that the token presigns, with the header that names the cluster. */
function presignedRequest(token: string, clusterName: string): HttpRequest | undefined {
  if (!token.startsWith(clusterTokenPrefix)) return undefined;
  const text = Buffer.from(token.slice(clusterTokenPrefix.length), 'base64url').toString('utf8');
  const [, host, path] = /^https?:\/\/([^/?#]+)(\/?\?[^#]*)$/.exec(text) ?? [];
  if (host === undefined || path === undefined) return undefined;
  return { method: 'GET', path, headers: { host, 'x-k8s-aws-id': clusterName }, body: new Uint8Array() };
}

function asksForCaller(request: HttpRequest): boolean {
  const read = readSignature(request);
  if (read.kind !== 'present') return false;
  const { scope, signedHeaders } = read.signature;
  const action = new URLSearchParams(splitPath(request.path).query).get('Action');
  return action === 'GetCallerIdentity' && scope.service === 'sts' && signedHeaders.includes('x-k8s-aws-id');
}
