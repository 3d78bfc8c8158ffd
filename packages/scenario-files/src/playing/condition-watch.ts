import { type Instant, minutes } from '@nodewright/apis';
import type { CompiledCondition, ExpressionOutcome } from '../expressions/compile-expression.ts';
import type { FactCache } from '../world/fact-cache.ts';

/** How often a condition on the time is computed when nothing else changes. */
const timeStepMs = minutes(1);

/** A condition that is computed again only when something has changed that it reads. */
export class ConditionWatch {
  readonly #condition: CompiledCondition;
  readonly #facts: FactCache;
  #version = -1;
  #at = -Infinity;
  #evaluations = 0;
  #last: ExpressionOutcome = { kind: 'value', value: false };

  constructor(condition: CompiledCondition, facts: FactCache) {
    this.#condition = condition;
    this.#facts = facts;
  }

  outcome(now: Instant): ExpressionOutcome {
    const { dependsOnTime, evaluate } = this.#condition;
    const version = this.#facts.versionFor(this.#condition);
    const isOld = dependsOnTime && now - this.#at >= timeStepMs;
    if (version === this.#version && !isOld) return this.#last;
    this.#version = version;
    this.#at = now;
    this.#evaluations += 1;
    this.#last = evaluate(this.#facts.read);
    return this.#last;
  }

  /** How often it was computed: what follows from its value stays the same while this does. */
  get evaluations(): number {
    return this.#evaluations;
  }

  holds(now: Instant): boolean {
    const outcome = this.outcome(now);
    return outcome.kind === 'value' && outcome.value === true;
  }
}
