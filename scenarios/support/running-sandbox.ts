import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readControlToken } from '../../packages/cli/src/control-api/control-request.ts';
import { safetyNetMs } from './safety-net.ts';

const launcher = join(import.meta.dirname, '../../packages/cli/bin/nodewright.mjs');
const execute = promisify(execFile);

export type Finished = { readonly stdout: string; readonly stderr: string; readonly status: number };

/** `nodewright sandbox` as its own process, with a home of its own for the clients that are pointed at it. */
export type RunningSandbox = {
  readonly env: Readonly<Record<string, string>>;
  /** Runs a client with the exported environment; a status other than 0 is an answer, not an error. */
  run(file: string, args: readonly string[], options?: { readonly input?: string }): Promise<Finished>;
  /**
   * Runs a client until its answer satisfies `holds`, and gives that answer. A paused clock is moved by `step` between two
   * looks [1m]: then a slow machine sees what a fast one sees.
   */
  until(file: string, args: readonly string[], holds: (answer: Finished) => boolean, step?: string): Promise<Finished>;
  /** What `nodewright sandbox clock` shows. */
  now(): Promise<number>;
  /** As `nodewright sandbox clock`; resolves when the sandbox has done it. */
  moveClock(change: ClockChange): Promise<void>;
  /** Runs `nodewright` itself with the exported environment. */
  nodewright(...args: readonly string[]): Promise<Finished>;
  /** SIGTERM; gives the exit status. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
};

type ClockChange = { readonly paused?: boolean; readonly speed?: number; readonly advance?: string };

/** A sandbox whose clock moves only when the test moves it. */
export async function startPausedSandbox(...flags: readonly string[]): Promise<RunningSandbox> {
  const sandbox = await startSandbox(...flags);
  await sandbox.moveClock({ paused: true });
  return sandbox;
}

/** Runs `nodewright` to its end, with nothing exported. */
export async function nodewright(...args: readonly string[]): Promise<Finished> {
  return finished(process.execPath, [launcher, ...args], { env: { PATH: process.env['PATH'] ?? '' } });
}

/** Runs lines in `nodewright sandbox shell`. */
export async function nodewrightShell(lines: string): Promise<Finished> {
  const env = { PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh' };
  return finished(process.execPath, [launcher, 'sandbox', 'shell', '--speed', '60'], { env, input: `${lines}\n` });
}

type Running = { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly input?: string };

async function finished(file: string, args: readonly string[], { input = '', ...where }: Running): Promise<Finished> {
  const running = execute(file, args, { ...where, maxBuffer: 64 << 20, timeout: safetyNetMs });
  running.child.stdin?.on('error', () => undefined); // a program may end without reading its input
  running.child.stdin?.end(input);
  try {
    return { ...(await running), status: 0 };
  } catch (failure) {
    const { stdout = '', stderr = '', code } = failure as { stdout?: string; stderr?: string; code?: number };
    return { stdout, stderr, status: typeof code === 'number' ? code : 1 };
  }
}

/** So often a paused clock is moved while a client waits; far more than any test needs. */
const mostSteps = 500;

export const startSandbox = (...flags: readonly string[]): Promise<RunningSandbox> =>
  startProcess([process.execPath, launcher, 'sandbox', ...flags]);

/** A sandbox whose files cannot grow beyond some blocks of 512 bytes: to it the disk is full then. */
export const startSandboxWithFileLimit = (blocks: number, ...flags: readonly string[]): Promise<RunningSandbox> => {
  const limited = `ulimit -f ${blocks}; exec "$@"`;
  return startProcess(['sh', '-c', limited, 'sh', process.execPath, launcher, 'sandbox', ...flags]);
};

async function startProcess([file = '', ...args]: readonly string[]): Promise<RunningSandbox> {
  const home = mkdtempSync(join(tmpdir(), 'nodewright-'));
  const readyFile = join(home, 'ready.json');
  const child = spawn(file, [...args, '--ready-file', readyFile], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`nodewright sandbox ended with ${child.exitCode}:\n${output}`);
    await pause(20);
  }
  const { pid: _pid, ...exported } = JSON.parse(readFileSync(readyFile, 'utf8')) as Record<string, string>;
  mkdirSync(join(home, 'work'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, AWS_PAGER: '', ...exported };

  const run = (file: string, args: readonly string[], options: { readonly input?: string } = {}): Promise<Finished> =>
    finished(file, args, { env, cwd: join(home, 'work'), ...options });

  const askClock = async (request: RequestInit): Promise<{ readonly now: string }> => {
    // A connection that was kept may have been closed by a server that was busy meanwhile.
    const headers = { authorization: `Bearer ${readControlToken(env)}`, connection: 'close' };
    const answer = await fetch(new URL('/clock', exported['NODEWRIGHT_SANDBOX']), { ...request, headers });
    if (!answer.ok) throw new Error(`the clock was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { now: string };
  };
  let isPaused = false;
  const moveClock = async (change: ClockChange): Promise<void> => {
    await askClock({ method: 'POST', body: JSON.stringify(change) });
    isPaused = change.paused ?? isPaused;
  };

  return {
    env,
    run,
    async until(file, args, holds, step = '1m') {
      const deadline = performance.now() + safetyNetMs;
      for (let looks = 1; ; looks += 1) {
        const answer = await run(file, args);
        if (holds(answer)) return answer;
        if (looks === mostSteps || performance.now() > deadline) {
          throw new Error(
            `${args.join(' ')} did not come true; last answer:\n${answer.stdout}${answer.stderr}\n${output.slice(-4000)}`,
          );
        }
        if (isPaused) await moveClock({ advance: step });
        else await pause(500);
      }
    },
    moveClock,
    now: async () => Date.parse((await askClock({})).now),
    nodewright: (...args) => run(process.execPath, [launcher, ...args]),
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      rmSync(home, { recursive: true, force: true });
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What AWS clients in this process need to reach it. */
export const awsOptions = ({ env }: Pick<RunningSandbox, 'env'>) => ({
  endpoint: env['AWS_ENDPOINT_URL'] ?? '',
  region: env['AWS_REGION'] ?? '',
  credentials: {
    accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
  },
});
