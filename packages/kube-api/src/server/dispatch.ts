import type { Outcome } from './outcome.ts';
import { methodNotAllowed, noSuchResource } from '../http/status-error.ts';
import { create } from './verbs/create.ts';
import { deleteCollection, deleteOne } from './verbs/delete.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';
import { isReview, review } from './reviews/review.ts';
import { serveSubresource } from './subresources/subresource.ts';
import type { Call, World } from './world.ts';
import type { Verb } from '../http/verb.ts';

/** Serves a request for a resource that exists. */
export function dispatch(world: World, call: Call, verb: Verb | undefined): Outcome {
  if (verb === undefined) throw methodNotAllowed();
  if (call.path.subresource !== '') return serveSubresource(world, call, verb);
  refuseWrongPlace(call, verb);
  if (isReview(call)) return review(world, call);
  switch (verb) {
    case 'get':
      return get(world, call);
    case 'list':
      return list(world, call);
    case 'watch':
      return watch(world, call);
    case 'create':
      return create(world, call);
    case 'update':
      return update(world, call);
    case 'patch':
      return patch(world, call);
    case 'delete':
      return deleteOne(world, call);
    case 'deletecollection':
      return deleteCollection(world, call);
  }
}

const readAcrossNamespaces: ReadonlySet<Verb> = new Set(['list', 'watch']);

/** A verb that the resource does not have at this path: a collection is created in, an object is replaced. */
function refuseWrongPlace({ resource, path }: Call, verb: Verb): void {
  if (!resource.namespaced && path.namespace !== '') throw noSuchResource();
  if (!resource.verbs.includes(verb)) throw methodNotAllowed();
  const isNamed = path.name !== '';
  if (verb === 'create' && isNamed) throw methodNotAllowed();
  if ((verb === 'update' || verb === 'patch') && !isNamed) throw methodNotAllowed();
  const needsNamespace = resource.namespaced && path.namespace === '' && !readAcrossNamespaces.has(verb);
  if (!needsNamespace) return;
  throw isNamed ? noSuchResource() : methodNotAllowed();
}
