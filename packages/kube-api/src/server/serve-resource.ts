import { type HttpRequest, type HttpResponse, withHeaders } from '@nodewright/runtime';
import { authorize } from '../auth/authorize.ts';
import { missing } from '../discovery/routes.ts';
import { kindTables } from '../tables/kind-tables.ts';
import { dispatch } from './dispatch.ts';
import { includeObjectOf, negotiate } from '../http/negotiation.ts';
import { checkBodySize } from '../http/request-body.ts';
import type { RequestInfo, ResourcePath } from '../http/request-info.ts';
import { respond } from './respond.ts';
import { type Verb, verbOf } from '../http/verb.ts';
import type { User } from '../auth/user.ts';
import type { Call, World } from './world.ts';

export type ResourceRequest = {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly path: ResourcePath;
  readonly user: User;
  readonly signal: AbortSignal;
};

/** Serves a path below a group and version: who may, what it is, do it, write it. */
export function serveResource(world: World, { request, info, path, user, signal }: ResourceRequest): HttpResponse {
  const verb = verbOf(info, path);
  authorize(user, { verb: verb ?? info.method.toLowerCase(), resource: path }, world.store);
  const resource = world.registry.find(path);
  if (resource === undefined) return missing(world.registry, info.path);
  const form = negotiate(request.headers, { ...shapeOf(verb), query: info.query });
  checkBodySize(request.body);
  const warnings: string[] = resource.custom?.deprecation === undefined ? [] : [resource.custom.deprecation];
  const { headers, body } = request;
  const call: Call = { info, path, resource, user, headers, body, warnings, signal };
  const outcome = dispatch(world, call, verb);
  const tables = kindTables(world.clock);
  return withWarnings(respond(outcome, { form, includeObject: includeObjectOf(info.query), tables }), warnings);
}

const shapeOf = (verb: Verb | undefined): { isList: boolean; isWatch: boolean } => ({
  isList: verb === 'list' || verb === 'deletecollection',
  isWatch: verb === 'watch',
});

/** Each warning is a header value of its own; joined here, they read as one list. */
function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  if (warnings.length === 0) return response;
  const warning = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`).join(', ');
  return withHeaders(response, { ...response.headers, warning });
}
