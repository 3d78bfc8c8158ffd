/** Who a cluster takes the bearer of a token for. */
export type TokenUser = { readonly username: string; readonly groups: readonly string[] };

const prefix = 'k8s-aws-v1.';

/**
 * Reads a token of `aws eks get-token`: a presigned GetCallerIdentity in base64url. Whoever can sign
 * is the account's administrator, who is the cluster's too; signatures are not verified.
 * @returns `undefined` when the token is none of these
 */
export function userOfToken(token: string): TokenUser | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const url = parseUrl(Buffer.from(token.slice(prefix.length), 'base64url').toString('utf8'));
  const isCaller = url?.searchParams.get('Action') === 'GetCallerIdentity';
  const isScoped = url?.searchParams.get('X-Amz-Credential')?.endsWith('/sts/aws4_request') ?? false;
  const namesCluster = url?.searchParams.get('X-Amz-SignedHeaders')?.split(';').includes('x-k8s-aws-id') ?? false;
  if (!isCaller || !isScoped || !namesCluster) return undefined;
  return { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
