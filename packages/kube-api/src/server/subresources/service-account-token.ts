import { instant, toTimestamp } from '@nodewright/apis';
import { isObject } from '../../schema/json.ts';
import { decodeObject } from '../../http/request-body.ts';
import type { Outcome } from '../outcome.ts';
import { existing } from '../verbs/get.ts';
import type { Call, World } from '../world.ts';

const defaultSeconds = 3600;

/** A token for a service account: it names the account and is not signed, for a server that trusts its own process. */
export function createToken(world: World, call: Call): Outcome {
  const body = decodeObject(call.body, call.headers['content-type'], 'TokenRequest');
  const account = existing(world, call);
  const spec = isObject(body['spec']) ? body['spec'] : {};
  const seconds = typeof spec['expirationSeconds'] === 'number' ? spec['expirationSeconds'] : defaultSeconds;
  const { name, namespace = '' } = account.metadata;
  const status = {
    token: serviceAccountToken({ namespace, name }),
    expirationTimestamp: toTimestamp(instant(world.clock.now() + seconds * 1000)),
  };
  const metadata = { name, namespace, creationTimestamp: toTimestamp(world.clock.now()) };
  return {
    kind: 'document',
    code: 201,
    body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec, status },
  };
}

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
