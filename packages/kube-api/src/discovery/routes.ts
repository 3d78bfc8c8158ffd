import { createHash } from 'node:crypto';
import type { HttpResponse } from '@nodewright/runtime';
import type { OpenApiDocuments } from '../openapi/documents.ts';
import { serveOpenApi } from '../openapi/routes.ts';
import { parseAccept } from '../server/accept.ts';
import { bytesOf, documentJson } from '../server/encoding.ts';
import { negotiate, notAcceptable } from '../server/negotiation.ts';
import type { RequestInfo } from '../server/request-info.ts';
import { documentText } from '../server/respond.ts';
import { methodNotAllowed, noSuchResource } from '../server/status-error.ts';
import type { World } from '../server/world.ts';
import { aggregatedDiscovery, aggregatedType } from './aggregated.ts';
import { healthAnswer, plainText } from './health.ts';
import { apiVersions, groupDocument, groupList, resourceList } from './plain.ts';
import { versionInfo } from './version.ts';

/** What the paths outside resources are served from. */
export type DiscoverySource = {
  readonly world: World;
  readonly minor: number;
  readonly documents: OpenApiDocuments;
  /** `host:port`, as clients outside reach it. */
  readonly serverAddress: string;
};

type Headers = Readonly<Record<string, string>>;

/** Serves every path that is no resource: discovery, version, health. */
export function serveDiscovery(source: DiscoverySource, info: RequestInfo, headers: Headers): HttpResponse {
  const path = info.path.length > 1 ? info.path.replace(/\/$/, '') : info.path;
  if (info.method !== 'GET') throw methodNotAllowed();
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path))
    return healthAnswer(path, info.query, source.world.storage.problem());
  if (path === '/version') return prettyJson(versionInfo(source.minor));
  const described = serveOpenApi(source.documents, info, headers);
  if (described !== undefined) return described;
  if (path === '/') return prettyJson({ paths: rootPaths(source.world) });
  if (path === '/api' || path === '/apis') return discoveryRoot(source, info, headers, path);
  const document = documentAt(source.world, path);
  if (document !== undefined) return negotiated(document, info, headers);
  return missing(source.world, path);
}

function discoveryRoot(source: DiscoverySource, info: RequestInfo, headers: Headers, path: string): HttpResponse {
  const { registry } = source.world;
  const wanted = parseAccept(headers['accept']).find(({ type, parameters }) => isServed(type, parameters));
  if (wanted === undefined) {
    throw notAcceptable('application/json, application/yaml, application/vnd.kubernetes.protobuf');
  }
  if (wanted.parameters['as'] === undefined) {
    return negotiated(path === '/api' ? apiVersions(source.serverAddress) : groupList(registry), info, headers);
  }
  const body = aggregatedDiscovery(registry, path === '/api' ? 'core' : 'named');
  return aggregated(`${documentJson(body, false)}\n`, headers['if-none-match']);
}

/** Clients keep this document and ask whether it is still the same. */
function aggregated(text: string, known: string | undefined): HttpResponse {
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
  const common = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (known === etag) return { status: 304, headers: common, body: bytesOf('') };
  return { status: 200, headers: { ...common, 'content-type': aggregatedType }, body: bytesOf(text) };
}

const isServed = (type: string, { as, v }: Readonly<Record<string, string>>): boolean =>
  as === undefined
    ? ['*/*', 'application/*', 'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'].includes(
        type,
      )
    : as === 'APIGroupDiscoveryList' && v === 'v2' && type === 'application/json';

function documentAt({ registry }: World, path: string): Readonly<Record<string, unknown>> | undefined {
  const [root, group = '', version = ''] = path.split('/').slice(1);
  if (root === 'api') return resourceList(registry, '', group);
  if (root !== 'apis') return undefined;
  return version === '' ? groupDocument(registry, group) : resourceList(registry, group, version);
}

/** Below a built-in group a wrong path gets a status, anywhere else plain text. */
export function missing({ registry }: World, path: string): HttpResponse {
  const [root, group = ''] = path.split('/').slice(1);
  if (root === 'api' || (root === 'apis' && registry.isBuiltInGroup(group))) throw noSuchResource();
  return plainText(404, '404 page not found\n');
}

function rootPaths({ registry }: World): readonly string[] {
  const groups = registry.groups().filter(({ name }) => name !== '');
  const named = groups.flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map((version) => `/apis/${name}/${version}`),
  ]);
  const others = ['/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  return ['/api', '/api/v1', '/apis', ...named, ...others].toSorted();
}

function negotiated(body: Readonly<Record<string, unknown>>, info: RequestInfo, headers: Headers): HttpResponse {
  const form = negotiate(headers, { isList: false, isWatch: false, query: info.query });
  const contentType = form.syntax === 'yaml' ? 'application/yaml' : 'application/json';
  return { status: 200, headers: { 'content-type': contentType }, body: bytesOf(`${documentText(body, form)}\n`) };
}

const prettyJson = (body: unknown): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(documentJson(body, true)),
});
