import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodes } from '@nodewright/apis';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Transport } from '../http.ts';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { TinyApiServer } from '@nodewright/testkit';
import { realTime } from '../time/real-time.ts';
import { kubeConfigTransport } from './kubeconfig-transport.ts';
import { socketTransport } from './socket-transport.ts';

const api = new TinyApiServer();
const authorizations: (string | undefined)[] = [];
let listening: Server;
let server: string;

const host = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const left = new AbortController();
  authorizations.push(request.headers.authorization);
  response.once('close', () => left.abort());
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => void answer());
  const answer = async (): Promise<void> => {
    const asked = { method: request.method ?? '', path: request.url ?? '', headers: {}, body: Buffer.concat(chunks) };
    const { status, headers, body } = await api.handle(asked, left.signal);
    response.writeHead(status, headers);
    response.flushHeaders();
    if (body instanceof Uint8Array) response.write(body);
    else for await (const chunk of body) response.write(chunk);
    response.end();
  };
});

beforeEach(async () => {
  listening = host.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  server = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  authorizations.length = 0;
});

afterEach(async () => {
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
});

const clientOver = (transport: Transport) => kubernetesClient({ transport, gate: realTime().gate, userAgent: 'test' });

describe('over sockets', () => {
  test('a client writes, reads and watches, with its token', async () => {
    const client = clientOver(socketTransport({ server, token: 'secret' }));
    const created = await client.create(nodes, { metadata: { name: 'größe' } });
    const { items } = await client.list(nodes);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['größe']);
    const seen: string[] = [];
    for await (const event of client.watch(nodes, { resourceVersion: '0' })) {
      seen.push(event.type);
      if (event.type === 'ADDED') await client.delete(nodes, created.metadata);
      if (event.type === 'DELETED') break;
    }
    expect(seen).toEqual(['ADDED', 'DELETED']);
    expect(new Set(authorizations)).toEqual(new Set(['Bearer secret']));
  });

  test('a watch ends with the reason of its signal', async () => {
    const client = clientOver(socketTransport({ server }));
    const controller = new AbortController();
    const watch = client.watch(nodes, { resourceVersion: '999999', signal: controller.signal })[Symbol.asyncIterator]();
    const next = watch.next();
    setImmediate(() => controller.abort(new Error('stopping')));
    await expect(next).rejects.toThrow('stopping');
  });

  test('a server that is not there is an error that says what was asked, where, and what happened', async () => {
    const client = clientOver(socketTransport({ server: 'http://127.0.0.1:1' }));
    await expect(client.version()).rejects.toMatchObject({
      name: 'ConnectionError',
      retry: 'backOff',
      message: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:1\/version: no answer \(.*ECONNREFUSED.*\)$/),
    });
  });

  test('a connection that breaks while a watch is read is an error of its reader', async () => {
    const client = clientOver(socketTransport({ server }));
    const watch = client.watch(nodes, { resourceVersion: '999999' })[Symbol.asyncIterator]();
    const next = watch.next();
    while (!api.requests.at(-1)?.includes('999999')) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    host.closeAllConnections();
    await expect(next).rejects.toMatchObject({ name: 'ConnectionError' });
  });
});

describe('a kubeconfig', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const user = (name: string, rest: string): string => `- {name: ${name}, user: {${rest}}}`;
  const context = (name: string): string => `- {name: ${name}, context: {cluster: here, user: ${name}}}`;

  async function aFile(): Promise<string> {
    const plugin = `exec: {apiVersion: client.authentication.k8s.io/v1, command: cat, args: ['${folder}/token.json'], interactiveMode: Never}`;
    const status = { token: 'from-plugin' };
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
    await writeFile(`${folder}/token.json`, JSON.stringify(credential));
    const lines = [
      'apiVersion: v1',
      'kind: Config',
      'current-context: static',
      `clusters: [{name: here, cluster: {server: '${server}', insecure-skip-tls-verify: true}}]`,
      'users:',
      user('static', 'token: from-file'),
      user('plugin', plugin),
      'contexts:',
      context('static'),
      context('plugin'),
    ];
    await writeFile(`${folder}/config`, lines.join('\n'));
    return `${folder}/config`;
  }

  test('gives the server and the credentials of its current context', async () => {
    const file = await aFile();
    await clientOver(await kubeConfigTransport({ file })).list(nodes);
    expect(authorizations).toEqual(['Bearer from-file']);
  });

  test('gives the token that somebody has written into it since, and never one of another server', async () => {
    const file = await aFile();
    const client = clientOver(await kubeConfigTransport({ file }));
    const begun = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => begun + 60_000 * authorizations.length);
    try {
      await client.list(nodes);
      const before = await readFile(file, 'utf8');
      await writeFile(file, before.replace('from-file', 'renewed'));
      await client.list(nodes);
      await writeFile(file, before.replace('from-file', 'of-another').replaceAll(server, 'http://127.0.0.1:9'));
      await client.list(nodes);
      await writeFile(file, 'half a fi');
      await client.list(nodes);
      expect(authorizations).toEqual(['Bearer from-file', 'Bearer renewed', 'Bearer renewed', 'Bearer renewed']);
    } finally {
      clock.mockRestore();
    }
  });

  test('gives those of another context, from a plugin', async () => {
    const file = await aFile();
    await clientOver(await kubeConfigTransport({ file, context: 'plugin' })).list(nodes);
    expect(authorizations).toEqual(['Bearer from-plugin']);
  });

  test('that is nowhere to be found is an error that says where to put it', async () => {
    const before = { HOME: process.env['HOME'], KUBECONFIG: process.env['KUBECONFIG'] };
    process.env['HOME'] = folder;
    delete process.env['KUBECONFIG'];
    try {
      await expect(kubeConfigTransport()).rejects.toThrow('there is no kubeconfig: set KUBECONFIG');
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test('without the context that was asked for says which it has', async () => {
    const file = await aFile();
    await expect(kubeConfigTransport({ file, context: 'prod' })).rejects.toThrow(
      'there is no context "prod"; the kubeconfig has plugin, static',
    );
  });
});
