import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { nodewright, type RunningSandbox, startSandbox, startSandboxWithFileLimit } from './support/running-sandbox.ts';

const kubectl = kubectls().at(-1) ?? '';
const folder = mkdtempSync(join(tmpdir(), 'nodewright-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const directory = join(folder, 'kept');
const flags = ['--data-dir', directory, '--no-controller'];
const state = join(directory, 'state.jsonl');
/** Enough for the state of a new sandbox, and for some large objects. */
const limitBlocks = 10_000;

async function configMaps(sandbox: RunningSandbox): Promise<readonly string[]> {
  const { stdout } = await sandbox.run(kubectl, ['get', 'configmaps', '-o', 'name']);
  return stdout.split('\n').filter((name) => /big-/.test(name));
}

/** Creates large objects until one is refused. */
async function fill(sandbox: RunningSandbox) {
  const large = join(folder, 'large');
  writeFileSync(large, 'x'.repeat(500_000));
  const acknowledged: string[] = [];
  for (let count = 0; count < 50; count += 1) {
    const created = await sandbox.run(kubectl, ['create', 'configmap', `big-${count}`, `--from-file=${large}`]);
    if (created.status !== 0) return { acknowledged, refusal: created.stderr };
    acknowledged.push(`configmap/big-${count}`);
  }
  throw new Error('the disk never ran full');
}

describe.skipIf(kubectl === '').sequential('a sandbox whose disk runs full', () => {
  let acknowledged: readonly string[] = [];

  test('refuses with the reason, shows what it has acknowledged, and loses nothing of it', async () => {
    const full = await startSandboxWithFileLimit(limitBlocks, ...flags);
    const filled = await fill(full);
    acknowledged = filled.acknowledged.toSorted();
    expect(filled.refusal).toContain('the sandbox is read-only: the disk is full (EFBIG)');
    expect((await full.run(kubectl, ['get', '--raw', '/readyz'])).stderr).toContain('read-only');
    expect(await configMaps(full)).toEqual(acknowledged);
    const advanced = await full.nodewright('sandbox', 'clock', 'advance', '1h');
    expect(advanced).toMatchObject({ status: 1, stderr: expect.stringContaining('read-only') });
    await full.kill();
    const again = await startSandbox(...flags);
    expect(await configMaps(again)).toEqual(acknowledged);
    expect((await again.run(kubectl, ['create', 'configmap', 'later'])).status).toBe(0);
    expect(await again.stop()).toBe(0);
  });

  test('does not start without space for its state, and changes nothing', async () => {
    const before = readFileSync(state);
    await expect(startSandboxWithFileLimit(100, ...flags)).rejects.toThrow(
      /ended with 1:[^]*What was kept there is unchanged/,
    );
    expect(readFileSync(state).equals(before)).toBe(true);
  });

  test('names a damaged record, and is repaired without it', async () => {
    const text = readFileSync(state, 'latin1');
    writeFileSync(state, text.replace('default/big-1"', 'default/big_1"'), 'latin1');
    const refused = await nodewright('sandbox', ...flags);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/record \d+ at byte \d+ \(kubernetes\/configmaps default\/big_1\) cannot be read/);
    expect(refused.stderr).toContain(`nodewright sandbox repair ${directory}`);

    const looked = await nodewright('sandbox', 'repair', directory);
    expect(looked).toMatchObject({ status: 3, stdout: expect.stringContaining('kubernetes/configmaps default/big_1') });
    const repaired = await nodewright('sandbox', 'repair', directory, '--write', '-o', 'json');
    expect(repaired.status).toBe(0);
    expect(JSON.parse(repaired.stdout)).toMatchObject({
      kind: 'StateRepair',
      recordsDropped: 1,
      written: true,
      copy: `${state}.damaged-1`,
    });
    const left = await startSandbox(...flags);
    expect(await configMaps(left)).toEqual(acknowledged.filter((name) => name !== 'configmap/big-1'));
    const running = await nodewright('sandbox', 'repair', directory, '--write');
    expect(running).toMatchObject({ status: 2, stderr: expect.stringContaining('stop that sandbox first') });
    await left.stop();
  });

  test('says where --fsync does not belong', async () => {
    const answer = await nodewright('sandbox', '--fsync', 'always');
    expect(answer).toMatchObject({ status: 2, stderr: expect.stringContaining('--fsync always needs --data-dir') });
  });
});

test('a second sandbox beside the API server of another one does not take its state away', async () => {
  const cluster = await startSandbox('--no-controller');
  const home = join(folder, 'attached');
  const attached = ['--kubeconfig', cluster.env['KUBECONFIG'] ?? '', '--data-dir', home, '--no-controller'];
  const first = await startSandbox(...attached);
  const { ino } = statSync(join(home, 'state.jsonl'));
  const second = await nodewright('sandbox', ...attached);
  expect(second).toMatchObject({ status: 2, stderr: expect.stringContaining('already taken') });
  expect(statSync(join(home, 'state.jsonl')).ino).toBe(ino);
  await first.stop();
  await cluster.stop();
});
