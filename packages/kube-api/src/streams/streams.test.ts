import type { ByteConnection, HttpResponse } from '@nodewright/runtime';
import { type Answer, anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { ByteChannel } from './byte-channel.ts';
import { controlFrame, dataFrame, spdyTypes, SpdyReader, encodeUint32s } from './spdy/frames.ts';
import { HeaderBlocks } from './spdy/header-blocks.ts';
import { headerDictionary } from './spdy/header-dictionary.ts';
import { webSocketFrame, WebSocketReader } from './websocket/frames.ts';

const pod = '/api/v1/namespaces/default/pods/p';
const webSocket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
const commands = { ...webSocket, 'sec-websocket-protocol': 'v5.channel.k8s.io' };
const spdy = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };

/** A pod whose only program says what it was sent and how it was called, and whose port 8080 answers in capitals. */
async function aPodThatRuns() {
  const api = anApiServer({
    podPrograms: {
      exec: async (_, { command, read, write }) => {
        const input = Buffer.from((await read()) ?? []).toString();
        write('stdout', Buffer.from(`${command.join(' ')} < ${input}`));
        write('stderr', Buffer.from('warned'));
        return command[0] === 'fail' ? 3 : 0;
      },
      attach: async (_, { container, read, write }) => {
        const input = Buffer.from((await read()) ?? []).toString();
        write('stdout', Buffer.from(`${container} < ${input}`));
        return 4;
      },
      listener: (_, port) => (port === 8080 ? (connection) => void answerInCapitals(connection) : undefined),
    },
  });
  const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'main' }] };
  await api.send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
  const containerStatuses = [
    { name: 'main', image: 'main', imageID: '', ready: true, restartCount: 0, state: { running: {} } },
  ];
  const merge = { 'content-type': 'application/merge-patch+json' };
  await api.send('PATCH', `${pod}/status`, { status: { phase: 'Running', containerStatuses } }, merge);
  const open = async (path: string, headers: Readonly<Record<string, string>>) => {
    const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
    const request = { method: 'GET', path: `${pod}/${path}`, headers, body: new Uint8Array(), peer };
    return connect(await api.server.handle(request, new AbortController().signal));
  };
  return { ...api, open };
}

async function answerInCapitals(connection: ByteConnection): Promise<void> {
  for await (const bytes of connection.incoming) {
    connection.send(Buffer.from(Buffer.from(bytes).toString().toUpperCase()));
  }
  connection.end();
}

/** The client's side of a connection after the answer 101. */
function connect(response: HttpResponse) {
  const toServer = new ByteChannel();
  const toClient = new ByteChannel();
  const served = response.switchProtocol?.({
    incoming: toServer,
    send: (bytes) => toClient.push(bytes),
    end: () => toClient.end(),
  });
  // What the last bytes of the client have come to is sent after it has left.
  void served?.then(() => setImmediate(() => toClient.end()));
  return { response, send: (bytes: Uint8Array) => toServer.push(bytes), end: () => toServer.end(), toClient };
}

type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof aPodThatRuns>>['open']>>;

async function channelsOf({ toClient }: Opened): Promise<Readonly<Record<number, string>>> {
  const reader = new WebSocketReader();
  const channels: Record<number, string> = {};
  for await (const chunk of toClient) {
    for (const { opcode, payload } of reader.read(chunk)) {
      const channel = payload[0] ?? 0;
      if (opcode === 2) channels[channel] = `${channels[channel] ?? ''}${Buffer.from(payload.subarray(1)).toString()}`;
    }
  }
  return channels;
}

/** A frame as clients send it. */
function masked(payload: Uint8Array): Uint8Array {
  const frame = Buffer.from(webSocketFrame(2, payload));
  const start = frame.length - payload.length;
  frame[1] = (frame[1] ?? 0) | 0x80;
  const mask = Buffer.from([1, 2, 3, 4]);
  for (let at = start; at < frame.length; at += 1) frame[at] = (frame[at] ?? 0) ^ (mask[(at - start) % 4] ?? 0);
  return Buffer.concat([frame.subarray(0, start), mask, frame.subarray(start)]);
}

const nonZero = (code: number) => ({
  status: 'Failure',
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

for (const { command, status } of [
  { command: 'say', status: { status: 'Success' } },
  { command: 'fail', status: nonZero(3) },
]) {
  test(`a command over a WebSocket has its streams as channels, and ends with its status: ${command}`, async () => {
    const { open } = await aPodThatRuns();
    const opened = await open(`exec?command=${command}&command=it&stdin=true&stdout=true&stderr=true`, commands);
    expect(opened.response).toMatchObject({
      status: 101,
      headers: {
        'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
        'sec-websocket-protocol': 'v5.channel.k8s.io',
      },
    });
    opened.send(masked(Buffer.from('\u0000hello')));
    const { 1: stdout, 2: stderr, 3: ended = '' } = await channelsOf(opened);
    expect({ stdout, stderr }).toEqual({ stdout: `${command} it < hello`, stderr: 'warned' });
    expect(JSON.parse(ended)).toMatchObject(status);
  });
}

test('who attaches to a container has its streams, and its exit code', async () => {
  const { open } = await aPodThatRuns();
  const opened = await open('attach?container=main&stdin=true&stdout=true&stderr=true', commands);
  opened.send(masked(Buffer.from('\u0000hello')));
  const { 1: stdout, 3: ended = '' } = await channelsOf(opened);
  expect(stdout).toBe('main < hello');
  expect(JSON.parse(ended)).toMatchObject(nonZero(4));
});

test('a container that does not run cannot be attached to', async () => {
  const { open, send } = await aPodThatRuns();
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', `${pod}/status`, { status: { containerStatuses: [] } }, merge);
  const { response } = await open('attach?container=main', commands);
  expect(response.status).toBe(400);
});

test('a client that ends the input of a command says so in a channel of its own', async () => {
  const { open } = await aPodThatRuns();
  const opened = await open('exec?command=say&stdin=true', commands);
  opened.send(masked(Buffer.from([255, 0])));
  expect((await channelsOf(opened))[1]).toBe('say < ');
});

/** The client's side of SPDY: opens streams, and gathers what each of them gets. */
function spdyClient({ send, toClient }: Opened) {
  const blocks = new HeaderBlocks();
  const received = new Map<number, string>();
  const read = async (): Promise<void> => {
    const reader = new SpdyReader();
    for await (const chunk of toClient) {
      for (const frame of reader.read(chunk)) {
        if (frame.kind === 'data') {
          received.set(frame.stream, `${received.get(frame.stream) ?? ''}${frame.payload.toString()}`);
        }
      }
    }
  };
  const openStream = async (id: number, headers: Readonly<Record<string, string>>): Promise<void> => {
    const block = await blocks.write(headers);
    send(controlFrame(spdyTypes.openStream, Buffer.concat([encodeUint32s(id, 0), Buffer.from([0, 0]), block])));
  };
  return {
    openStream,
    read,
    received,
    send: (id: number, text: string) => send(dataFrame(id, Buffer.from(text), true)),
  };
}

test('a command over SPDY begins when all its streams are open', async () => {
  const { open } = await aPodThatRuns();
  const headers = { ...spdy, 'x-stream-protocol-version': 'v4.channel.k8s.io, v3.channel.k8s.io' };
  const opened = await open('exec?command=fail&stdin=true&stdout=true&stderr=true', headers);
  expect(opened.response.headers).toMatchObject({ 'x-stream-protocol-version': 'v4.channel.k8s.io' });
  const client = spdyClient(opened);
  for (const [index, streamType] of ['error', 'stdin', 'stdout', 'stderr'].entries()) {
    await client.openStream(2 * index + 1, { streamType });
  }
  client.send(3, 'hello');
  await client.read();
  expect(client.received.get(5)).toBe('fail < hello');
  expect(client.received.get(7)).toBe('warned');
  expect(JSON.parse(client.received.get(1) ?? '')).toMatchObject(nonZero(3));
});

for (const { way, headers } of [
  { way: 'SPDY', headers: { ...spdy, 'x-stream-protocol-version': 'portforward.k8s.io' } },
  { way: 'a WebSocket', headers: { ...webSocket, 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' } },
]) {
  test(`ports are forwarded over ${way}`, async () => {
    const { open } = await aPodThatRuns();
    const plain = await open('portforward', headers);
    const opened = way === 'SPDY' ? plain : tunneled(plain);
    const client = spdyClient(opened);
    for (const [index, port] of ['8080', '9999'].entries()) {
      await client.openStream(4 * index + 1, { streamType: 'error', port, requestID: String(index) });
      await client.openStream(4 * index + 3, { streamType: 'data', port, requestID: String(index) });
    }
    client.send(3, 'hello');
    opened.end();
    await client.read();
    expect(client.received.get(3)).toBe('HELLO');
    expect(client.received.get(5)).toMatch(/failed to connect to localhost:9999 inside the pod: connection refused/);
  });
}

/** The client's side of a connection inside a WebSocket. */
function tunneled(opened: Opened): Opened {
  const toClient = new ByteChannel();
  const unpack = async (): Promise<void> => {
    const reader = new WebSocketReader();
    for await (const chunk of opened.toClient) {
      for (const { opcode, payload } of reader.read(chunk)) if (opcode === 2) toClient.push(payload);
    }
    toClient.end();
  };
  void unpack();
  return { ...opened, toClient, send: (bytes) => opened.send(masked(bytes)) };
}

for (const { fact, path, headers = commands, status, message } of [
  {
    fact: 'without another protocol',
    path: 'exec?command=a',
    headers: {},
    status: 400,
    message: 'Upgrade request required',
  },
  {
    fact: 'in an unknown subprotocol',
    path: 'exec?command=a',
    headers: { ...webSocket, 'sec-websocket-protocol': 'v9' },
    status: 403,
    message:
      'unable to upgrade: unable to negotiate protocol: client supports [v9], server accepts [v5.channel.k8s.io v4.channel.k8s.io]',
  },
  {
    fact: 'without a command',
    path: 'exec',
    status: 400,
    message: 'you must specify at least 1 command for the container',
  },
  {
    fact: 'in another container',
    path: 'exec?command=a&container=b',
    status: 400,
    message: 'container b is not valid for pod p',
  },
] as { fact: string; path: string; headers?: Record<string, string>; status: number; message: string }[]) {
  test(`a command ${fact} is refused`, async () => {
    const { send } = await aPodThatRuns();
    const answer: Answer = await send('GET', `${pod}/${path}`, undefined, headers);
    expect([answer.status, answer.body['message']]).toEqual([status, message]);
  });
}

test('a pod without a node runs nothing', async () => {
  const { send } = anApiServer();
  const spec = { containers: [{ name: 'main', image: 'main' }] };
  await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
  expect(await send('POST', `${pod}/exec?command=true`)).toMatchObject({
    status: 400,
    body: { message: 'pod p does not have a host assigned' },
  });
});

test('the dictionary of headers is that of the draft', () => {
  expect(headerDictionary).toHaveLength(1423);
  let [a, b] = [1, 0];
  for (const byte of headerDictionary) [a, b] = [(a + byte) % 65_521, (b + a + byte) % 65_521];
  expect(((b << 16) | a) >>> 0).toBe(0xe3c6a7c2);
});

test('frames arrive in pieces of any size', () => {
  const bytes = Buffer.concat([masked(Buffer.alloc(200, 'a')), masked(Buffer.alloc(70_000, 'b'))]);
  const reader = new WebSocketReader();
  const sizes = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    [...reader.read(bytes.subarray(7 * index, 7 * index + 7))].map(({ payload }) => payload.length),
  ).flat();
  expect(sizes).toEqual([200, 70_000]);
});
