import { instant, toTimestamp } from '@nodewright/apis';
import { serviceAccountToken } from '../../auth/service-account-token.ts';
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
