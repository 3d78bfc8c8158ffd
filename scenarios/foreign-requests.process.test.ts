import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import { nodewright, type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

type Answer = { readonly status: number; readonly headers: object; readonly body: string };

/** One request with headers that no `fetch` sends. */
function send(url: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const kubectl = kubectls().at(-1) ?? '';
const aws = awsClis().at(-1)?.file ?? '';

let embedded: RunningSandbox;
let attached: RunningSandbox;
beforeAll(async () => {
  embedded = await startSandbox('--no-controller', '--allowed-hosts', 'sandbox.test');
  attached = await startSandbox('--kubeconfig', embedded.env['KUBECONFIG'] ?? '', '--no-controller');
});
afterAll(async () => {
  await attached.stop();
  await embedded.stop();
});

describe.each([
  { mode: 'embedded', sandboxOf: () => embedded },
  { mode: 'attached to another cluster', sandboxOf: () => attached },
])('a sandbox that is $mode', ({ sandboxOf }) => {
  const control = (path: string): string => `${sandboxOf().env['NODEWRIGHT_SANDBOX']}${path}`;
  const tokenFile = (): string => sandboxOf().env['NODEWRIGHT_SANDBOX_TOKEN_FILE'] ?? '';
  const bearer = () => ({ authorization: `Bearer ${readFileSync(tokenFile(), 'utf8').trim()}` });

  test('keeps its token where only this user reads it', () => {
    expect(statSync(tokenFile()).mode & 0o777).toBe(0o600);
  });

  test('obeys its own commands, and whoever has the token', async () => {
    expect((await sandboxOf().nodewright('sandbox', 'clock', 'advance', '1s')).status).toBe(0);
    expect((await send(control('/calls'), { headers: bearer() })).status).toBe(200);
  });

  test('tells an old script where the token is', async () => {
    const { status, body } = await send(control('/clock'));
    expect({ status, body: JSON.parse(body) as object }).toEqual({
      status: 401,
      body: { error: expect.stringContaining(`needs the token in ${tokenFile()}`) },
    });
  });

  for (const { page, headers } of [
    { page: 'a page of another origin', headers: { origin: 'https://evil.example' } },
    { page: 'a page whose name was rebound to it', headers: { host: 'evil.example' } },
  ]) {
    test(`refuses ${page}, with the token too, at both ports`, async () => {
      const before = JSON.parse((await sandboxOf().nodewright('sandbox', 'clock', '-o', 'json')).stdout) as {
        now: string;
      };
      const body = '{"advance":"10d"}';
      const answer = await send(control('/clock'), { method: 'POST', headers: { ...bearer(), ...headers }, body });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).join()).not.toContain('access-control');
      const after = JSON.parse((await sandboxOf().nodewright('sandbox', 'clock', '-o', 'json')).stdout) as {
        now: string;
      };
      expect(Date.parse(after.now) - Date.parse(before.now)).toBeLessThan(86_400_000);
      const query = '/?Action=DescribeInstances&Version=2016-11-15';
      expect((await send(`${sandboxOf().env['AWS_ENDPOINT_URL']}${query}`, { headers })).status).toBe(403);
    });
  }

  test('serves no AWS call that is not signed', async () => {
    const body = 'Action=DescribeInstances&Version=2016-11-15';
    const answer = await send(sandboxOf().env['AWS_ENDPOINT_URL'] ?? '', { method: 'POST', body });
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('<Code>MissingAuthenticationToken<') });
  });
});

test('a name that is allowed is served', async () => {
  const url = `${embedded.env['NODEWRIGHT_SANDBOX']}/clock`;
  expect((await send(url, { headers: { host: 'sandbox.test:1234' } })).status).toBe(401);
});

test('a command finds the token beside the kubeconfig, and without both says what is missing', async () => {
  const { NODEWRIGHT_SANDBOX = '', KUBECONFIG = '', NODEWRIGHT_SANDBOX_TOKEN_FILE = '', PATH = '' } = embedded.env;
  const clock = `node ${new URL('../packages/cli/bin/nodewright.mjs', import.meta.url).pathname} sandbox clock`;
  const runWith = (variables: Readonly<Record<string, string>>) => {
    const settings = Object.entries({ PATH, NODEWRIGHT_SANDBOX, ...variables }).map(
      ([name, value]) => `${name}=${value}`,
    );
    return embedded.run('/bin/sh', ['-c', `env -i ${settings.join(' ')} ${clock}`]);
  };
  expect(await runWith({ KUBECONFIG })).toMatchObject({ status: 0 });
  expect(await runWith({})).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`set NODEWRIGHT_SANDBOX_TOKEN_FILE=${NODEWRIGHT_SANDBOX_TOKEN_FILE}`),
  });
});

test.skipIf(kubectl === '' || aws === '')(
  'a token of aws eks get-token opens the cluster, one of another key does not',
  async () => {
    const endpoint = ['--endpoint-url', embedded.env['AWS_ENDPOINT_URL'] ?? ''];
    const getToken = [...endpoint, 'eks', 'get-token', '--cluster-name', 'sandbox', '--output', 'json'];
    const tokenOf = (text: string) => (JSON.parse(text) as { status: { token: string } }).status.token;
    const whoAmI = (token: string) => {
      const script =
        'kubectl=$1; token=$2; ' +
        '$kubectl config view --raw --minify -o go-template=\'{{range .clusters}}{{index .cluster "certificate-authority-data"}}{{end}}\' | base64 -d > ca.crt; ' +
        'server=$($kubectl config view --minify -o jsonpath={.clusters[0].cluster.server}); ' +
        'KUBECONFIG=/dev/null $kubectl --server $server --certificate-authority ca.crt --token $token auth whoami';
      return embedded.run('/bin/sh', ['-c', script, 'sh', kubectl, token]);
    };
    const right = tokenOf((await embedded.run(aws, getToken)).stdout);
    expect((await whoAmI(right)).stdout).toContain('kubernetes-admin');
    const wrong = await embedded.run('/bin/sh', ['-c', `AWS_SECRET_ACCESS_KEY=other ${aws} ${getToken.join(' ')}`]);
    expect(await whoAmI(tokenOf(wrong.stdout))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/logged in|Unauthorized/),
    });
  },
);

test('host names with a port are refused before anything starts', async () => {
  expect(await nodewright('sandbox', '--allowed-hosts', 'sandbox.test:80')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('host names or addresses without ports'),
  });
});
