import { earliest, type Instant } from '@nodewright/apis';
import { Stillness, type StillnessSources } from '../../state/stillness.ts';
import type { ObservedDisruption } from './observe.ts';
import type { DisruptionPlan } from './plan.ts';
import { isCutShort } from './search-progress.ts';

/**
 * The last pass, if it found nothing to do and another pass would find the same: drifted nodes that a budget, a pause or
 * their pods hold for hours.
 *
 * Guarantees: it holds only while no watched object and no answer of the cloud has changed since the pass began, and the
 * instant has not come at which time alone unblocks one of its nodes. Where the cloud does not tell of changes it never
 * holds.
 */
export class SettledPass {
  readonly #stillness: Stillness;
  #isSettled = false;
  #until: Instant | undefined;

  constructor(sources: StillnessSources) {
    this.#stillness = new Stillness(sources);
  }

  /** A pass begins: it may miss what changes from now on. */
  begin(): void {
    this.#isSettled = false;
    this.#stillness.begin();
  }

  /** The pass has ended with this plan. */
  end(seen: ObservedDisruption, { pass, actions }: DisruptionPlan): void {
    const evaluations = pass?.evaluations ?? [];
    this.#isSettled =
      pass !== undefined &&
      pass.proposal === undefined &&
      pass.validation === undefined &&
      seen.commands.length === 0 &&
      actions.every(({ kind }) => kind === 'tellBlocked') &&
      !evaluations.some(({ plan }) => isCutShort(plan));
    this.#until = earliest(...evaluations.map(({ plan }) => plan.recheckAt));
  }

  holds(now: Instant): boolean {
    return this.#isSettled && (this.#until === undefined || now < this.#until) && this.#stillness.holds();
  }

  /** Until when it holds unless something changes: `undefined` for ever. */
  lastsUntil(): Instant | undefined {
    return earliest(this.#until, this.#stillness.lastsUntil());
  }

  /** Calls `handler` at the first change after each pass. */
  onBreak(handler: () => void): void {
    this.#stillness.onBreak(handler);
  }
}
