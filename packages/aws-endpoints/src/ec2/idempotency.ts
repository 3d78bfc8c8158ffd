import type { Ledger } from '@nodewright/runtime';
import { tokenReused } from './errors.ts';

type RememberedAnswer = { readonly input: string; readonly output: object };

/** Far more than can be on their way to be repeated; the oldest are forgotten. */
const mostRememberedAnswers = 10_000;

/** What calls with a client token did: the same call again gets the same answer and does nothing. */
export class Idempotency {
  readonly #done: Map<string, RememberedAnswer>;

  constructor(ledger: Ledger) {
    this.#done = ledger.map('ec2/client-tokens');
  }

  /**
   * @param token without one the work is simply done
   * @throws AwsError `IdempotentParameterMismatch` when the token came with another request before
   */
  once<Output extends object>(token: string | undefined, request: object, work: () => Output): Output {
    if (token === undefined || token === '') return work();
    const input = JSON.stringify(request);
    const before = this.#done.get(token);
    if (before !== undefined && before.input !== input) throw tokenReused();
    if (before !== undefined) return before.output as Output;
    const output = work();
    this.#done.set(token, { input, output });
    const [oldest] = this.#done.keys();
    if (this.#done.size > mostRememberedAnswers && oldest !== undefined) this.#done.delete(oldest);
    return output;
  }
}
