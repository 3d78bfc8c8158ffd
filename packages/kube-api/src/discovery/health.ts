import type { HttpResponse } from '@nodewright/runtime';
import type { StorageProblem } from '@nodewright/runtime';
import { bytesOf } from '../server/encoding.ts';

const checks = ['ping', 'log', 'etcd', 'informer-sync'];

/**
 * `/healthz`, `/livez` and `/readyz`; `verbose` lists what was looked at. A server that can keep nothing lives, and is
 * not ready.
 */
export function healthAnswer(path: string, query: URLSearchParams, problem: StorageProblem | undefined): HttpResponse {
  const [, probe = '', check] = path.split('/');
  const isConcerned = probe === 'readyz' && (check === undefined || check === 'etcd');
  if (problem !== undefined && isConcerned) return plainText(500, notReadyText(problem));
  return plainText(200, query.has('verbose') ? healthyText(path) : 'ok');
}

const healthyText = (path: string): string =>
  `${checks.map((name) => `[+]${name} ok\n`).join('')}${path.slice(1)} check passed\n`;

function notReadyText({ message }: StorageProblem): string {
  const lines = checks.map((name) => (name === 'etcd' ? `[-]etcd failed: ${message}\n` : `[+]${name} ok\n`));
  return `${lines.join('')}readyz check failed\n`;
}

export const plainText = (status: number, text: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: bytesOf(text),
});
