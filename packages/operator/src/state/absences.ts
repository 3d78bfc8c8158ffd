import { instant, type Instant, minutes } from '@nodewright/apis';

/** What follows from looking for something that may be gone. */
export type AbsenceVerdict =
  | { readonly kind: 'present' }
  /** One look proves nothing: reads lag. */
  | { readonly kind: 'doubtful'; readonly recheckAt: Instant }
  | { readonly kind: 'gone' };

/** Longer than reads of EC2 and of the API server lag. */
const confirmedAfterMs = minutes(1);

/** A look that nobody repeated for so long says nothing about now. */
const forgottenAfterMs = minutes(10);

/**
 * What was looked for in vain, and since when.
 *
 * Guarantees: nothing is `gone` before two looks at least a minute apart have missed it, with none between them that
 * found it. After a restart the first look is made again: that delays a deletion and brings none about.
 */
export class Absences {
  readonly #missed = new Map<string, { readonly first: Instant; readonly last: Instant }>();

  /** Notes that a look missed it. */
  missed(id: string, now: Instant): AbsenceVerdict {
    this.#forgetOld(now);
    const first = this.#missed.get(id)?.first ?? now;
    this.#missed.set(id, { first, last: now });
    const recheckAt = instant(first + confirmedAfterMs);
    return now < recheckAt ? { kind: 'doubtful', recheckAt } : { kind: 'gone' };
  }

  /** Notes that a look found it. */
  found(id: string): AbsenceVerdict {
    this.#missed.delete(id);
    return { kind: 'present' };
  }

  #forgetOld(now: Instant): void {
    for (const [id, { last }] of this.#missed) if (now > last + forgottenAfterMs) this.#missed.delete(id);
  }
}
