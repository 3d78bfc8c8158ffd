const checks = ['ping', 'log', 'etcd', 'informer-sync'];

/** The text of `/healthz`, `/livez` and `/readyz`; `verbose` lists what was looked at. */
export function healthText(path: string, query: URLSearchParams): string {
  if (!query.has('verbose')) return 'ok';
  return `${checks.map((name) => `[+]${name} ok\n`).join('')}${path.slice(1)} check passed\n`;
}
