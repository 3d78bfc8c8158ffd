import type { Timer } from '../clock.ts';

/** The machine's own time, as little of it as a governor needs. */
export interface Wall {
  /** Monotonic milliseconds since some moment. */
  now(): number;
  after(ms: number, callback: () => void): Timer;
  /** Resolves when everything that could run has run once. */
  turn(): Promise<void>;
}

export const waitTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const machineWall: Wall = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const handle = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(handle) };
  },
  turn: waitTurn,
};
