import { createHash } from 'node:crypto';
import type { Instant } from '@nodewright/apis';
import type { HttpResponse, Storage } from '@nodewright/runtime';
import type { ServiceAccountTokens } from '../auth/tokens/service-account-tokens.ts';
import type { OpenApiDocuments } from '../openapi/documents.ts';
import { serveOpenApi } from '../openapi/routes.ts';
import { parseAccept } from '../http/accept.ts';
import { encodeText, formatJson, formatDocument } from '../http/encoding.ts';
import { negotiateForm, notAcceptable } from '../http/negotiation.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { methodNotAllowedError, noSuchResourceError } from '../http/status-error.ts';
import type { ServedResources } from '../resources/registry.ts';
import { aggregatedDiscovery, aggregatedType } from './aggregated.ts';
import { answerDebugPath, debugPaths } from './debug-documents.ts';
import { healthAnswer, healthMetrics, healthPaths, plainText } from './health.ts';
import { metricsAnswer, metricsText, type ServerCounts } from './metrics.ts';
import { apiVersions, groupDocument, groupList, resourceList } from './plain.ts';
import { versionInfo } from './version.ts';

/** The inputs of discovery answers. */
export type DiscoverySource = {
  readonly registry: ServedResources;
  readonly storage: Pick<Storage, 'problem'>;
  readonly minor: number;
  /** When the server began, and what it is now, on its clock. */
  readonly startedAt: Instant;
  readonly now: Instant;
  readonly documents: OpenApiDocuments;
  readonly accounts: ServiceAccountTokens;
  /** What `/metrics` tells. */
  readonly counts: () => ServerCounts;
  /** The `host:port` at which clients outside reach the server. */
  readonly serverAddress: string;
};

type DiscoveryHeaders = Readonly<Record<string, string>>;

/** Serves every path that names no resource: discovery, version, health. */
export function serveDiscovery(source: DiscoverySource, info: RequestInfo, headers: DiscoveryHeaders): HttpResponse {
  const path = info.path.length > 1 ? info.path.replace(/\/$/, '') : info.path;
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return healthAnswer(path, info.query, source.storage.problem());
  if (path === '/metrics') return metricsAnswer(source.counts());
  if (path === '/metrics/slis') return metricsText(healthMetrics());
  if (debugPaths(source.minor).includes(path)) {
    const { issuer, audience } = source.accounts.issuer;
    return answerDebugPath(path, { ...source, issuer, audience }, headers['accept']);
  }
  if (info.method !== 'GET') throw methodNotAllowedError();
  if (path === '/version') return prettyJson(versionInfo(source.minor));
  if (path === '/.well-known/openid-configuration') {
    return keyDocument('application/json', source.accounts.discovery(`https://${source.serverAddress}`));
  }
  if (path === '/openid/v1/jwks') return keyDocument('application/jwk-set+json', source.accounts.keySet());
  const described = serveOpenApi(source.documents, info, headers);
  if (described !== undefined) return described;
  if (path === '/') return prettyJson({ paths: rootPaths(source) });
  if (path === '/api' || path === '/apis') return discoveryRoot(source, info, headers, path);
  const document = documentAt(source.registry, path);
  if (document !== undefined) return answerNegotiated(document, info, headers);
  return answerMissingPath(source.registry, path);
}

function discoveryRoot(
  source: DiscoverySource,
  info: RequestInfo,
  headers: DiscoveryHeaders,
  path: string,
): HttpResponse {
  const { registry } = source;
  const wanted = parseAccept(headers['accept']).find(({ type, parameters }) => isServedMediaType(type, parameters));
  if (wanted === undefined) {
    throw notAcceptable('application/json, application/yaml, application/vnd.kubernetes.protobuf');
  }
  if (wanted.parameters['as'] === undefined) {
    return answerNegotiated(path === '/api' ? apiVersions(source.serverAddress) : groupList(registry), info, headers);
  }
  const body = aggregatedDiscovery(registry, path === '/api' ? 'core' : 'named');
  return answerAggregated(`${formatJson(body, false)}\n`, headers['if-none-match']);
}

/** Clients cache this document and revalidate it by its ETag. */
function answerAggregated(text: string, known: string | undefined): HttpResponse {
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
  const common = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (known === etag) return { status: 304, headers: common, body: encodeText('') };
  return { status: 200, headers: { ...common, 'content-type': aggregatedType }, body: encodeText(text) };
}

const isServedMediaType = (type: string, { as, v }: Readonly<Record<string, string>>): boolean =>
  as === undefined
    ? ['*/*', 'application/*', 'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'].includes(
        type,
      )
    : as === 'APIGroupDiscoveryList' && v === 'v2' && type === 'application/json';

function documentAt(registry: ServedResources, path: string): Readonly<Record<string, unknown>> | undefined {
  const [root, group = '', version = ''] = path.split('/').slice(1);
  if (root === 'api') return resourceList(registry, '', group);
  if (root !== 'apis') return undefined;
  return version === '' ? groupDocument(registry, group) : resourceList(registry, group, version);
}

/** Answers an unknown path: with a `Status` below a built-in group, else with plain text. */
export function answerMissingPath(registry: ServedResources, path: string): HttpResponse {
  const [root, group = ''] = path.split('/').slice(1);
  if (root === 'api' || (root === 'apis' && registry.isBuiltInGroup(group))) throw noSuchResourceError();
  return plainText(404, '404 page not found\n');
}

function rootPaths({ registry, minor }: Pick<DiscoverySource, 'registry' | 'minor'>): readonly string[] {
  const groups = registry.groups().filter(({ name }) => name !== '');
  const named = groups.flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map((version) => `/apis/${name}/${version}`),
  ]);
  const others = [
    '/.well-known/openid-configuration',
    ...healthPaths,
    ...debugPaths(minor),
    '/metrics',
    '/metrics/slis',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/openid/v1/jwks',
    '/version',
  ];
  return ['/api', '/api/v1', '/apis', '/apis/', ...named, ...others].toSorted();
}

function answerNegotiated(
  body: Readonly<Record<string, unknown>>,
  info: RequestInfo,
  headers: DiscoveryHeaders,
): HttpResponse {
  const form = negotiateForm(headers, { isList: false, isWatch: false, query: info.query });
  const contentType = form.syntax === 'yaml' ? 'application/yaml' : 'application/json';
  return { status: 200, headers: { 'content-type': contentType }, body: encodeText(`${formatDocument(body, form)}\n`) };
}

const prettyJson = (body: object): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: encodeText(formatJson(body, true)),
});

/** What verifiers of tokens read. They may keep it for an hour. */
const keyDocument = (contentType: string, body: Readonly<Record<string, unknown>>): HttpResponse => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'public, max-age=3600' },
  body: encodeText(JSON.stringify(body)),
});
