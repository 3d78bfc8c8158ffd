import type { Ledger } from '@nodewright/runtime';
import { invalidValue, tokenReused } from './errors.ts';

type RememberedAnswer = { readonly input: string; readonly output: object };

/** More than the calls that clients may still repeat. The oldest answers are forgotten. */
const mostRememberedAnswers = 10_000;

const longestClientToken = 128;

/** A call that its client may send again, with the token that it has in each attempt. */
type RepeatableCall = { readonly operation: string; readonly token: string | undefined; readonly request: object };

function checkClientToken(token: string): void {
  if (token.length <= longestClientToken) return;
  throw invalidValue(
    `Value (${token}) for parameter clientToken is invalid. It must be ${longestClientToken} ascii characters or fewer.`,
  );
}

/** Remembers the answers to calls with a client token. The same call again gets the same answer and changes nothing. */
export class Idempotency {
  readonly #done: Map<string, RememberedAnswer>;

  constructor(ledger: Ledger) {
    this.#done = ledger.map('ec2/client-tokens');
  }

  /**
   * Does the work, or returns what the same call with this token has done. Without a token the work is done each time.
   * Each operation has tokens of its own.
   * @throws AwsError `IdempotentParameterMismatch` when the token came with another request of the operation before
   */
  once<Output extends object>({ operation, token, request }: RepeatableCall, work: () => Output): Output {
    if (token === undefined || token === '') return work();
    checkClientToken(token);
    const input = JSON.stringify(request);
    const key = `${operation} ${token}`;
    const before = this.#done.get(key);
    if (before !== undefined && before.input !== input) throw tokenReused();
    if (before !== undefined) return before.output as Output;
    const output = work();
    this.#done.set(key, { input, output });
    const [oldest] = this.#done.keys();
    if (this.#done.size > mostRememberedAnswers && oldest !== undefined) this.#done.delete(oldest);
    return output;
  }
}
