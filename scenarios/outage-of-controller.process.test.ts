import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bridge, bridgeTo } from './support/bridge.ts';
import { awsClis, kubectls } from './support/clients.ts';
import { startController } from './support/controller-process.ts';
import { manifest } from './support/manifests.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls().slice(-1);
const [aws] = awsClis().slice(-1);

/** In the sandbox's time. */
const awayMs = 6 * 60_000;

/** The names of the claims that log lines with this message are about. */
const claimsTold = (output: string, message: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"message":"${message}"`))
    .map((line) => /"NodeClaim":\{"name":"([^"]+)"/.exec(line)?.[1] ?? line);

/** The instances of NodeClaims that run now. */
const running = [
  'ec2',
  'describe-instances',
  '--filters',
  'Name=instance-state-name,Values=pending,running',
  'Name=tag-key,Values=karpenter.sh/nodeclaim',
];

describe.skipIf(kubectl === '' || aws === undefined)('the controller as a process of its own', () => {
  let sandbox: RunningSandbox;
  let bridges: readonly Bridge[];
  let env: RunningSandbox['env'];

  beforeAll(async () => {
    sandbox = await startSandbox('--kubernetes-version', '1.28', '--speed', '120', '--no-controller');
    const config = readFileSync(sandbox.env['KUBECONFIG'] ?? '', 'utf8');
    const server = /server: (\S+)/.exec(config)?.[1] ?? '';
    const toKubernetes = await bridgeTo(server);
    const toAws = await bridgeTo(sandbox.env['AWS_ENDPOINT_URL'] ?? '');
    bridges = [toKubernetes, toAws];
    const KUBECONFIG = join(dirname(sandbox.env['KUBECONFIG'] ?? ''), 'over-the-bridge');
    writeFileSync(KUBECONFIG, config.replace(server, `https://127.0.0.1:${toKubernetes.port}`));
    env = { ...sandbox.env, KUBECONFIG, AWS_ENDPOINT_URL: `http://127.0.0.1:${toAws.port}` };
  });
  afterAll(async () => {
    await Promise.all(bridges.map((bridge) => bridge.close()));
    await sandbox.stop();
  });

  test('goes on with a replacement after minutes without API server and AWS, and launches nothing twice', async () => {
    const controller = startController({ env });
    await controller.says('became the leader');
    for (const file of ['basic.yaml', 'sample-deploy.yaml'])
      await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest(file) });
    await controller.says('initialized nodeclaim');
    const endpoint = ['--endpoint-url', sandbox.env['AWS_ENDPOINT_URL'] ?? ''];
    const update = ['eks', 'update-cluster-version', '--name', 'sandbox', '--kubernetes-version', '1.29'];
    await sandbox.run(aws?.file ?? '', [...update, ...endpoint]);
    await controller.says('disrupting node(s)');
    for (const bridge of bridges) bridge.cut();
    const since = await sandbox.now();
    while ((await sandbox.now()) < since + awayMs) await pause(100);
    for (const bridge of bridges) bridge.mend();
    const versions = [
      'get',
      'nodes',
      '-l',
      'team=my-team',
      '-o',
      'jsonpath={.items[*].status.nodeInfo.kubeletVersion}',
    ];
    await sandbox.until(kubectl, versions, ({ stdout }) => /^v1\.29\.\S+$/.test(stdout));
    await controller.says('deleted nodeclaim');
    const claims = await sandbox.run(kubectl, ['get', 'nodeclaims', '-o', 'name']);
    expect(claims.stdout.trim().split('\n')).toHaveLength(1);
    const launched = claimsTold(controller.output(), 'launched nodeclaim');
    const registered = new Set(claimsTold(controller.output(), 'registered nodeclaim'));
    expect(new Set(launched).size).toBe(launched.length);
    // Nodes have 15 minutes to register, 7 seconds on the wall. On a busy machine a replacement may be given up and tried again.
    expect(launched.filter((name) => registered.has(name))).toHaveLength(2);
    const instances = [...running, ...endpoint, '--query', 'length(Reservations[].Instances[])'];
    expect((await sandbox.run(aws?.file ?? '', instances)).stdout.trim()).toBe('1');
    expect(controller.output()).toContain('watch failed');
    expect((await controller.terminate()).status).toBe(0);
  });
});
