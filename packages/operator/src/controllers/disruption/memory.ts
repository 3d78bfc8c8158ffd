import type { Instant } from '@nodewright/apis';
import type { DisruptionMethod, MethodPlan } from '@nodewright/engine';
import type { Evaluation, Proposal } from './pass.ts';

type Rest = { readonly change: number; readonly until: Instant | undefined };

/** What the disruption loop keeps from one pass to the next. A restart loses nothing that matters. */
export class DisruptionMemory {
  /** Waits to be looked at again before it is carried out. */
  proposal: Proposal | undefined;
  readonly #resting = new Map<string, Rest>();

  /**
   * A method of consolidation that found nothing finds nothing until something changes.
   * @param change the number of the last notable change before the cluster was looked at
   */
  note(evaluations: readonly Evaluation[], change: number): void {
    for (const { method, plan } of evaluations) {
      if (isThrough(method, plan)) this.#resting.set(method.name, { change, until: plan.recheckAt });
      else this.#resting.delete(method.name);
    }
  }

  /** Whether there is no point in asking the method again. */
  isResting({ name }: DisruptionMethod, change: number, now: Instant): boolean {
    const rest = this.#resting.get(name);
    return rest?.change === change && (rest.until === undefined || now < rest.until);
  }
}

const isThrough = (
  { consolidationType }: DisruptionMethod,
  { commands, blocked, isUnfinished = false }: MethodPlan,
): boolean =>
  consolidationType !== undefined &&
  commands.length === 0 &&
  !isUnfinished &&
  !blocked.some(({ blocker: { kind } }) => kind === 'budget' || kind === 'nominated');
