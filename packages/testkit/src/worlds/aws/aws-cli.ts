import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from '@nodewright/runtime';
import { testAccessKey } from './test-account.ts';

export type CliAnswer = { readonly status: number; readonly stdout: string; readonly stderr: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** Serves a handler on a free port, and runs an `aws` command against it with the key of the test account. */
export async function awsCli(handle: RequestHandler, environment: Environment, command: string) {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const answer = await handle(await wholeRequest(incoming), new AbortController().signal);
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    PATH: environment['PATH'],
    AWS_ENDPOINT_URL: endpoint,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: testAccessKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testAccessKey.secretAccessKey,
    AWS_PAGER: '',
    AWS_MAX_ATTEMPTS: '1',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  };
  const runWith = (extra: Environment, ...args: readonly string[]): Promise<CliAnswer> =>
    new Promise((resolve) => {
      execFile(command, [...args, '--output', 'json'], { env: { ...env, ...extra } }, (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  const run = (...args: readonly string[]): Promise<CliAnswer> => runWith({}, ...args);
  const json = async (...args: readonly string[]): Promise<unknown> => {
    const { status, stdout, stderr } = await run(...args);
    if (status !== 0) throw new Error(`aws ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return { run, runWith, json, endpoint, close: () => server.close() };
}

async function wholeRequest(incoming: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, body: Buffer.concat(chunks) };
}
