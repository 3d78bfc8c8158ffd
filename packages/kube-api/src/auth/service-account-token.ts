const tokenPrefix = 'nodewright-sa.';

type ServiceAccountName = { readonly namespace: string; readonly name: string };

export const serviceAccountToken = ({ namespace, name }: ServiceAccountName): string =>
  `${tokenPrefix}${Buffer.from(`${namespace}:${name}`).toString('base64url')}`;

/** The service account of a token that `serviceAccountToken` wrote; undefined for other tokens. */
export function accountOfToken(token: string): ServiceAccountName | undefined {
  if (!token.startsWith(tokenPrefix)) return undefined;
  const [namespace = '', name = ''] = Buffer.from(token.slice(tokenPrefix.length), 'base64url')
    .toString('utf8')
    .split(':');
  return name === '' ? undefined : { namespace, name };
}
