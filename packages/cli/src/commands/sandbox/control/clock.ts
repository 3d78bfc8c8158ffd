import type { CliContext } from '../../../terminal/context.ts';
import { type OutputFormat, writeAnswer } from '../../../terminal/output.ts';
import { askSandbox } from './ask-sandbox.ts';

type ClockFlags = { readonly output?: OutputFormat };
type ClockAnswer = { readonly kind: 'Clock'; readonly now: string; readonly speed: number; readonly paused: boolean };

export async function showClock(this: CliContext, flags: ClockFlags): Promise<void> {
  answerWithClock(this, flags, await askSandbox({ method: 'GET', path: '/clock' }));
}

export async function advanceClock(this: CliContext, flags: ClockFlags, advance: string): Promise<void> {
  answerWithClock(this, flags, await move({ advance }));
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
