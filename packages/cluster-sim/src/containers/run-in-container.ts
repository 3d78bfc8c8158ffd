import { days } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { RunningProgram } from './shell/steps.ts';
import type { OutputStream } from './shell/syntax.ts';

/** The streams of a program and the time that it lives in. */
export type ProgramConnections = {
  readonly clock: Clock;
  /** The next piece of input; `undefined` at its end. */
  readonly read: () => Promise<string | undefined>;
  readonly write: (to: OutputStream, text: string) => void;
  /** Aborts when the client has gone away. */
  readonly signal: AbortSignal;
};

/** A sleep longer than this is waited for in pieces. */
const longestWaitMs = days(1);

/** Runs a program to its end, in the time of the cluster. Returns its exit code. */
export async function runInContainer(running: RunningProgram, connections: ProgramConnections): Promise<number> {
  const { read, write, signal } = connections;
  let next = running.next();
  while (next.done !== true) {
    if (signal.aborted) return 137;
    const action = next.value;
    if (action.kind === 'write') write(action.to, action.text);
    if (action.kind === 'sleep') await waitInPieces(action.ms, connections);
    next = running.next(action.kind === 'read' ? await read() : undefined);
  }
  return next.value;
}

async function waitInPieces(ms: number, { clock, signal }: ProgramConnections): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= longestWaitMs) {
    await clock.sleep(Math.min(left, longestWaitMs), signal).catch(() => undefined);
  }
}
