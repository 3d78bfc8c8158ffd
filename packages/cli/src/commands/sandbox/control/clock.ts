import { fromTimestamp, parseAge } from '@nodewright/apis';
import type { CliContext } from '../../../terminal/context.ts';
import { InputError } from '../../../terminal/exit-status.ts';
import { type OutputFormat, writeAnswer } from '../../../terminal/output.ts';
import { stopSignal } from '../../../world/stop-signal.ts';
import { advanceInSteps } from './advance-in-steps.ts';
import { askSandbox } from './ask-sandbox.ts';

type ClockFlags = { readonly output?: OutputFormat };
type AdvanceFlags = ClockFlags & { readonly until?: string };
type ClockAnswer = { readonly kind: 'Clock'; readonly now: string; readonly speed: number; readonly paused: boolean };

export async function showClock(this: CliContext, flags: ClockFlags): Promise<void> {
  answerWithClock(this, flags, await askSandbox({ method: 'GET', path: '/clock' }));
}

export async function advanceClock(this: CliContext, flags: AdvanceFlags, age?: string): Promise<void> {
  const { until, output } = flags;
  if ((age === undefined) === (until === undefined))
    throw new InputError('clock advance: say how much (10d) or --until when (2024-02-10T16:00:00Z), one of them');
  const start = await askSandbox<ClockAnswer>({ method: 'GET', path: '/clock' });
  const from = fromTimestamp(start.now);
  const target = until === undefined ? from + parseAge(age ?? '') : Date.parse(until);
  if (target < from) throw new InputError(`--until ${until}: the sandbox is at ${start.now} already`);
  const clock = await advanceInSteps({
    from,
    target,
    step: async (ms) => fromTimestamp((await move({ advance: `${ms}ms` })).now),
    elapsed: () => performance.now(),
    stopped: stopSignal(),
    report: progressOn(process.stderr),
  });
  answerWithClock(this, output === undefined ? {} : { output }, await askSandbox({ method: 'GET', path: '/clock' }));
  if (clock < target)
    throw new Error(`stopped before ${new Date(target).toISOString()}; the sandbox stays where it is`);
}

/** Rewrites one line of a terminal; a program that reads stderr gets none of it. */
function progressOn(stream: NodeJS.WriteStream): (now: number, share: number) => void {
  if (!stream.isTTY) return () => undefined;
  return (now, share) => {
    const line = `${new Date(now).toISOString()}   ${Math.floor(100 * share)} %`;
    stream.write(share < 1 ? `\r${line}` : `\r${' '.repeat(line.length)}\r`);
  };
}

export async function pauseClock(this: CliContext, flags: ClockFlags): Promise<void> {
  answerWithClock(this, flags, await move({ paused: true }));
}

export async function resumeClock(this: CliContext, flags: ClockFlags): Promise<void> {
  answerWithClock(this, flags, await move({ paused: false }));
}

export async function setClockSpeed(this: CliContext, flags: ClockFlags, speed: number): Promise<void> {
  answerWithClock(this, flags, await move({ speed }));
}

const move = (body: object): Promise<ClockAnswer> => askSandbox({ method: 'POST', path: '/clock', body });

function answerWithClock(context: CliContext, { output }: ClockFlags, clock: ClockAnswer): void {
  const pace = clock.paused ? `paused (speed ${clock.speed})` : `speed ${clock.speed}`;
  writeAnswer(context, output, { object: clock, text: `${clock.now}   ${pace}` });
}
