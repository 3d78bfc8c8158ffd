import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { RunningSandbox } from './running-sandbox.ts';
import { safetyNetMs } from './safety-net.ts';

const launcher = join(import.meta.dirname, '../../packages/cli/bin/nodewright.mjs');

/** `nodewright controller` as its own process, with what it has logged so far. */
export function startController(sandbox: Pick<RunningSandbox, 'env'>, settings: Readonly<Record<string, string>> = {}) {
  const ports = ['--metrics-port', '0', '--health-probe-port', '0'];
  const clock = ['--clock', sandbox.env['NODEWRIGHT_SANDBOX'] ?? ''];
  const child: ChildProcess = spawn(process.execPath, [launcher, 'controller', ...clock, ...ports], {
    env: { ...sandbox.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      heard.emit('more');
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output: () => output,
    hasEnded: (): boolean => child.exitCode !== null || child.signalCode !== null,
    async says(text: string): Promise<void> {
      const signal = AbortSignal.timeout(safetyNetMs);
      while (!output.includes(text))
        await once(heard, 'more', { signal }).catch((cause: unknown) => {
          throw new Error(`never said "${text}":\n${output}`, { cause });
        });
    },
    get: async (port: 'metricsPort' | 'healthProbePort', path: string) => {
      const number = new RegExp(`"${port}":(\\d+)`).exec(output)?.[1];
      const response = await fetch(`http://127.0.0.1:${number}${path}`);
      return { status: response.status, text: await response.text() };
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
    async terminate() {
      child.kill('SIGTERM');
      return { status: await ended };
    },
  };
}
