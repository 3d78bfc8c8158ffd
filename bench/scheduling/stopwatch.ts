import { existsSync, readFileSync } from 'node:fs';

/** By the wall, and on a processor as far as the system tells: on a busy machine the two differ. */
export type Elapsed = { readonly seconds: number; readonly cpuSeconds: number };

/** Starts a watch. @returns what has passed since, for this thread alone */
export function begin(): () => Elapsed {
  const cpu = cpuNanoseconds();
  const wall = process.hrtime.bigint();
  return () => {
    const seconds = Number(process.hrtime.bigint() - wall) / 1e9;
    return { seconds, cpuSeconds: (cpuNanoseconds() - cpu) / 1e9 };
  };
}

const schedstat = '/proc/self/schedstat';

/** How long the main thread has been on a processor; elsewhere than on Linux, the whole process. */
function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage();
  return existsSync(schedstat) ? Number(readFileSync(schedstat, 'utf8').split(' ')[0]) : (user + system) * 1_000;
}
