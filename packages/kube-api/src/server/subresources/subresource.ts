import type { Verb } from '../../http/verb.ts';
import type { RequestOutcome } from '../outcome.ts';
import { methodNotAllowedError, noSuchResourceError, notFoundError, StatusError } from '../../http/status-error.ts';
import { serveGet } from '../verbs/get.ts';
import { servePatch } from '../verbs/patch.ts';
import { serveUpdate } from '../verbs/update.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { bindPod } from './binding.ts';
import { attachToPod, execInPod, forwardPodPorts } from './connect.ts';
import { evictPod } from './eviction.ts';
import { askKubelet } from './node-proxy.ts';
import { streamPodLog } from './pod-log.ts';
import { serveScale } from './scale.ts';
import { createServiceAccountToken } from './service-account-token.ts';

/** Serves a subresource of an object: its status, its scale, an eviction. */
export function serveSubresource(world: ServerContext, call: ResourceCall, verb: Verb): RequestOutcome {
  requireSubresource(call, verb);
  switch (call.path.subresource) {
    case 'scale':
      return serveScale(world, call, verb);
    case 'eviction':
      return evictPod(world, call);
    case 'binding':
      return bindPod(world, call);
    case 'token':
      return createServiceAccountToken(world, call);
    case 'log':
      return streamPodLog(world, call);
    case 'exec':
      return execInPod(world, call);
    case 'portforward':
      return forwardPodPorts(world, call);
    case 'attach':
      return attachToPod(world, call);
    case 'proxy':
      if (call.resource.collection === 'nodes') return askKubelet(world, call);
      throw notImplemented(call.path.subresource);
    default:
      return sameObject(world, call, verb);
  }
}

/** Throws a 404 when the kind lacks the subresource, and a 405 when the subresource lacks the verb. */
export function requireSubresource({ resource, path }: ObjectCall, verb: Verb): void {
  const known = (resource.subresources ?? []).find(({ name }) => name === path.subresource);
  if (known === undefined)
    throw resource.custom === undefined ? noSuchResourceError() : notFoundError(resource, path.name);
  if (!known.verbs.includes(verb)) throw methodNotAllowedError();
}

/** The simulated pods have no containers to connect to. */
const notImplemented = (name: string): StatusError =>
  new StatusError(501, `${name} needs a real container, and the sandbox only plays them`, { reason: 'NotImplemented' });

/** Status, finalize, approval and others: reads and writes of the object itself. */
function sameObject(world: ServerContext, call: ResourceCall, verb: Verb): RequestOutcome {
  switch (verb) {
    case 'get':
      return serveGet(world, call);
    case 'update':
      return serveUpdate(world, call);
    case 'patch':
      return servePatch(world, call);
    default:
      throw methodNotAllowedError();
  }
}
