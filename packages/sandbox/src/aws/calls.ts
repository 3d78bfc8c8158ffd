import type { Instant } from '@nodewright/apis';
import type { Structure } from './codec/shape.ts';

/** How a call ended: its output, or the code it was refused with. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly output: Structure }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** One call that reached the endpoint. */
export type AwsCall = {
  /** Counts from 1, without gaps. */
  readonly number: number;
  readonly time: Instant;
  readonly service: string;
  readonly operation: string;
  readonly input: Structure;
  readonly outcome: CallOutcome;
};

/** Enough for days of a busy controller; what is older is forgotten. */
const kept = 20_000;

/** Every call in order. */
export class CallLog {
  #calls: AwsCall[] = [];
  #last = 0;

  record(call: Omit<AwsCall, 'number'>): void {
    this.#last += 1;
    this.#calls.push({ number: this.#last, ...call });
    if (this.#calls.length > 2 * kept) this.#calls = this.#calls.slice(-kept);
  }

  /** The calls after the one with the number; all that are remembered without it. */
  since(number = 0): readonly AwsCall[] {
    return this.#calls.filter((call) => call.number > number);
  }
}
