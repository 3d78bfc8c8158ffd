import type { Verb } from '../../http/verb.ts';
import type { Outcome } from '../outcome.ts';
import { methodNotAllowed, noSuchResource, StatusError } from '../../http/status-error.ts';
import { get } from '../verbs/get.ts';
import { patch } from '../verbs/patch.ts';
import { update } from '../verbs/update.ts';
import type { Call, World } from '../world.ts';
import { bind } from './binding.ts';
import { evict } from './eviction.ts';
import { podLog } from './pod-log.ts';
import { scale } from './scale.ts';
import { createToken } from './service-account-token.ts';

/** Serves what stands below an object: its status, its scale, an eviction. */
export function serveSubresource(world: World, call: Call, verb: Verb): Outcome {
  const known = (call.resource.subresources ?? []).find(({ name }) => name === call.path.subresource);
  if (known === undefined) throw noSuchResource();
  if (!known.verbs.includes(verb)) throw methodNotAllowed();
  switch (known.name) {
    case 'scale':
      return scale(world, call, verb);
    case 'eviction':
      return evict(world, call);
    case 'binding':
      return bind(world, call);
    case 'token':
      return createToken(world, call);
    case 'log':
      return podLog(world, call);
    case 'attach':
    case 'exec':
    case 'portforward':
    case 'proxy':
      throw notImplemented(known.name);
    default:
      return sameObject(world, call, verb);
  }
}

/** There is no container behind a pod of ours to talk to. */
const notImplemented = (name: string): StatusError =>
  new StatusError(501, `${name} needs a real container, and the sandbox only plays them`, { reason: 'NotImplemented' });

/** Status, finalize, approval and the like: another door to the same object. */
function sameObject(world: World, call: Call, verb: Verb): Outcome {
  switch (verb) {
    case 'get':
      return get(world, call);
    case 'update':
      return update(world, call);
    case 'patch':
      return patch(world, call);
    default:
      throw methodNotAllowed();
  }
}
