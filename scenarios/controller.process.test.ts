import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { startController } from './support/controller-process.ts';
import { manifest } from './support/manifests.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls().slice(-1);

/** A port that nothing listens at now. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const identityOf = (log: string): string => /"identity":"([^"]+)"/.exec(log)?.[1] ?? 'nobody';

describe.skipIf(kubectl === '')('the controller as a process of its own', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    // A lease of 15 seconds has to outlast what a slow machine makes a renewal wait.
    sandbox = await startSandbox('--kubernetes-version', '1.28', '--speed', '4', '--no-controller');
  });
  afterAll(async () => {
    await sandbox.stop();
  });

  /** Nothing without a token, the nodes with one; also by a controller that does not lead. */
  async function showsItsPage(base: string): Promise<void> {
    expect((await fetch(base)).status).toBe(200);
    expect((await fetch(`${base}/api/dashboard`)).status).toBe(401);
    await sandbox.run(kubectl, ['create', 'serviceaccount', 'reader']);
    const binding = ['clusterrolebinding', 'reader', '--clusterrole=cluster-admin', '--serviceaccount=default:reader'];
    await sandbox.run(kubectl, ['create', ...binding]);
    const { stdout: token } = await sandbox.run(kubectl, ['create', 'token', 'reader']);
    const ending = new AbortController();
    const headers = { authorization: `Bearer ${token.trim()}` };
    const { status, body } = await fetch(`${base}/api/events`, { headers, signal: ending.signal });
    expect(status).toBe(200);
    let told = '';
    for await (const chunk of body ?? []) {
      told += Buffer.from(chunk).toString('utf8');
      if (told.includes('"stage":"ready"')) break;
    }
    expect(told).toContain('"group":"NodePool/default"');
    ending.abort();
  }

  test('works over HTTP as inside the sandbox; the second takes over when the first is told to stop', async () => {
    const first = startController(sandbox);
    await first.says('became the leader');
    const uiPort = await findFreePort();
    const second = startController(sandbox, { UI_PORT: String(uiPort) });
    await second.says('"message":"started"');
    await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('basic.yaml') });
    await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('sample-deploy.yaml') });
    await sandbox.until(kubectl, ['get', 'nodes', '-l', 'team=my-team'], ({ stdout }) => / Ready /.test(stdout));
    await first.says('initialized nodeclaim');

    expect(await first.get('healthProbePort', '/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await first.get('healthProbePort', '/readyz')).toEqual({ status: 200, text: 'ok' });
    expect(await second.get('healthProbePort', '/readyz')).toEqual({ status: 200, text: 'ok' });
    expect((await first.get('metricsPort', '/metrics')).text).toMatch(/karpenter_nodeclaims_created_total\{.*\} 1/);
    expect(second.output()).not.toContain('became the leader');
    await showsItsPage(`http://127.0.0.1:${uiPort}`);

    const stopped = await first.terminate();
    expect(stopped).toEqual({ status: 0 });
    const lease = ['get', 'lease', '-n', 'kube-system', 'karpenter-leader-election', '-o', 'yaml'];
    const { stdout } = await sandbox.run(kubectl, lease);
    expect(stdout).toContain('holderIdentity: ');
    expect(stdout).not.toContain(`holderIdentity: ${identityOf(first.output())}`);
    await second.says('became the leader');

    await sandbox.run(kubectl, ['delete', 'nodeclaims', '--all', '--wait=false']);
    await sandbox.until(kubectl, ['get', 'nodes', '-l', 'team=my-team'], ({ stdout }) =>
      /^NAME[^\n]*\n[^\n]* Ready +<none> +\S+ +\S+\n$/.test(stdout),
    );
    expect((await second.terminate()).status).toBe(0);
  });
});
