import type { RequestOutcome } from './outcome.ts';
import { methodNotAllowedError, noSuchResourceError } from '../http/status-error.ts';
import { serveCreate } from './verbs/create.ts';
import { serveDeleteCollection, serveDelete } from './verbs/delete.ts';
import { serveGet } from './verbs/get.ts';
import { serveList } from './verbs/list.ts';
import { servePatch } from './verbs/patch.ts';
import { serveUpdate } from './verbs/update.ts';
import { serveWatch } from './verbs/watch.ts';
import { metricsGroup } from '../resources/measured-kinds.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { isReview, serveReview } from './reviews/review.ts';
import { serveSubresource } from './subresources/subresource.ts';
import { isComponentStatus, serveComponentStatus } from './component-statuses.ts';
import type { ObjectCall, ResourceCall, ServerContext } from './world.ts';
import type { Verb } from '../http/verb.ts';

/** Serves a request for a known resource. */
export function dispatchRequest(world: ServerContext, call: ResourceCall, verb: Verb | undefined): RequestOutcome {
  if (verb === undefined) throw methodNotAllowedError();
  if (call.path.subresource !== '') return serveSubresource(world, call, verb);
  refuseWrongPlace(call, verb);
  if (isReview(call)) return serveReview(world, call);
  if (call.resource.group === metricsGroup) return serveMetrics(world, call, verb);
  if (isComponentStatus(call)) return serveComponentStatus(call, verb);
  switch (verb) {
    case 'get':
      return serveGet(world, call);
    case 'list':
      return serveList(world, call);
    case 'watch':
      return serveWatch(world, call);
    case 'create':
      return serveCreate(world, call);
    case 'update':
      return serveUpdate(world, call);
    case 'patch':
      return servePatch(world, call);
    case 'delete':
      return serveDelete(world, call);
    case 'deletecollection':
      return serveDeleteCollection(world, call);
  }
}

const readAcrossNamespaces: ReadonlySet<Verb> = new Set(['list', 'watch']);

/** Refuses a verb that the path does not have. A collection accepts creates, an object accepts updates. */
export function refuseWrongPlace({ resource, path }: ObjectCall, verb: Verb): void {
  if (!resource.namespaced && path.namespace !== '') throw noSuchResourceError();
  if (!resource.verbs.includes(verb)) throw methodNotAllowedError();
  const isNamed = path.name !== '';
  if (verb === 'create' && isNamed) throw methodNotAllowedError();
  if ((verb === 'update' || verb === 'patch') && !isNamed) throw methodNotAllowedError();
  const needsNamespace = resource.namespaced && path.namespace === '' && !readAcrossNamespaces.has(verb);
  if (!needsNamespace) return;
  throw isNamed ? noSuchResourceError() : methodNotAllowedError();
}
