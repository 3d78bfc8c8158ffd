import { ObjectNotes } from '@nodewright/apis';

/** The cost limit of one evaluation, as in Kubernetes. */
const mostPerCall = 1_000_000;

/**
 * Counts the cost of a running expression in the unit of Kubernetes: about one for a step, a tenth for each character
 * of a text and one for each item of a list that an operation reads.
 *
 * Guarantees: an evaluation ends soon after its cost exceeds the limit, even when the expression catches errors.
 */
export class CostMeter {
  #cost = 0;
  readonly #sizes = new ObjectNotes<object, number>();

  get cost(): number {
    return Math.ceil(this.#cost);
  }

  get isExceeded(): boolean {
    return this.#cost > mostPerCall;
  }

  start(): void {
    this.#cost = 0;
  }

  /** @throws CostExceeded for this and every further step once the limit is reached */
  spend(cost: number): void {
    this.#cost += cost;
    if (this.isExceeded) throw costExceeded;
  }

  /** Adds the cost of reading a value. */
  spendSizeOf(value: unknown): void {
    this.spend(this.#sizeOf(value));
  }

  #sizeOf(value: unknown): number {
    if (typeof value === 'string') return value.length / 10;
    if (typeof value !== 'object' || value === null) return 0;
    const known = this.#sizes.of(value);
    if (known !== undefined) return known;
    const size = Array.isArray(value) ? this.#sumOf(value) : value instanceof Map ? this.#sumOf(value.values()) : 1;
    this.#sizes.write(value, size);
    return size;
  }

  #sumOf(items: Iterable<unknown>): number {
    let sum = 0;
    for (const item of items) sum += 1 + this.#sizeOf(item);
    return sum;
  }
}

/** A shared error object: a loop may throw it for each of many items. */
const costExceeded = new Error('operation cancelled: actual cost limit exceeded');

export const costExceededText = costExceeded.message;
