import { type Instant, readOwn, toTimestamp } from '@nodewright/apis';
import type { HttpResponse } from '@nodewright/runtime';
import { parseAccept } from '../http/accept.ts';
import { encodeText, formatDocument } from '../http/encoding.ts';
import { notAcceptable } from '../http/negotiation.ts';
import { plainText } from './health.ts';
import { versionInfo } from './version.ts';

/** The state of a server as its pages for people tell it. */
export type DebuggedServer = {
  readonly minor: number;
  readonly startedAt: Instant;
  readonly now: Instant;
  readonly issuer: string;
  readonly audience: string;
};

const firstWithDebugPages = 36;

/** `/flagz` and `/statusz`: flags and state of the server, on by default from 1.36 on. */
export const debugPaths = (minor: number): readonly string[] =>
  minor < firstWithDebugPages ? [] : ['/flagz', '/statusz'];

type DebugDocument = { readonly kind: string; readonly lines: readonly string[]; readonly members: object };

/** Answers `/flagz` or `/statusz`, as text or as a document of `config.k8s.io`. */
export function answerDebugPath(path: string, server: DebuggedServer, accept: string | undefined): HttpResponse {
  const { kind, lines, members } = path === '/flagz' ? describeFlags(server) : describeState(server);
  for (const { type, parameters } of parseAccept(accept)) {
    const { as, g, v } = parameters;
    if (as === undefined && ['*/*', 'text/*', 'text/plain'].includes(type))
      return plainText(200, textPage(path, lines));
    const syntax = readOwn(syntaxes, type);
    if (syntax === undefined || as !== kind || g !== 'config.k8s.io' || !['v1beta1', 'v1alpha1'].includes(v ?? ''))
      continue;
    const document = { kind, apiVersion: `config.k8s.io/${v}`, metadata: { name: 'apiserver' }, ...members };
    return {
      status: 200,
      headers: {
        'content-type': `${type};g=${g};v=${v};as=${as}`,
        ...(v === 'v1alpha1' && { warning: deprecated(path) }),
      },
      body: encodeText(formatDocument(document, { syntax, isPretty: true })),
    };
  }
  throw notAcceptable('application/json, application/yaml, text/plain');
}

const syntaxes = { 'application/json': 'json', 'application/yaml': 'yaml' } as const;

const deprecated = (path: string): string =>
  `299 - "This version of the ${path.slice(1)} endpoint is deprecated. Please use a newer version."`;

const textPage = (path: string, lines: readonly string[]): string =>
  [
    '',
    `apiserver ${path.slice(1)}`,
    'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.',
    ...lines,
    '',
  ].join('\n');

function describeState({ minor, startedAt, now }: DebuggedServer): DebugDocument {
  const { goVersion = '', gitVersion = '' } = versionInfo(minor);
  const uptimeSeconds = Math.floor((now - startedAt) / 1000);
  const binaryVersion = gitVersion.replace(/^v([\d.]+).*$/, '$1');
  const paths = ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'];
  const emulationVersion = `1.${minor}`;
  return {
    kind: 'Statusz',
    lines: [
      '',
      `Started: ${printDate(startedAt)}`,
      `Up: ${printUptime(uptimeSeconds)}`,
      `Go version: ${goVersion}`,
      `Binary version: ${binaryVersion}`,
      `Emulation version: ${emulationVersion}`,
      `Paths: ${paths.join(' ')}`,
    ],
    members: { startTime: toTimestamp(startedAt), uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths },
  };
}

/** `Tue Jun 16 14:00:11 UTC 2026`. */
function printDate(at: Instant): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(at)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} UTC ${year}`;
}

const padTwoDigits = (count: number): string => String(count).padStart(2, '0');

const printUptime = (seconds: number): string =>
  `${Math.floor(seconds / 3600)} hr ${padTwoDigits(Math.floor(seconds / 60) % 60)} min ${padTwoDigits(seconds % 60)} sec`;

/** The flags by which this server would be started. Those of other parts of a real one are left out. */
function describeFlags({ issuer, audience }: DebuggedServer): DebugDocument {
  const flags = {
    'allow-privileged': 'true',
    'anonymous-auth': 'true',
    'api-audiences': `[${audience}]`,
    'authorization-mode': '[Node,RBAC]',
    'enable-admission-plugins': '[NodeRestriction,DefaultStorageClass]',
    'event-ttl': '1h0m0s',
    'service-account-issuer': `[${issuer}]`,
    'service-cluster-ip-range': '10.100.0.0/16',
  };
  return {
    kind: 'Flagz',
    lines: Object.entries(flags).map(([name, value]) => `${name}: ${value}`),
    members: { flags },
  };
}
