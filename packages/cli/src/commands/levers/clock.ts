import type { Context } from '../../context.ts';
import { type OutputFormat, writeAnswer } from '../../output.ts';
import { pullLever } from './control.ts';

type Flags = { readonly output?: OutputFormat };
type ClockAnswer = { readonly kind: 'Clock'; readonly now: string; readonly speed: number; readonly paused: boolean };

export async function showClock(this: Context, flags: Flags): Promise<void> {
  answer(this, flags, await pullLever({ method: 'GET', path: '/clock' }));
}

export async function advanceClock(this: Context, flags: Flags, advance: string): Promise<void> {
  answer(this, flags, await move({ advance }));
}

export async function pauseClock(this: Context, flags: Flags): Promise<void> {
  answer(this, flags, await move({ paused: true }));
}

export async function resumeClock(this: Context, flags: Flags): Promise<void> {
  answer(this, flags, await move({ paused: false }));
}

export async function setClockSpeed(this: Context, flags: Flags, speed: number): Promise<void> {
  answer(this, flags, await move({ speed }));
}

const move = (body: object): Promise<ClockAnswer> => pullLever({ method: 'POST', path: '/clock', body });

function answer(context: Context, { output }: Flags, clock: ClockAnswer): void {
  const pace = clock.paused ? `paused (speed ${clock.speed})` : `speed ${clock.speed}`;
  writeAnswer(context, output, { object: clock, text: `${clock.now}   ${pace}` });
}
