import { instant, type Instant, latest } from '@nodewright/apis';
import type { DisruptionMethod, MethodPlan } from '@nodewright/engine';
import type { MethodEvaluation, Proposal } from './pass.ts';
import { isCutShort, type ConsolidationSearch } from './search-progress.ts';

type Rest = {
  /** However much changes. */
  readonly atLeastUntil: Instant;
  /** Absent where nothing has to change for the method to find something. */
  readonly change?: number;
  readonly until?: Instant;
};

/** What the disruption loop keeps from one pass to the next. A restart loses nothing that matters. */
export class DisruptionMemory {
  /** Waits to be looked at again before it is carried out. */
  proposal: Proposal | undefined;
  /** A search for a single node that the next pass continues. */
  search: ConsolidationSearch | undefined;
  readonly #resting = new Map<string, Rest>();

  /**
   * A method of consolidation that found nothing finds nothing until something changes.
   * @param change the number of the last notable change before the cluster was looked at
   */
  note(evaluations: readonly MethodEvaluation[], change: number, now: Instant): void {
    for (const { method, plan } of evaluations) {
      if (plan.commands.length > 0 || isCutShort(plan)) {
        this.#resting.delete(method.name);
        continue;
      }
      const atLeastUntil = instant(now + (method.restMs ?? 0));
      const { recheckAt: until } = plan;
      const rest = isThrough(method, plan) ? { change, ...(until === undefined ? {} : { until }) } : {};
      this.#resting.set(method.name, { atLeastUntil, ...rest });
    }
  }

  /** Whether there is no point in asking the method again. */
  isResting(method: DisruptionMethod, change: number, now: Instant): boolean {
    const until = this.restsUntil(method, change);
    return until === undefined || now < until;
  }

  /** Until when there is no point in asking the method, as long as the change is the last: `undefined` for ever. */
  restsUntil({ name }: DisruptionMethod, change: number): Instant | undefined {
    const rest = this.#resting.get(name);
    if (rest === undefined) return instant(0);
    if (rest.change !== change) return rest.atLeastUntil;
    return rest.until && latest(rest.until, rest.atLeastUntil);
  }
}

const isThrough = (
  { consolidationType }: DisruptionMethod,
  { commands, blocked, isUnfinished = false }: MethodPlan,
): boolean =>
  consolidationType !== undefined &&
  commands.length === 0 &&
  !isUnfinished &&
  !blocked.some(({ blocker: { kind } }) => kind === 'nominated');
