import type { Instant } from '@nodewright/apis';
import { forgetfulLedger, type Ledger, type Storage } from '@nodewright/runtime';
import type { WireStructure } from './codec/shape.ts';

/** How a call ended: its output, or the code it was refused with. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly output: WireStructure }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** One call that reached the endpoint. */
export type AwsCall = {
  /** Counts from 1, without gaps. */
  readonly number: number;
  readonly time: Instant;
  readonly service: string;
  readonly operation: string;
  readonly input: WireStructure;
  readonly outcome: CallOutcome;
};

/** Enough for days of a busy controller; what is older is forgotten. */
const keptCalls = 20_000;

/** Of so many the answers to questions are kept too. */
const keptWhole = 100;

/**
 * Every call in order. Of what was only asked, answers are remembered for a short while, and not beyond a restart. Calls
 * while nothing can be kept are remembered until a restart.
 */
export class CallLog {
  readonly #storage: Pick<Storage, 'problem'>;
  readonly #lasting: Map<string, AwsCall>;
  #calls: AwsCall[];
  #last: number;

  constructor(ledger: Ledger = forgetfulLedger()) {
    this.#storage = ledger;
    this.#lasting = ledger.map('aws/calls');
    this.#calls = [...this.#lasting.values()];
    this.#last = this.#calls.at(-1)?.number ?? 0;
  }

  /** Polls that find nothing, one after another, count as one: they come by the thousand. */
  record(call: Omit<AwsCall, 'number'>): void {
    if (foundNothing(call) && foundNothing(this.#calls.at(-1))) return;
    this.#last += 1;
    const numbered = { number: this.#last, ...call };
    this.#calls.push(numbered);
    const old = this.#calls.at(-keptWhole - 1);
    if (old !== undefined) this.#calls[this.#calls.length - keptWhole - 1] = worthKeeping(old);
    if (this.#storage.problem() !== undefined) return;
    this.#lasting.set(String(this.#last), worthKeeping(numbered));
    if (this.#calls.length > 2 * keptCalls) this.#forget();
  }

  /** The number of the last call; 0 when there is none. */
  get last(): number {
    return this.#last;
  }

  /** Forgets the calls after the one with the number, whose records were not kept. */
  takeBack(last: number): void {
    this.#calls = this.#calls.filter(({ number }) => number <= last);
    this.#last = last;
  }

  /** The calls after the one with the number; all that are remembered without it. */
  since(number = 0): readonly AwsCall[] {
    return this.#calls.filter((call) => call.number > number);
  }

  #forget(): void {
    for (const { number } of this.#calls.slice(0, -keptCalls)) this.#lasting.delete(String(number));
    this.#calls = this.#calls.slice(-keptCalls);
  }
}

const foundNothing = (call: Omit<AwsCall, 'number'> | undefined): boolean =>
  call?.operation === 'ReceiveMessage' &&
  call.outcome.kind === 'answered' &&
  call.outcome.output['Messages'] === undefined;

/** Whether an operation only asks; to receive a message changes who may receive it next. */
export const isQuestion = (operation: string): boolean => /^(Describe|Get|List|Receive)/.test(operation);

/** The answers to questions are large, and can be had again. */
const worthKeeping = (call: AwsCall): AwsCall =>
  call.outcome.kind === 'answered' && isQuestion(call.operation)
    ? { ...call, outcome: { kind: 'answered', output: {} } }
    : call;
