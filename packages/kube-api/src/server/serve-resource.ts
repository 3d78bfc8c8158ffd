import { type HttpRequest, type HttpResponse, withHeaders } from '@nodewright/runtime';
import { selectorsCount } from '../auth/access.ts';
import { requireAccess } from '../auth/authorize.ts';
import { answerMissingPath } from '../discovery/routes.ts';
import { kindTables } from '../tables/kind-tables.ts';
import { dispatchRequest } from './dispatch.ts';
import { includeObjectOf, negotiateForm } from '../http/negotiation.ts';
import { checkBodySize } from '../http/request-body.ts';
import type { RequestInfo, ResourcePath } from '../http/request-info.ts';
import type { Resource } from '../resources/resource.ts';
import { exactNumbersIn } from '../schema/exact-numbers.ts';
import { isWrittenAsFloat } from '../http/written-number.ts';
import { badRequestError, StatusError } from '../http/status-error.ts';
import { writeResponse } from './respond.ts';
import { type Verb, verbOf } from '../http/verb.ts';
import { warningHeader } from '../http/limit-warnings.ts';
import type { RequestOutcome } from './outcome.ts';
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
  const access = {
    verb: verb ?? info.method.toLowerCase(),
    resource: path,
    ...(selectorsCount(world.registry.minor) && { fieldSelector: info.query.get('fieldSelector') ?? '' }),
  };
  requireAccess(user, access, world.store);
  const resource = world.registry.find(path);
  if (resource === undefined) return answerMissingPath(world.registry, info.path);
  if (verb !== 'watch') refuseBadTimeout(info.query.get('timeout'));
  const form = negotiateForm(request.headers, { ...answerShape(verb), query: info.query });
  checkBodySize(request.body);
  const deprecation = deprecationOf(resource, world.registry.minor);
  const warnings: string[] = deprecation === undefined ? [] : [deprecation];
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
    numbers: exactNumbersIn(body),
    ...(handOver && { handOver }),
  };
  const outcome = dispatchWarned(world, call, verb);
  const tables = kindTables(world.clock, world.registry.minor);
  return withWarnings(writeResponse(outcome, { form, includeObject: includeObjectOf(info.query), tables }), warnings);
}

/** What requests for a deprecated kind are warned of. */
const deprecationOf = (resource: Resource, minor: number): string | undefined =>
  resource.collection === 'endpoints' && minor >= 33
    ? 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'
    : resource.custom?.deprecation;

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

function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  return warnings.length === 0 ? response : withHeaders(response, { ...response.headers, ...warningHeader(warnings) });
}

/** A refusal tells the warnings that were found before it. */
function dispatchWarned(world: ServerContext, call: ResourceCall, verb: Verb | undefined): RequestOutcome {
  try {
    return dispatchRequest(world, call, verb);
  } catch (error) {
    if (error instanceof StatusError) error.warnings = call.warnings;
    throw error;
  }
}
