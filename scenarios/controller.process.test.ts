import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { startController } from './support/controller-process.ts';
import { manifest } from './support/manifests.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls().slice(-1);

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

  test('works over HTTP as inside the sandbox; the second takes over when the first is told to stop', async () => {
    const first = startController(sandbox);
    await first.says('became the leader');
    const second = startController(sandbox);
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
