import { instant, seconds, toTimestamp } from '@nodewright/apis';
import { serviceAccountToken } from '../../auth/service-account-token.ts';
import { isObject } from '../../schema/json.ts';
import { decodeObject } from '../../http/request-body.ts';
import type { RequestOutcome } from '../outcome.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, ServerContext } from '../world.ts';

const defaultSeconds = 3600;

/**
 * Creates a token for a service account. The token names the account and has no signature, because the server trusts
 * its own process.
 */
export function createServiceAccountToken(world: ServerContext, call: ResourceCall): RequestOutcome {
  const body = decodeObject(call.body, call.headers['content-type'], 'TokenRequest');
  const account = findExisting(world, call);
  const spec = isObject(body['spec']) ? body['spec'] : {};
  const validSeconds = typeof spec['expirationSeconds'] === 'number' ? spec['expirationSeconds'] : defaultSeconds;
  const { name, namespace = '' } = account.metadata;
  const status = {
    token: serviceAccountToken({ namespace, name }),
    expirationTimestamp: toTimestamp(instant(world.clock.now() + seconds(validSeconds))),
  };
  const metadata = { name, namespace, creationTimestamp: toTimestamp(world.clock.now()) };
  return {
    kind: 'document',
    code: 201,
    body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec, status },
  };
}
