import type { HttpResponse, StorageProblem } from '@nodewright/runtime';
import { encodeText } from '../http/encoding.ts';

const first = ['ping', 'log'];

/** What a server does after it starts: probes of all kinds ask for each of these. */
const startSteps = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map((name) => `poststarthook/${name}`);

const last = [
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

const aliveChecks = [...first, 'loopback-serving-certificate', 'etcd', ...startSteps, ...last];

const checksByProbe: ReadonlyMap<string, readonly string[]> = new Map([
  ['healthz', aliveChecks],
  ['livez', aliveChecks],
  ['readyz', [...first, 'etcd', 'etcd-readiness', 'informer-sync', ...startSteps, ...last, 'shutdown']],
]);

/** The path of each probe and of each of its checks. */
export const healthPaths: readonly string[] = [...checksByProbe].flatMap(([probe, checks]) => [
  `/${probe}`,
  ...checks.map((check) => `/${probe}/${check}`),
]);

/** The checks of all probes as a metric, in the text format of Prometheus. */
export const healthMetrics = (): string =>
  [
    '# HELP kubernetes_healthcheck Whether a check of a probe succeeds.',
    '# TYPE kubernetes_healthcheck gauge',
    ...[...checksByProbe].flatMap(([probe, checks]) =>
      checks.map((check) => `kubernetes_healthcheck{name="${check}",type="${probe}"} 1`),
    ),
    '',
  ].join('\n');

/**
 * Answers `/healthz`, `/livez` and `/readyz` and their checks; `verbose` lists the checks, and `exclude` leaves one out. A
 * server that cannot save changes is alive and not ready.
 */
export function healthAnswer(path: string, query: URLSearchParams, problem: StorageProblem | undefined): HttpResponse {
  const [, probe = '', ...rest] = path.split('/');
  const checks = checksByProbe.get(probe) ?? [];
  const check = rest.join('/');
  if (check !== '' && !checks.includes(check)) return plainText(404, '404 page not found\n');
  const excluded = new Set(query.getAll('exclude'));
  const isConcerned = probe === 'readyz' && (check === '' || check === 'etcd') && !excluded.has('etcd');
  if (problem !== undefined && isConcerned) return plainText(500, notReadyText(checks, problem));
  return plainText(200, check === '' && query.has('verbose') ? healthyText(probe, checks, excluded) : 'ok');
}

const healthyText = (probe: string, checks: readonly string[], excluded: ReadonlySet<string>): string =>
  `${checks.map((name) => `[+]${name} ${excluded.has(name) ? 'excluded: ok' : 'ok'}\n`).join('')}${probe} check passed\n`;

function notReadyText(checks: readonly string[], { message }: StorageProblem): string {
  const lines = checks.map((name) => (name === 'etcd' ? `[-]etcd failed: ${message}\n` : `[+]${name} ok\n`));
  return `${lines.join('')}readyz check failed\n`;
}

export const plainText = (status: number, text: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: encodeText(text),
});
