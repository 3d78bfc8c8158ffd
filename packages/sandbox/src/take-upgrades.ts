import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { ByteConnection, HttpResponse, RequestHandler } from '@nodewright/runtime';
import { answerDefect, type DefectReport } from './answer-defect.ts';
import { receiveHead } from './receive-request.ts';

type UpgradeServing = { readonly handler: RequestHandler; readonly onDefect: (report: DefectReport) => void };

/** Lets requests that ask for another protocol reach the handler. After an answer 101 the connection is that protocol's. */
export function takeUpgrades(server: Server | Http2SecureServer, serving: UpgradeServing): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void answerUpgrade(serving, request, socket, head);
  });
}

async function answerUpgrade(
  { handler, onDefect }: UpgradeServing,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  socket.on('error', () => gone.abort());
  try {
    const received = { ...receiveHead(request), body: new Uint8Array() };
    const response = await handler(received, gone.signal);
    await writeHead(socket, response);
    await response.switchProtocol?.(connectionOf(socket, head, gone.signal));
  } catch (error) {
    if (!gone.signal.aborted) await writeHead(socket, answerDefect(error, request, onDefect));
  } finally {
    socket.end();
  }
}

/** The head, and the whole body of an answer that changes no protocol. */
async function writeHead(socket: Duplex, { status, headers, body }: HttpResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  if (body instanceof Uint8Array) chunks.push(body);
  else for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const ending = status === 101 ? {} : { 'content-length': String(bytes.length), connection: 'close' };
  const lines = Object.entries({ ...headers, ...ending }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  if (status !== 101) socket.write(bytes);
}

const connectionOf = (socket: Duplex, head: Buffer, gone: AbortSignal): ByteConnection => ({
  incoming: incomingBytes(socket, head, gone),
  send: (bytes) => {
    if (!gone.aborted && socket.writable) socket.write(bytes);
  },
  end: () => socket.end(),
});

async function* incomingBytes(socket: Duplex, head: Buffer, gone: AbortSignal): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  try {
    for await (const chunk of socket) yield chunk as Uint8Array;
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}
