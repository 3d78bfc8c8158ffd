import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { safetyNetMs } from './safety-net.ts';
import type { RunningSandbox } from './running-sandbox.ts';

/** A kubectl that prints until it is stopped, such as `get --watch` and `logs --follow`. */
export function startFollowing(sandbox: RunningSandbox, kubectl: string, args: readonly string[]) {
  // At this verbosity kubectl names each request on stderr as soon as the server answers it.
  const child = spawn(kubectl, [...args, '-v=6'], { env: sandbox.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  const more = new EventEmitter();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      printed[stream] += chunk.toString();
      more.emit('more');
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const prints = async (stream: 'stdout' | 'stderr', wanted: RegExp): Promise<void> => {
    const signal = AbortSignal.timeout(safetyNetMs);
    while (!wanted.test(printed[stream])) {
      await once(more, 'more', { signal }).catch((cause: unknown) => {
        const { stdout, stderr } = printed;
        throw new Error(`kubectl ${args.join(' ')} never printed ${wanted}:\n${stdout}${stderr}`, { cause });
      });
    }
  };
  return {
    text: () => printed.stdout,
    /** Resolves when the output matches. */
    says: (wanted: RegExp) => prints('stdout', wanted),
    /** Resolves when the server has answered a request whose URL matches: from then on the client misses nothing. */
    isAnswered: (url: RegExp) => prints('stderr', new RegExp(`${url.source}[^\\n]*200 OK`)),
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
