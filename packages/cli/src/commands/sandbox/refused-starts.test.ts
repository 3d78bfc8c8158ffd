import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { firstDays, newestMinor, releasesOf } from './releases.ts';
import { startSandbox } from './sandbox.ts';
import type { SandboxFlags } from './flags.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'refused-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const usual: SandboxFlags = {
  speed: 1,
  kubernetesPort: 0,
  awsPort: 0,
  controller: true,
  withWorkloadControllers: false,
};

describe('a sandbox does not start', () => {
  const written = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  test.each<readonly [string, () => Partial<SandboxFlags>, RegExp]>([
    [
      'in zones of another region',
      () => ({ zones: ['us-west-2a'] }),
      /^--zones: us-west-2a is no zone of the region us-east-1; zones are named as us-east-1a$/,
    ],
    [
      'at a minor without images',
      () => ({ kubernetesVersion: '1.99' }),
      /^--kubernetes-version 1\.99: there are no images of it; there are of 1\.\d+ to 1\.\d+$/,
    ],
    [
      'with a policy of syncing and nothing to sync',
      () => ({ fsync: 'always' }),
      /^--fsync always needs --data-dir: without one nothing is kept; name a directory, or leave it out$/,
    ],
    [
      'with releases of no file',
      () => ({ releases: '/nowhere.json' }),
      /^--releases \/nowhere\.json: there is no such file or folder$/,
    ],
    ['with releases that are no JSON', () => ({ releases: written('a.json', '{') }), /^--releases .*a\.json: .*JSON/],
    [
      'with releases that lack fields',
      () => ({ releases: written('b.json', '[{"family":"AL2"}]') }),
      /^--releases .*b\.json: the release feed is not usable:\n.*\[0\]\.version: is missing/s,
    ],
    [
      'with releases of an unknown family',
      () => ({ releases: written('c.json', '[{"family":"AL9"}]') }),
      /\[0\]\.family: is "AL9", wanted/,
    ],
    ['attached to no cluster', () => ({ kubeconfig: '/nowhere/config' }), /\/nowhere\/config/],
  ])('%s', async (_, more, words) => {
    const refused = startSandbox({ ...usual, ...more() });
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow(words);
  });

  test('leaves nothing behind in the directory that it was given', async () => {
    const dataDir = join(folder, 'data');
    await expect(startSandbox({ ...usual, dataDir, zones: ['us-west-2a'] })).rejects.toThrow(InputError);
    const left = readdirSync(folder).includes('data') ? readdirSync(dataDir) : [];
    expect(left.filter((name) => name === 'sandbox.json')).toEqual([]);
  });

  test('where the file of its values has no folder', async () => {
    const answer = await type('sandbox', '--ready-file', '/nowhere/ready.json');
    expect(answer).toEqual({
      status: 2,
      out: '',
      err: 'error: --ready-file /nowhere/ready.json: there is no folder /nowhere; make it first',
    });
  });
});

describe('a flag of a start says what would be right', () => {
  test.each<readonly [string, string, string]>([
    ['--speed', '0', 'must be a number above 0, not "0"'],
    ['--seed', '-1', 'must be a whole number from 0, not "-1"'],
    ['--kubernetes-port', '70000', 'must be a port from 0 to 65535 (0: any free one), not "70000"'],
    ['--region', 'mars', 'must be an AWS region such as us-east-1, not "mars"'],
    ['--zones', 'a,b', 'must be zone names such as us-east-1a separated by commas; "a" is none'],
    ['--cluster-name', 'my_cluster', 'must be letters, digits and dashes, at most 100, not "my_cluster"'],
    ['--start-time', 'now', 'must be a time such as 2024-01-28T16:00:00Z, not "now"'],
    [
      '--operator-deployment',
      'karpenter',
      'must be a namespace and a name such as kube-system/karpenter, not "karpenter"',
    ],
    ['--update-quiet', 'soon', 'must be a duration such as 30m, 24h or 10d, not "soon"'],
    ['--scenario', 'none', 'must be one of'],
  ])('%s %s', async (flag, value, words) => {
    const { status, out, err } = await type('sandbox', flag, value);
    expect([status < 0, out]).toEqual([true, '']);
    expect(err).toContain(words);
  });
});

describe('releases', () => {
  const all = builtInReleases();
  test('have a newest minor at every time', () => {
    expect(newestMinor(all, Date.UTC(2024, 0, 28))).toBe('1.29');
    expect(newestMinor(all, 0)).toMatch(/^1\.\d+$/);
  });

  test('of a minor begin two weeks before it is used', () => {
    const first = Math.min(...all.of('1.29').map(({ publishedAt }) => Date.parse(publishedAt)));
    expect(firstDays(all, '1.29') - first).toBe(14 * 86_400_000);
    expect(firstDays(all, undefined)).toBe(0);
  });

  test('end where a test has left its directory', () => {
    const until = '2024-01-28T16:00:00Z';
    const known = releasesOf(undefined, until);
    const later = known.minors.flatMap((minor) => known.of(minor)).filter(({ publishedAt }) => publishedAt > until);
    expect(later).toEqual([]);
  });
});

describe('a directory that is to be repaired', () => {
  const repair = (...args: readonly string[]) => type('sandbox', 'repair', ...args);

  test('has to be that of a sandbox', async () => {
    expect(await repair(folder)).toEqual({
      status: 2,
      out: '',
      err: `error: ${folder} has no state.jsonl; name the directory of a sandbox`,
    });
  });

  test('may be in order', async () => {
    const whole = mkdtempSync(join(folder, 'whole-'));
    writeFileSync(join(whole, 'state.jsonl'), '');
    expect(await repair(whole)).toEqual({
      status: 0,
      out: 'all 0 records can be read; there is nothing to repair',
      err: '',
    });
    expect(JSON.parse((await repair(whole, '-o', 'json')).out)).toMatchObject({
      kind: 'StateRepair',
      state: 'whole',
      recordsKept: 0,
      recordsDropped: 0,
      written: false,
    });
  });
});
