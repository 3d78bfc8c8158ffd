import { instant, type Instant, minutes, seconds } from '@nodewright/apis';
import type { Ec2Instance } from './instance.ts';

/** How long after its launch a machine comes to the scripts of its user data. */
const scriptsBeginAfterMs = seconds(20);

/** EC2 looks at an instance every minute, and tells of a failure when the next look confirms it. */
const noticedAfterMs = minutes(2);

/** When the scripts of its user data make the kernel of an instance panic, for good; `undefined` where they do not. */
export function findPanic({ settings, launchedAt }: Pick<Ec2Instance, 'settings' | 'launchedAt'>): Instant | undefined {
  const delay = readPanicDelay(Buffer.from(settings.userData ?? '', 'base64').toString('utf8'));
  return delay === undefined ? undefined : instant(launchedAt + scriptsBeginAfterMs + delay);
}

/** Since when EC2 says that the instance does not answer its checks. */
export function findImpairment(instance: Ec2Instance, now: Instant): Instant | undefined {
  const panicsAt = findPanic(instance);
  const since = panicsAt === undefined ? undefined : instant(panicsAt + noticedAfterMs);
  return since !== undefined && since <= now ? since : undefined;
}

/**
 * How long scripts sleep before they ask for a panic that no restart follows, in milliseconds.
 * @see https://docs.kernel.org/admin-guide/sysrq.html
 */
export function readPanicDelay(script: string): number | undefined {
  const commands = script.split('\n').filter((line) => !/^\s*#/.test(line));
  const panic = commands.findIndex((command) => /\becho\s+["']?c["']?\s*>\s*\/proc\/sysrq-trigger/.test(command));
  if (panic === -1) return undefined;
  const before = commands.slice(0, panic + 1);
  if (!before.some((command) => staysInPanic.test(command))) return undefined;
  const slept = before.flatMap((command) => [...command.matchAll(/\bsleep\s+(\d+)/g)]);
  return slept.reduce((sum, [, count]) => sum + seconds(Number(count)), 0);
}

/** A kernel of EKS restarts ten seconds after a panic, unless it is told otherwise. */
const staysInPanic = /\becho\s+["']?0["']?\s*>\s*\/proc\/sys\/kernel\/panic\b|\bkernel\.panic\s*=\s*0\b/;
