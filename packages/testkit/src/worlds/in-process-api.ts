import { instant } from '@nodewright/apis';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { type ApiServer, type ApiServerOptions, createApiServer } from '@nodewright/kube-api';

/** An answer with its body decoded: JSON where it is JSON. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

/** A stream of JSON lines that is being read. */
export type Stream = { readonly lines: Readonly<Record<string, unknown>>[]; readonly close: () => void };

const administrator = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

/** An API server on virtual time with a short way to talk to it, as an administrator. For tests only. */
export function anApiServer(options: Partial<ApiServerOptions> = {}) {
  const time = virtualTime(instant(Date.UTC(2024, 0, 28)));
  const server = createApiServer({ clock: time.clock, random: seededRandom('test'), version: '1.28', ...options });
  return {
    server,
    time,
    send: (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      send(server, { method, path, body, headers }),
    watch: (path: string, headers: Readonly<Record<string, string>> = {}) => watch(server, path, headers),
  };
}

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

const request = ({ method, path, body, headers }: Sent) => ({
  method,
  path,
  headers: { 'content-type': 'application/json', 'user-agent': 'test/1', ...headers },
  body: bytesOfBody(body),
  peer: administrator,
});

/** Bytes are sent as they are, everything else as JSON. */
function bytesOfBody(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

async function send(server: ApiServer, sent: Sent): Promise<Answer> {
  const { status, headers, body } = await server.handle(request(sent), new AbortController().signal);
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
  return { status, headers, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : { text } };
}

async function watch(server: ApiServer, path: string, headers: Readonly<Record<string, string>>): Promise<Stream> {
  const gone = new AbortController();
  const { body } = await server.handle(request({ method: 'GET', path, body: undefined, headers }), gone.signal);
  const lines: Stream['lines'] = [];
  if (!(body instanceof Uint8Array)) void collect(body, lines);
  return { lines, close: () => gone.abort() };
}

async function collect(chunks: AsyncIterable<Uint8Array>, lines: Stream['lines']): Promise<void> {
  for await (const chunk of chunks)
    lines.push(JSON.parse(Buffer.from(chunk).toString('utf8')) as Stream['lines'][number]);
}
