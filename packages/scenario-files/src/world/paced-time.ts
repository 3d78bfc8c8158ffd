import { type Instant, instant, seconds } from '@nodewright/apis';
import type { Clock, ScaledTime } from '@nodewright/runtime';
import type { HostedTime } from './world-host.ts';

/** How often conditions are looked at when nothing changes: they may speak of the time. */
const lookEveryMs = seconds(1);

/** How time passes in a world with another process in it. */
export type TimePace =
  | {
      readonly kind: 'asFastAsPossible';
      /** Waits until the other process has had the time to hear of a change. */
      readonly untilHeard: () => Promise<void>;
    }
  | { readonly kind: 'steadily' };

/**
 * Drives the time of a world whose controller is another process.
 *
 * - `asFastAsPossible`: time stands still between the steps of a scenario, and passes as fast as the processes that follow
 *   its clock allow.
 * - `steadily`: time never stands still. A controller that looks at a clock of its own sees it pass as fast as that one.
 */
export function paceTime(time: ScaledTime, pace: TimePace): HostedTime {
  const { clock } = time;
  const lets = pace.kind === 'steadily' ? letTimePass(clock) : advanceTime(time, pace.untilHeard);
  let look: () => void = () => undefined;
  return {
    clock,
    gate: time.gate,
    noteChange: () => {
      look();
      lets.noteChange();
    },
    stop: () => time.stop(),
    run: (until) => lets.pass(until),
    async finish(work) {
      lets.begin();
      return await work.finally(() => lets.end());
    },
    async runUntil(holds, { before }) {
      const watch = watchCondition(clock, holds, () => lets.end());
      look = watch.look;
      try {
        while (!watch.isOver() && clock.now() < before) await lets.pass(before);
      } finally {
        look = () => undefined;
        watch.stop();
      }
      return watch.result();
    },
  };
}

/** How time passes. `end` makes `pass` return early. */
type Passing = { pass(until: Instant): Promise<void>; begin(): void; end(): void; noteChange(): void };

/** After a change time stands still until the other process has heard of it: what it does then comes at its instant. */
function advanceTime(time: ScaledTime, untilHeard: () => Promise<void>): Passing {
  const { clock } = time;
  const state = { isPassing: false };
  time.pause();
  return {
    async pass(until) {
      state.isPassing = true;
      while (state.isPassing && clock.now() < until) {
        await time.advance(until - clock.now());
        if (clock.now() < until) await untilHeard();
      }
    },
    begin: () => time.resume(),
    end: () => {
      state.isPassing = false;
      time.pause();
    },
    noteChange: () => {
      if (state.isPassing) time.pause();
    },
  };
}

function letTimePass(clock: Clock): Passing {
  let passing = new AbortController();
  return {
    async pass(until) {
      passing = new AbortController();
      const { signal } = passing;
      await clock.sleep(Math.max(0, until - clock.now()), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
    begin: () => undefined,
    end: () => passing.abort(),
    noteChange: () => undefined,
  };
}

/** Looks at a condition now, whenever it is told to, and every second of the cluster, until it holds. */
function watchCondition(clock: Clock, holds: () => boolean, onEnd: () => void) {
  let outcome: { readonly holds: boolean } | { readonly error: unknown } | undefined;
  const look = (): void => {
    if (outcome !== undefined) return;
    try {
      if (!holds()) return;
      outcome = { holds: true };
    } catch (error) {
      outcome = { error };
    }
    onEnd();
  };
  let timer = clock.at(instant(clock.now() + lookEveryMs), lookAgain);
  function lookAgain(): void {
    look();
    if (outcome === undefined) timer = clock.at(instant(clock.now() + lookEveryMs), lookAgain);
  }
  look();
  return {
    look,
    stop: () => timer.cancel(),
    isOver: () => outcome !== undefined,
    result(): boolean {
      look();
      if (outcome !== undefined && 'error' in outcome) throw outcome.error;
      return outcome?.holds ?? false;
    },
  };
}
