const prefix = 'nodewright-sa.';

type Account = { readonly namespace: string; readonly name: string };

export const serviceAccountToken = ({ namespace, name }: Account): string =>
  `${prefix}${Buffer.from(`${namespace}:${name}`).toString('base64url')}`;

/** The account that a token of ours stands for; undefined when it is none. */
export function accountOfToken(token: string): Account | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const [namespace = '', name = ''] = Buffer.from(token.slice(prefix.length), 'base64url').toString('utf8').split(':');
  return name === '' ? undefined : { namespace, name };
}
