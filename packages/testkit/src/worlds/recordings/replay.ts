import { fromTimestamp, instant, readOwn } from '@nodewright/apis';
import { type HttpRequest, seededRandom, virtualTime } from '@nodewright/runtime';
import { type ApiServer, type CallWebhook, createApiServer, type User } from '@nodewright/kube-api';
import { RecordedWorld } from './recorded-world.ts';
import type { Exchange } from './recordings.ts';

/** What a real server answered, and what ours answers to the same request. */
export type Replayed = { readonly slug: string; readonly recorded: unknown; readonly ours: unknown };

/** The moment at which the recording of a section begins, near enough for ages and grace periods. */
const start = fromTimestamp('2026-11-20T20:15:45Z');

/** Tokens are masked in the recordings; whose it was is told by the name of the row. */
const users: Readonly<Record<string, User>> = {
  admin: { name: 'test-admin', uid: 'uid-admin', groups: ['system:masters'] },
  limited: { name: 'limited-user', uid: 'uid-limited', groups: ['limited'] },
  'sa-forbidden': { name: 'system:serviceaccount:sub:default', groups: [] },
};

const tokens = [(token: string): User | undefined => readOwn(users, token)];

function tokenOf(slug: string): string | undefined {
  if (slug.startsWith('anonymous')) return undefined;
  if (slug === 'bad-token-401' || slug === 'sa-forbidden') return slug;
  return /limited/.test(slug) ? 'limited' : 'admin';
}

/** Sends the requests of a section, each to a server that holds what the recorded one must have held. */
export async function replay(exchanges: readonly Exchange[]): Promise<readonly Replayed[]> {
  const world = new RecordedWorld(exchanges);
  const replayed: Replayed[] = [];
  for (const exchange of exchanges) replayed.push(await replayOne(world, exchange));
  return replayed;
}

async function replayOne(world: RecordedWorld, exchange: Exchange): Promise<Replayed> {
  const { slug, response } = exchange;
  world.before(exchange);
  const server = serverWith(world, exchange);
  const answer = await server.handle(requestOf(exchange), AbortSignal.abort());
  world.after(exchange, server.snapshot());
  const body = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : '';
  return {
    slug,
    recorded: { status: response.status, body: normalized(response.body ?? '') },
    ours: { status: answer.status, body: normalized(body) },
  };
}

/** The server's time is that of the recorded answer. */
function serverWith(world: RecordedWorld, { response }: Exchange): ApiServer {
  const date = response.headers.find(([name]) => name === 'Date')?.[1];
  const { clock } = virtualTime(date === undefined ? start : instant(Date.parse(date)));
  const snapshot = world.snapshot();
  return createApiServer({ clock, random: seededRandom('replay'), version: '1.36', tokens, snapshot, callWebhook });
}

/** The recorded webhook was at a port without a server. */
const callWebhook: CallWebhook = async ({ url }) => ({
  kind: 'failed',
  error: `Post ${JSON.stringify(url)}: dial tcp ${new URL(url).host}: connect: connection refused`,
});

function requestOf({ slug, request: { method, path, headers, body } }: Exchange): HttpRequest {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const token = tokenOf(slug);
  return {
    method,
    path,
    headers: Object.fromEntries([
      ...lower.filter(([name]) => name !== 'authorization'),
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
    ]),
    body: Buffer.from(body ?? ''),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const volatile: ReadonlySet<string> = new Set(['managedFields', 'description']);

/** Without what differs from run to run: identities, versions, times, owners of fields. */
function normalized(text: string): unknown {
  const value = parsed(text);
  return value === undefined ? text.trim() : masked(value, '');
}

function masked(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value.map((element) => masked(element, member));
  if (typeof value === 'string') return maskedText(value, member);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(withoutGeneratedName(value)).filter(([name]) => !volatile.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, masked(inner, name)]));
}

const suffix = /[bcdfghjklmnpqrstvwxz2-9]{5}$/;

function withoutGeneratedName(value: object): object {
  const { name, generateName } = value as { readonly name?: unknown; readonly generateName?: unknown };
  return typeof generateName === 'string' && typeof name === 'string'
    ? { ...value, name: name.replace(suffix, 'NAME') }
    : value;
}

function maskedText(text: string, member: string): string {
  if (member === 'resourceVersion') return 'VERSION';
  if (member === 'continue') return 'TOKEN';
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, 'TIME')
    .replaceAll(/current: \d+/g, 'current: VERSION')
    .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-NAME');
}
