import { existsSync, readFileSync } from 'node:fs';

export type Numbers = Readonly<Record<string, number>>;

type World = { readonly time: { readonly clock: { now(): number } } };

/** What some work in a world of its own costs: processor seconds, virtual minutes, the heap that it leaves behind, the largest size of the process so far. */
export async function measure(world: World, work: () => Promise<void>): Promise<Numbers> {
  const [cpu, since, at] = [process.cpuUsage(), performance.now(), world.time.clock.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  // What a first collection finds weakly held goes with a second one.
  for (let times = 0; times < 2; times += 1) globalThis.gc?.();
  return {
    cpuSeconds: rounded((user + system) / 1e6),
    wallSeconds: rounded((performance.now() - since) / 1000),
    virtualMinutes: rounded((world.time.clock.now() - at) / 60_000),
    heapMegabytes: rounded(process.memoryUsage().heapUsed / 1e6),
    peakMegabytes: rounded(peakKilobytes() / 1e3),
  };
}

/** Of this program alone. `maxRSS` remembers the process that started it, which may have built it. */
function peakKilobytes(): number {
  if (!existsSync('/proc/self/status')) return process.resourceUsage().maxRSS;
  const [, peak] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return peak === undefined ? process.resourceUsage().maxRSS : Number(peak);
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
