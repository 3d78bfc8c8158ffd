import { createHash } from 'node:crypto';
import type { WebhookClientConfig } from '../resources/webhook-client.ts';
import type { ApiObjectStore } from '../storage/store.ts';

/** The same question has the same identity, so that its answer is found when the request is served again. */
export function questionIdentity(question: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(question)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** With the timeout as a query parameter. The path has no slash at its end, unless it is one. */
export function webhookUrl({ url, service }: WebhookClientConfig, timeoutSeconds: number): string {
  const [, host = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/.exec(url ?? serviceUrl(service)) ?? [];
  const trimmed = path.replace(/\/+$/, '');
  return `${host}${trimmed === '' ? '/' : trimmed}?timeout=${timeoutSeconds}s`;
}

function serviceUrl(service: WebhookClientConfig['service']): string {
  const { namespace = '', name = '', path = '', port = 443 } = service ?? {};
  return `https://${name}.${namespace}.svc:${port}${path}`;
}

/** Pods are played, so no service has an endpoint that answers. */
export function unreachableService(
  { url: given, service }: WebhookClientConfig,
  url: string,
  store: Pick<ApiObjectStore, 'collection'>,
): string | undefined {
  if (given !== undefined || service === undefined) return undefined;
  const { namespace, name } = service;
  const isThere = store.collection('services').get({ namespace, name }) !== undefined;
  const because = isThere
    ? `no endpoints available for service ${JSON.stringify(name)}`
    : `service ${JSON.stringify(name)} not found`;
  return `Post ${JSON.stringify(url)}: ${because}`;
}
