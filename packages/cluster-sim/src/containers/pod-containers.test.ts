import { fromTimestamp, instant, type Pod, toTimestamp } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import {
  attachToContainer,
  type ContainerExec,
  containerLog,
  type ContainerLogOptions,
  execInContainer,
} from './pod-containers.ts';

const start = fromTimestamp('2024-01-28T16:00:00Z');

const aPod = (command: readonly string[], state: object = { running: { startedAt: toTimestamp(start) } }): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'alpine', command }] },
  status: { containerStatuses: [{ name: 'main', image: '', imageID: '', ready: true, restartCount: 0, state }] },
});

async function readLog(
  pod: Pod,
  seconds: number,
  options: Partial<ContainerLogOptions> = {},
): Promise<readonly string[]> {
  const time = virtualTime(start);
  const gone = new AbortController();
  const lines: string[] = [];
  const read = async (): Promise<void> => {
    const log = containerLog(time.clock, pod, {
      container: 'main',
      previous: false,
      follow: false,
      signal: gone.signal,
      ...options,
    });
    for await (const { at, text } of log ?? []) lines.push(`${(at - start) / 1000} ${text}`);
    lines.push('end');
  };
  if (options.follow !== true) await time.run(instant(start + seconds * 1000));
  const reading = read();
  await time.run(instant(start + seconds * 1000));
  gone.abort();
  await time.finish(reading);
  return lines;
}

const talking = ['sh', '-c', 'echo one; sleep 5; echo two; sleep 5; echo -n three'];

test('a log has what the command has written until now', async () => {
  expect(await readLog(aPod(talking), 6)).toEqual(['0 one', '5 two', 'end']);
  expect(await readLog(aPod(talking), 20)).toEqual(['0 one', '5 two', '10 three', 'end']);
});

test('a log that is followed ends with its command', async () => {
  expect(await readLog(aPod(talking), 7, { follow: true })).toEqual(['0 one', '5 two', 'end']);
  expect(await readLog(aPod(talking), 20, { follow: true })).toEqual(['0 one', '5 two', '10 three', 'end']);
});

test('a log of a command without end goes on, and is read while it goes on', async () => {
  const pod = aPod(['sh', '-c', 'while true; do echo tick; sleep 10; done']);
  expect(await readLog(pod, 25)).toEqual(['0 tick', '10 tick', '20 tick', 'end']);
});

test('a container that ended wrote nothing after that', async () => {
  const terminated = { exitCode: 137, startedAt: toTimestamp(start), finishedAt: toTimestamp(instant(start + 7000)) };
  expect(await readLog(aPod(talking, { terminated }), 60)).toEqual(['0 one', '5 two', 'end']);
});

test('only a container that was started again has a previous log', async () => {
  const pod = aPod(talking);
  expect(await readLog(pod, 60, { previous: true })).toEqual(['end']);
});

async function exec(command: readonly string[], options: Partial<ContainerExec> = {}, ...input: readonly string[]) {
  const time = virtualTime(start);
  const unread = [...input];
  let stdout = '';
  const code = await time.finish(
    execInContainer(time.clock, aPod([]), {
      container: 'main',
      command,
      tty: false,
      read: async () => unread.shift(),
      write: (_, text) => (stdout += text),
      signal: new AbortController().signal,
      ...options,
    }),
  );
  return { code, stdout, tookMs: time.clock.now() - start };
}

test('a command takes its time on the clock of the cluster', async () => {
  expect(await exec(['sleep', '90'])).toEqual({ code: 0, stdout: '', tookMs: 90_000 });
});

test('a command reads what it is sent', async () => {
  expect(await exec(['cat'], {}, 'a', 'b')).toMatchObject({ stdout: 'ab' });
});

test('a shell on a terminal shows what is typed, and runs line by line', async () => {
  const { stdout, code } = await exec(['sh'], { tty: true }, 'echo hx\u007Fi\r', 'cd /etc\r', 'exit 3\r');
  expect(stdout).toBe('/ # echo hx\b \bi\r\nhi\r\n/ # cd /etc\r\n/etc # exit 3\r\n');
  expect(code).toBe(3);
});

const withContainer = (container: object): Pod => {
  const pod = aPod([]);
  return { ...pod, spec: { ...pod.spec, containers: [{ name: 'main', image: 'busybox', ...container }] } };
};

async function attach(container: object, { tty = false } = {}, ...input: readonly string[]) {
  const time = virtualTime(start);
  const unread = [...input];
  let stdout = '';
  const ended: number[] = [];
  const code = await time.finish(
    attachToContainer(time.clock, withContainer(container), {
      container: 'main',
      tty,
      read: async () => unread.shift(),
      write: (_, text) => (stdout += text),
      signal: new AbortController().signal,
      ended: (exitCode) => ended.push(exitCode),
    }),
  );
  return { code, stdout, ended, tookMs: time.clock.now() - start };
}

test('who attaches to a container reads what it writes until it ends', async () => {
  const args = ['sh', '-c', 'echo hello; sleep 30'];
  expect(await attach({ args })).toEqual({ code: 0, stdout: 'hello\n', ended: [], tookMs: 30_000 });
});

for (const { fact, container } of [
  { fact: 'by its command', container: { command: ['/bin/bash'], image: 'own:1' } },
  { fact: 'by the arguments of an image without a program', container: { args: ['sh'] } },
  { fact: 'because such an image has nothing else', container: {} },
]) {
  test(`who attaches to a container that runs a shell ${fact} uses it until it ends`, async () => {
    const input = ['echo hi\r', 'exit 3\r'];
    const { stdout, code, ended } = await attach({ ...container, stdin: true }, { tty: true }, ...input);
    expect(stdout).toBe('/ # echo hi\r\nhi\r\n/ # exit 3\r\n');
    expect([code, ended]).toEqual([3, [3]]);
  });
}

test('a shell without a terminal reads a script', async () => {
  expect(await attach({ args: ['sh'], stdin: true }, {}, 'echo one\n', 'exit 4\n')).toMatchObject({
    stdout: 'one\n',
    ended: [4],
  });
});

test('arguments are the command of an image without a program, and of no other one', async () => {
  const args = ['echo', 'hello'];
  const { containers } = withContainer({ args }).spec;
  const log = async (image: string) =>
    readLog({ ...aPod([]), spec: { containers: containers.map((each) => ({ ...each, image })) } }, 1);
  expect(await log('docker.io/library/busybox:1.36')).toEqual(['0 hello', 'end']);
  expect(await log('curlimages/curl')).toEqual(['end']);
});
