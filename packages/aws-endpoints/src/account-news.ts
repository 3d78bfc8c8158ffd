import { earliest, type Instant, instant, minutes } from '@nodewright/apis';
import { type Ledger, tellingLedger } from '@nodewright/runtime';
import type { CapacityReservation } from './ec2/capacity-reservations.ts';
import type { Faults } from './faults/faults.ts';
import type { ReleaseStore } from './releases/release-store.ts';

/**
 * When the account gives other answers, for callers in the same process.
 *
 * Guarantees: between two changes every question that only asks has the same answer. What calls leave behind that ask
 * (records, messages that were received) is no change.
 */
export type AccountNews = {
  /** Calls `handler` just before each change of the account, until the function that it gives is called. */
  onChange(handler: () => void): () => void;
  /** The next instant after `since` at which answers change because time passes. */
  nextChange(since: Instant): Instant | undefined;
  /** Whether that can be told at all: descriptions that lag behind change all the time. */
  isSteady(): boolean;
};

/** Maps whose changes no answer to a question of an operator shows. */
const withoutNews = /^(aws\/calls|sqs\/|events\/|fis\/|eks\/insights$|places\/|accounts\/|.*-tokens$)/;

type NewsSources = {
  readonly releases: ReleaseStore;
  readonly faults: Faults;
  readonly reservations: () => readonly CapacityReservation[];
};

/** Hears of every change through the ledger, which the models keep all their state in. */
export class LedgerNews {
  readonly ledger: Ledger;
  readonly #handlers = new Set<() => void>();

  constructor(ledger: Ledger) {
    this.ledger = tellingLedger(ledger, (map) => {
      if (!withoutNews.test(map)) for (const handler of this.#handlers) handler();
    });
  }

  of({ releases, faults, reservations }: NewsSources): AccountNews {
    return {
      onChange: (handler) => {
        this.#handlers.add(handler);
        return () => void this.#handlers.delete(handler);
      },
      nextChange: (since) =>
        earliest(releases.nextChange(since), ...reservations().flatMap((each) => changesOfReservation(each, since))),
      isSteady: () => faults.describesLagMs() === 0,
    };
  }
}

/** EC2 begins to take a capacity block back before its end. */
const reclaimedBeforeEndMs = minutes(40);

function changesOfReservation({ endsAt }: CapacityReservation, since: Instant): readonly Instant[] {
  if (endsAt === undefined) return [];
  return [instant(endsAt - reclaimedBeforeEndMs), endsAt].filter((at) => at > since);
}
