import type { Operator } from '@nodewright/operator';
import { type Logger, realTime } from '@nodewright/runtime';

/** Asks for the lead. `lead` is called once, when it is ours; `lost` when another process may have it. */
export type LeadershipCandidacy = (told: { readonly lead: () => void; readonly lost: () => void }) => {
  /** Gives the lead back. */
  stop(): Promise<void>;
};

export type LeaderLoopOptions = {
  readonly seek: LeadershipCandidacy;
  /** `term` tells one time of leading from another: 1, 2, ... */
  readonly startOperator: (term: number) => Operator;
  readonly log: Logger;
};

export type LeaderLoop = {
  /** The one that runs now. */
  operator(): Operator | undefined;
  /**
   * Leads whenever it can, until `stopped`. Whoever lost the lead ends its work and asks again: as after a restart,
   * everything is read anew.
   * @returns whether it ended as asked; `false` when work went on after the lead was lost, so that only the end of
   * the process is safe
   */
  until(stopped: Promise<void>): Promise<boolean>;
};

/** What a signal leaves for turns in progress; every command ends within two seconds. */
const stopGraceMs = 1_500;

/** Longer than any request to an API server or AWS that went unanswered. */
const endOfWorkMs = 90_000;

export function leadWhileElected({ seek, startOperator, log }: LeaderLoopOptions): LeaderLoop {
  let operator: Operator | undefined;
  let term = 0;
  const endWork = async (): Promise<void> => {
    await operator?.stop().catch((error: unknown) => log.error('could not stop cleanly', { error }));
  };
  const lead = (): void => {
    operator = startOperator(++term);
    operator.ready.catch((error: unknown) => log.error('could not start', { error }));
  };
  return {
    operator: () => operator,
    until: async (stopped) => {
      const signal = stopped.then(() => 'stopped' as const);
      for (;;) {
        const lost = notice();
        const candidacy = seek({ lead, lost: lost.report });
        // The operator first: the next leader must not meet a turn of ours.
        const handOver = async () => {
          await endWork();
          await candidacy.stop();
          return 'ended' as const;
        };
        if ((await Promise.race([signal, lost.happened])) === 'stopped') {
          log.info('stopping', { because: 'a signal asked for it' });
          await Promise.race([handOver(), waitMilliseconds(stopGraceMs)]);
          return true;
        }
        log.info('stopping', { because: 'another process may lead' });
        const outcome = await Promise.race([handOver(), signal, waitMilliseconds(endOfWorkMs)]);
        if (outcome === 'stopped') return true;
        if (outcome !== 'ended') return false;
        operator = undefined;
      }
    },
  };
}

const waitMilliseconds = (ms: number): Promise<void> => realTime().clock.sleep(ms);

function notice(): { readonly happened: Promise<'lost'>; readonly report: () => void } {
  let report = (): void => undefined;
  const happened = new Promise<'lost'>((resolve) => (report = () => resolve('lost')));
  return { happened, report: () => report() };
}
