import { instant, type Instant } from '@nodewright/apis';
import type { RunningProgram } from './shell/steps.ts';

export type ContainerLogLine = { readonly at: Instant; readonly text: string };

type ProgramOutcome = { readonly goesOn: true } | { readonly goesOn: false; readonly endedAt: Instant };

/** A program that never stops writing is followed for so many steps. */
const mostSteps = 100_000;

/**
 * The lines that a program writes, each at its time, as far as they are read. Programs get no input. Returns
 * whether the program goes on without writing, and when it has ended.
 */
export function* linesOfProgram(
  start: (now: () => Instant) => RunningProgram,
  startedAt: Instant,
): Generator<ContainerLogLine, ProgramOutcome> {
  let at: number = startedAt;
  let unended = '';
  const running = start(() => instant(at));
  let next = running.next();
  for (let steps = 0; next.done !== true; steps += 1) {
    const action = next.value;
    if (steps >= mostSteps || (action.kind === 'sleep' && action.ms === Number.POSITIVE_INFINITY)) {
      if (unended !== '') yield { at: instant(at), text: unended };
      return { goesOn: true };
    }
    if (action.kind === 'sleep') at += action.ms;
    if (action.kind === 'write') {
      const lines = `${unended}${action.text}`.split('\n');
      unended = lines.pop() ?? '';
      for (const text of lines) yield { at: instant(at), text };
    }
    next = running.next();
  }
  if (unended !== '') yield { at: instant(at), text: unended };
  return { goesOn: false, endedAt: instant(at) };
}
