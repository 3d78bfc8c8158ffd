import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { manifest } from './support/manifests.ts';
import { nodewright, nodewrightShell, type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const kubectl = kubectls().at(-1) ?? '';
const folder = mkdtempSync(join(tmpdir(), 'nodewright-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(kubectl === '')('a sandbox with a data directory', () => {
  const directory = join(folder, 'kept');
  const start = () => startSandbox('--data-dir', directory, '--kubernetes-version', '1.28', '--speed', '300');

  test('goes on after kill -9 with everything that was acknowledged', async () => {
    const first = await start();
    await first.run(kubectl, ['apply', '-f', '-'], { input: manifest('basic.yaml') });
    await first.run(kubectl, ['apply', '-f', '-'], { input: manifest('sample-deploy.yaml') });
    await first.until(kubectl, ['get', 'nodes'], ({ stdout }) => / Ready /.test(stdout));
    const nodes = ['get', 'nodes', '-o', 'custom-columns=UID:.metadata.uid,ID:.spec.providerID'];
    const before = await first.run(kubectl, nodes);
    for (const name of ['a', 'b', 'c']) await first.run(kubectl, ['create', 'configmap', name]);
    await first.kill();

    const second = await start();
    expect(second.env).toEqual({ ...first.env, HOME: second.env['HOME'] });
    expect((await second.run(kubectl, nodes)).stdout).toBe(before.stdout);
    expect((await second.run(kubectl, ['get', 'configmap', 'a', 'b', 'c', '-o', 'name'])).status).toBe(0);
    await second.run(kubectl, ['scale', 'deployment', 'inflate', '--replicas', '9']);
    await second.until(kubectl, ['get', 'deployment', 'inflate'], ({ stdout }) => stdout.includes('9/9'));
    expect(await second.stop()).toBe(0);
  });

  test('is one sandbox at a time, and stays the one it is', async () => {
    const running = await start();
    const again = await nodewright('sandbox', '--data-dir', directory);
    expect(again).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('is that sandbox still running?'),
    });
    expect(await running.stop()).toBe(0);
    const other = await nodewright('sandbox', '--data-dir', directory, '--cluster-name', 'other');
    expect(other).toMatchObject({ status: 2, stderr: expect.stringContaining('--cluster-name is other') });
  });
});

describe.skipIf(kubectl === '')('two sandboxes side by side', () => {
  let red: RunningSandbox;
  let blue: RunningSandbox;
  beforeAll(async () => {
    [red, blue] = await Promise.all([
      startSandbox('--cluster-name', 'red', '--no-controller', '--kubernetes-version', '1.29'),
      startSandbox('--cluster-name', 'blue', '--speed', '60'),
    ]);
  });
  afterAll(async () => {
    await Promise.all([red.stop(), blue.stop()]);
  });

  test('know nothing of each other', async () => {
    await red.run(kubectl, ['create', 'namespace', 'only-red']);
    expect((await red.run(kubectl, ['get', 'namespaces', '-o', 'name'])).stdout).toContain('only-red');
    expect((await blue.run(kubectl, ['get', 'namespaces', '-o', 'name'])).stdout).not.toContain('only-red');
  });

  test('time stands still while it is paused, and moves by what is asked', async () => {
    const clock = async (...args: readonly string[]) =>
      JSON.parse((await blue.nodewright('sandbox', 'clock', ...args, '-o', 'json')).stdout) as {
        now: string;
        speed: number;
      };
    const { now } = await clock('pause');
    expect(await clock('show')).toMatchObject({ now, paused: true });
    const later = await clock('advance', '10d');
    expect(Date.parse(later.now) - Date.parse(now)).toBe(10 * 86_400_000);
    expect(await clock('speed', '30')).toMatchObject({ speed: 30, paused: true });
    const ages = await blue.run(kubectl, ['get', 'namespace', 'default']);
    expect(ages.stdout).toMatch(/10d|11d/);
    expect(await clock('resume')).toMatchObject({ paused: false });
  });

  test('a fault refuses calls until it is cleared, and every call is on record', async () => {
    const added = await blue.nodewright('sandbox', 'fault', 'add', 'throttle', '--service', 'eks', '--times', '1');
    expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining('service=eks times=1') });
    expect((await blue.nodewright('sandbox', 'fault', 'clear')).stdout).toBe('no faults\n');
    const calls = JSON.parse((await blue.nodewright('sandbox', 'calls', '-o', 'json')).stdout) as { items: object[] };
    expect(calls.items[0]).toMatchObject({ number: 1, time: expect.stringMatching(/Z$/) });
  });

  test('the account of one works for the API server of the other', async () => {
    const attached = await startSandbox('--kubeconfig', red.env['KUBECONFIG'] ?? '', '--cluster-name', 'red');
    try {
      expect(attached.env['KUBECONFIG']).toBe(red.env['KUBECONFIG']);
      const basic = manifest('basic.yaml', 'red');
      await attached.run(kubectl, ['apply', '-f', '-'], { input: basic });
      await attached.run(kubectl, ['apply', '-f', '-'], { input: manifest('sample-deploy.yaml', 'red') });
      await attached.until(kubectl, ['get', 'nodeclaims'], ({ stdout }) => stdout.includes('spot'));
      await attached.nodewright('sandbox', 'clock', 'advance', '2m');
      const nodes = await attached.until(kubectl, ['get', 'nodes'], ({ stdout }) => / Ready /.test(stdout));
      expect(nodes.stdout).toContain('v1.29.');
      const events = ['get', 'events', '--all-namespaces', '--field-selector', 'reason=ManifestWarning'];
      await attached.until(kubectl, events, ({ stdout }) => /ec2nodeclass|nodepool/.test(stdout));
    } finally {
      expect(await attached.stop()).toBe(0);
    }
  });
});

describe('a sandbox that cannot start says why and ends with 2', () => {
  let running: RunningSandbox;
  const file = join(folder, 'a-file');
  beforeAll(async () => {
    writeFileSync(file, '');
    running = await startSandbox();
  });
  afterAll(async () => {
    await running.stop();
  });

  for (const [fact, flags, message] of [
    ['a data directory that is a file', ['--data-dir', file], `--data-dir ${file}: `],
    ['a speed that is none', ['--speed', 'fast'], 'must be a number above 0, not "fast"'],
    ['a flag that is none', ['--kubernetes-verison', '1.29'], 'did you mean --kubernetes-version?'],
    [
      'a version that is none',
      ['--kubernetes-version', 'v1.29'],
      'must be a Kubernetes minor version such as 1.29, not "v1.29"',
    ],
    [
      'a zone that is none',
      ['--zones', 'us-east-1'],
      'must be zone names such as us-east-1a separated by commas; "us-east-1" is none',
    ],
    [
      'a version without an image',
      ['--kubernetes-version', '1.99'],
      '--kubernetes-version 1.99: there are no images of it',
    ],
    ['a region that is none', ['--region', 'mars'], 'must be an AWS region such as us-east-1, not "mars"'],
    ['a ready file that nobody could write', ['--ready-file', '/nowhere/x'], 'there is no folder /nowhere'],
    ['a port that is none', ['--aws-port', '70000'], 'must be a port from 0 to 65535'],
    [
      'releases that are not there',
      ['--releases', '/nowhere.json'],
      '--releases /nowhere.json: there is no such file or folder',
    ],
    ['a kubeconfig that is not there', ['--kubeconfig', '/nowhere'], '--kubeconfig /nowhere: there is no such file'],
    ['controllers for nobody', ['--with-workload-controllers'], '--with-workload-controllers is for --kubeconfig'],
  ] as const) {
    test(fact, async () => {
      expect(await nodewright('sandbox', ...flags)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(message),
      });
    });
  }

  test('a port that is taken', async () => {
    const port = new URL(running.env['AWS_ENDPOINT_URL'] ?? '').port;
    for (const flag of ['--aws-port', '--kubernetes-port']) {
      const refused = await nodewright('sandbox', flag, port);
      expect(refused).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining(`port ${port} is already taken`),
      });
    }
  });
});

test('a shell of a sandbox has everything exported, and its exit status is the command’s', async () => {
  const answer = await nodewrightShell('nodewright sandbox clock pause; echo "$CLUSTER_NAME $AWS_REGION"; exit 3');
  expect(answer.status).toBe(3);
  expect(answer.stdout).toMatch(/^\S+Z {3}paused \(speed 60\)\nsandbox us-east-1\n$/);
  expect(answer.stderr).toContain('runs at 60 times the speed of yours');
});
