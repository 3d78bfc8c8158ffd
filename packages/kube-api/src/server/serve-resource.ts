import { type HttpRequest, type HttpResponse, withHeaders } from '@nodewright/runtime';
import { requireAccess } from '../auth/authorize.ts';
import { answerMissingPath } from '../discovery/routes.ts';
import { kindTables } from '../tables/kind-tables.ts';
import { dispatchRequest } from './dispatch.ts';
import { includeObjectOf, negotiateForm } from '../http/negotiation.ts';
import { checkBodySize } from '../http/request-body.ts';
import type { RequestInfo, ResourcePath } from '../http/request-info.ts';
import { isWrittenAsFloat } from '../http/written-number.ts';
import { badRequestError } from '../http/status-error.ts';
import { writeResponse } from './respond.ts';
import { type Verb, verbOf } from '../http/verb.ts';
import { limitWarnings } from './limit-warnings.ts';
import type { User } from '../auth/user.ts';
import type { HandOver } from './channel.ts';
import type { ResourceCall, ServerContext } from './world.ts';

export type ResourceRequest = {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly path: ResourcePath;
  readonly user: User;
  readonly signal: AbortSignal;
  readonly handOver?: HandOver;
};

/** Serves a path below a group and version: authorize, find the resource, serve the verb, write the answer. */
export function serveResource(
  world: ServerContext,
  { request, info, path, user, signal, handOver }: ResourceRequest,
): HttpResponse {
  const verb = verbOf(info, path);
  requireAccess(user, { verb: verb ?? info.method.toLowerCase(), resource: path }, world.store);
  const resource = world.registry.find(path);
  if (resource === undefined) return answerMissingPath(world.registry, info.path);
  if (verb !== 'watch') refuseBadTimeout(info.query.get('timeout'));
  const form = negotiateForm(request.headers, { ...answerShape(verb), query: info.query });
  checkBodySize(request.body);
  const warnings: string[] = resource.custom?.deprecation === undefined ? [] : [resource.custom.deprecation];
  const { headers, body } = request;
  const isFloat = (count: string): boolean => isWrittenAsFloat(request, count);
  const call: ResourceCall = {
    info,
    path,
    resource,
    user,
    headers,
    body,
    warnings,
    signal,
    isFloat,
    ...(handOver && { handOver }),
  };
  const outcome = dispatchRequest(world, call, verb);
  const tables = kindTables(world.clock, world.registry.minor);
  return withWarnings(writeResponse(outcome, { form, includeObject: includeObjectOf(info.query), tables }), warnings);
}

/** Answers come at once, so a timeout only has to be a duration. */
function refuseBadTimeout(timeout: string | null): void {
  if (timeout === null || timeout === '' || isGoDuration(timeout)) return;
  const problem = /^[+-]?\d+(\.\d*)?$/.test(timeout) ? 'missing unit in duration' : 'invalid duration';
  throw badRequestError(`invalid timeout specified in the request URL - time: ${problem} ${JSON.stringify(timeout)}`);
}

const isGoDuration = (text: string): boolean => /^[+-]?(0|(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+)$/.test(text);

const answerShape = (verb: Verb | undefined): { isList: boolean; isWatch: boolean } => ({
  isList: verb === 'list' || verb === 'deletecollection',
  isWatch: verb === 'watch',
});

/** Each warning is a header value. One header joins them as a list. */
function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  if (warnings.length === 0) return response;
  const warning = limitWarnings(warnings)
    .map((text) => `299 - ${JSON.stringify(text)}`)
    .join(', ');
  return withHeaders(response, { ...response.headers, warning });
}
