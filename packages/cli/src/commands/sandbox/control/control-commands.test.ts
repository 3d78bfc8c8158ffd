import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromTimestamp } from '@nodewright/apis';
import { scaledTime } from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import { aRelease, aTerminal, aTestAccount, ec2Caller } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApplication } from '../../../app.ts';
import { controlForClients } from '../../../world/outside-handlers.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));
const sh = (text: string) => type('sandbox', ...text.split(' '));
const refusal = (err: string | RegExp) => ({
  status: 2,
  out: '',
  err: typeof err === 'string' ? `error: ${err}` : (expect.stringMatching(err) as unknown),
});

const time = scaledTime({ start: fromTimestamp('2024-01-28T16:00:00Z'), speed: 1 });
const closing: (() => Promise<void> | void)[] = [];
let url: string, folder: string;
let callEc2: ReturnType<typeof ec2Caller>['call'];

beforeAll(async () => {
  time.pause();
  folder = mkdtempSync(join(tmpdir(), 'control-'));
  const tokenFile = join(folder, 'control-token');
  writeFileSync(tokenFile, 'open\n');
  const build = (version: string, imageId: string, publishedAt: string) =>
    aRelease({ version, imageId, publishedAt, kubernetesVersion: '1.28', name: `amazon-eks-node-1.28-${version}` });
  const releases = [
    build('v20240117', 'ami-0aaaaaaaaaaaaaaa1', '2024-01-19T00:00:00Z'),
    build('v20240202', 'ami-0aaaaaaaaaaaaaaa2', '2024-02-02T00:00:00Z'),
    build('v20240207', 'ami-0aaaaaaaaaaaaaaa3', '2024-02-08T17:30:00.500Z'),
  ];
  const { aws } = aTestAccount({ releases });
  callEc2 = ec2Caller(aws).call;
  const handle = controlForClients({ time, aws }, { credentials: { controlToken: 'open', tokenFile } });
  const listening = await listenOn(handle, { port: 0 });
  const strange = await listenOn(() => Promise.resolve({ status: 200, headers: {}, body: Buffer.from('<html>') }), {
    port: 0,
  });
  url = listening.url;
  vi.stubEnv('NODEWRIGHT_SANDBOX', url);
  vi.stubEnv('NODEWRIGHT_SANDBOX_TOKEN_FILE', tokenFile);
  vi.stubEnv('STRANGE_SERVER', strange.url);
  closing.push(
    () => listening.close(),
    () => strange.close(),
    () => rmSync(folder, { recursive: true }),
    () => time.stop(),
    () => void vi.unstubAllEnvs(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

describe('the clock', () => {
  test.each<readonly [string, string]>([
    ['clock', '2024-01-28T16:00:00Z   paused (speed 1)'],
    ['clock advance 10d', '2024-02-07T16:00:00Z   paused (speed 1)'],
    ['clock advance --until 2024-02-08T16:00:00Z', '2024-02-08T16:00:00Z   paused (speed 1)'],
    ['clock advance 1h30m', '2024-02-08T17:30:00Z   paused (speed 1)'],
    ['clock speed 60', '2024-02-08T17:30:00Z   paused (speed 60)'],
    ['clock show', '2024-02-08T17:30:00Z   paused (speed 60)'],
  ])('is told after %s', async (command, out) => {
    expect(await sh(command)).toEqual({ status: 0, out, err: '' });
  });

  test('is told to programs', async () => {
    expect(JSON.parse((await sh('clock -o json')).out)).toEqual({
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'Clock',
      now: '2024-02-08T17:30:00Z',
      speed: 60,
      paused: true,
    });
  });

  const oneOfThem = 'clock advance: say how much (10d) or --until when (2024-02-10T16:00:00Z), one of them';
  test.each<readonly [string, string]>([
    ['clock advance', oneOfThem],
    ['clock advance 1d --until 2025-01-01T00:00:00Z', oneOfThem],
    [
      'clock advance --until 2024-01-01T00:00:00Z',
      '--until 2024-01-01T00:00:00Z: the sandbox is at 2024-02-08T17:30:00Z already',
    ],
  ])('is not moved by %s', async (command, err) => expect(await sh(command)).toEqual(refusal(err)));

  test.each(['clock advance soon', 'clock advance --until tomorrow', 'clock speed 0', 'clock speed fast'])(
    'is not moved by %s, which is no value',
    async (command) => {
      const { status, out, err } = await sh(command);
      expect([status < 0, out]).toEqual([true, '']);
      expect(err).toContain(command.split(' ').at(-1));
    },
  );
});

describe('faults', () => {
  test('come, are listed with what they concern, and end', async () => {
    expect((await sh('fault')).out).toBe('no faults');
    const added = await sh('fault add throttle --service ec2 --operation CreateFleet --times 3');
    expect(added).toEqual({
      status: 0,
      out: `ID        KIND       CONCERNS
fault-1   throttle   service=ec2 operation=CreateFleet times=3`,
      err: '',
    });
    await sh('fault add node-behavior --behavior never-joins');
    expect((await sh('fault list')).out.split('\n').slice(1)).toEqual([
      'fault-1   throttle        service=ec2 operation=CreateFleet times=3',
      'fault-2   node-behavior   behavior=neverJoins',
    ]);
    expect((await sh('fault clear fault-1')).out).toContain('fault-2');
    expect((await sh('fault clear')).out).toBe('no faults');
  });

  test('are told to programs', async () => {
    await sh('fault add stale-describes --lag 30s');
    expect(JSON.parse((await sh('fault -o json')).out)).toMatchObject({
      kind: 'FaultList',
      items: [{ fault: { lagMs: 30_000 } }],
    });
    await sh('fault clear');
  });

  test.each<readonly [string, RegExp]>([
    ['fault add nonsense', /nonsense/],
    ['fault add throttle --lag 30s', /lagMs/],
    ['fault clear fault-99', /fault-99/],
  ])('are refused with the word that is wrong: %s', async (command, err) => {
    expect(await sh(command)).toEqual(refusal(err));
  });
});

describe('releases', () => {
  const rowsOf = async (command: string): Promise<readonly (readonly (string | undefined)[])[]> =>
    (await sh(command)).out
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/))
      .map((cells) => [cells[1], cells.at(-1)]);

  test('are listed with their state, those to come only when asked for', async () => {
    expect((await sh('release --version v20240117')).out).toBe(
      `FAMILY   VERSION     VARIANT    ARCH    K8S    IMAGE                   PUBLISHED              STATE
AL2      v20240117   standard   amd64   1.28   ami-0aaaaaaaaaaaaaaa1   2024-01-19T00:00:00Z   published`,
    );
  });

  const publish = (version: string, more = ''): string =>
    `release publish --family AL2 --arch amd64 --version ${version}${more}`;

  test('that are published now are published, and at a later time are to come', async () => {
    expect(await rowsOf(publish('v20240208'))).toEqual([['v20240208', 'published']]);
    const later = publish('v20240301', ' --published-at 2024-03-01T00:00:00Z');
    expect(await rowsOf(later)).toEqual([['v20240301', 'upcoming']]);
    expect(await rowsOf('release list --version v20240301')).toEqual([]);
    expect(await rowsOf('release list --version v20240301 --upcoming')).toEqual([['v20240301', 'upcoming']]);
    expect(await rowsOf('release list --upcoming')).toEqual([
      ['v20240301', 'upcoming'],
      ['v20240208', 'published'],
      ['v20240207', 'upcoming'],
      ['v20240202', 'published'],
      ['v20240117', 'published'],
    ]);
  });

  test.each<readonly [string, string]>([
    ['2024-02-08T19:00:00+02:00', 'published'],
    ['2024-02-08T16:00:00-05:00', 'upcoming'],
    ['2024-02-08T17:30:00Z', 'published'],
    ['2024-02-08T17:30:00.000Z', 'published'],
    ['2024-02-08T17:30:01Z', 'upcoming'],
  ])('that come out at %s are %s at 17:30', async (at, state) => {
    const version = `v${at.replaceAll(/\D/g, '')}`;
    expect(await rowsOf(publish(version, ` --published-at ${at}`))).toEqual([[version, state]]);
  });

  test('say how their nodes behave where that is not well', async () => {
    expect(await rowsOf(publish('v20240209', ' --behavior neverJoins'))).toEqual([
      ['v20240209', 'published (neverJoins)'],
    ]);
  });

  test('are deprecated, recalled and withdrawn', async () => {
    expect(await rowsOf('release deprecate --version v20240208')).toEqual([['v20240208', 'deprecated']]);
    expect(await rowsOf('release withdraw --version v20240209 --keep-image')).toEqual([
      ['v20240209', 'withdrawn, image kept (neverJoins)'],
    ]);
    expect(await rowsOf('release withdraw --version v20240208')).toEqual([['v20240208', 'withdrawn']]);
  });

  test.each<readonly [string, RegExp]>([
    ['release publish --family AL9 --version v1', /AL9/],
    ['release publish --version v20240208', /^error: --family: needed to publish a release$/],
    ['release publish --family AL2023', /^error: --version: needed to publish a release$/],
    ['release publish', /^error: --family and --version: needed to publish a release$/],
    ['release withdraw --family AL2023 --version v19990101', /v19990101|no release/],
  ])('are refused with what is wrong: %s', async (command, err) => expect(await sh(command)).toEqual(refusal(err)));
});

test('calls are listed in their order, and none says so', async () => {
  expect(await sh('calls')).toEqual({ status: 0, out: 'no calls', err: '' });
  expect(JSON.parse((await sh('calls -o json')).out)).toMatchObject({ kind: 'AwsCallList', items: [] });
});

test('calls are listed with their outcome, long requests cut off, and only those after a number', async () => {
  await callEc2('DescribeSubnets');
  await callEc2('DescribeVolumes', {
    VolumeIds: Array.from({ length: 9 }, (_, index) => `vol-0123456789abcdef${index}`),
  });
  await callEc2('DescribeVpcs', { MaxResults: 5 });
  const rows = (await sh('calls')).out.split('\n').map((line) => line.split(/ {3,}/));
  expect(rows[0]).toEqual(['NUMBER', 'TIME', 'CALL', 'OUTCOME', 'INPUT']);
  expect(rows.slice(1).map(([, , call, outcome]) => [call, outcome])).toEqual([
    ['ec2:DescribeSubnets', 'ok'],
    ['ec2:DescribeVolumes', 'InvalidVolume.NotFound'],
    ['ec2:DescribeVpcs', 'ok'],
  ]);
  expect(rows[2]?.at(-1)).toMatch(/^\{"VolumeIds":\["vol-.*…$/);
  expect(rows[2]?.at(-1)).toHaveLength(100);
  expect(rows[3]?.at(-1)).toBe('{"MaxResults":5}');
  const [, , second = []] = rows;
  const later = (await sh(`calls --since ${second[0]}`)).out.split('\n').slice(1);
  expect(later.map((line) => line.split(/ {3,}/)[2])).toEqual(['ec2:DescribeVpcs']);
  const whole = JSON.parse((await sh('calls -o json')).out) as {
    readonly items: readonly { readonly input: object }[];
  };
  expect(whole.items[1]?.input).toHaveProperty('VolumeIds.length', 9);
});

test('scenarios are listed with when they begin', async () => {
  const { status, out } = await sh('scenarios');
  expect([status, out.split('\n')[0]?.split(/ {2,}/)]).toEqual([0, ['NAME', 'KUBERNETES', 'START', 'ABOUT']]);
  expect(out).toMatch(/^managing-amis +1\.\d+ +20\d\d-\d\d-\d\dT/m);
});

describe('a sandbox that cannot be asked is told apart', () => {
  const asking = async (sandbox: string, token?: string) => {
    vi.stubEnv('NODEWRIGHT_SANDBOX', sandbox);
    if (token !== undefined) vi.stubEnv('NODEWRIGHT_SANDBOX_TOKEN_FILE', token);
    const answer = await sh('clock');
    vi.stubEnv('NODEWRIGHT_SANDBOX', url);
    vi.stubEnv('NODEWRIGHT_SANDBOX_TOKEN_FILE', join(folder, 'control-token'));
    return answer;
  };

  test('no variable', async () => {
    expect(await asking('')).toEqual(
      refusal('NODEWRIGHT_SANDBOX is not set; export the lines that `nodewright sandbox` prints'),
    );
  });

  test('a variable that is no URL', async () => {
    expect(await asking('localhost')).toEqual(
      refusal('NODEWRIGHT_SANDBOX is "localhost", wanted a URL such as http://127.0.0.1:8080'),
    );
  });

  test('nothing that answers', async () => {
    expect(await asking('http://127.0.0.1:1')).toEqual(
      refusal('no sandbox answers at NODEWRIGHT_SANDBOX=http://127.0.0.1:1; is it still running?'),
    );
  });

  test('something else that answers', async () => {
    const strange = process.env['STRANGE_SERVER'] ?? '';
    expect(await asking(strange)).toEqual(
      refusal(`what answers at NODEWRIGHT_SANDBOX=${strange} is no sandbox; its first words are "<html>"`),
    );
  });

  test('no token', async () => {
    expect(await asking(url, join(folder, 'none'))).toEqual(refusal(/token/));
  });
});

// The last test: how far the clock comes between the two depends on the machine.
test('the clock goes on and stands still again on request', async () => {
  expect((await sh('clock resume')).out).toMatch(/Z {3}speed 60$/);
  expect((await sh('clock pause')).out).toMatch(/Z {3}paused \(speed 60\)$/);
});
