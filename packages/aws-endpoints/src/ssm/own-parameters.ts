import { instant, type Instant } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';

/** A parameter that the account wrote. */
export type OwnParameter = {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly dataType: string;
  readonly modifiedAt: Instant;
  readonly version: number;
};

type WrittenParameter = Pick<OwnParameter, 'name' | 'value'> & {
  readonly type: string | undefined;
  readonly dataType: string | undefined;
  readonly overwrite: boolean;
};

/** As many versions as the Parameter Store keeps. */
const mostVersions = 100;

/** The parameters of the account itself, by name, with their last hundred versions. */
export class OwnParameters {
  readonly #parameters: Map<string, OwnParameter>;
  /** The versions before the present one, the oldest first. */
  readonly #earlier: Map<string, readonly OwnParameter[]>;

  constructor(ledger: Ledger) {
    this.#parameters = ledger.map('ssm/parameters');
    this.#earlier = ledger.map('ssm/earlier-versions');
  }

  get(name: string): OwnParameter | undefined {
    return this.#parameters.get(name);
  }

  /** All versions that are kept, the oldest first; `undefined` without such a parameter. */
  history(name: string): readonly OwnParameter[] | undefined {
    const present = this.#parameters.get(name);
    return present && [...(this.#earlier.get(name) ?? []), present];
  }

  all(): readonly OwnParameter[] {
    return [...this.#parameters.values()];
  }

  /** @throws AwsError for a name that may not be, or is there and is not to be overwritten */
  put({ name, value, type, dataType, overwrite }: WrittenParameter, now: Instant): OwnParameter {
    const before = this.#parameters.get(name);
    checkParameterName(name);
    if (before !== undefined && !overwrite) throw alreadyThere();
    if (before === undefined && type === undefined)
      throw ssmValidationError('A parameter type is required when you create a parameter.');
    const written: OwnParameter = {
      name,
      value,
      type: type ?? before?.type ?? 'String',
      dataType: dataType ?? before?.dataType ?? 'text',
      modifiedAt: instant(now),
      version: (before?.version ?? 0) + 1,
    };
    const earlier = (this.history(name) ?? []).slice(1 - mostVersions);
    if (earlier.length > 0) this.#earlier.set(name, earlier);
    this.#parameters.set(name, written);
    return written;
  }

  /** Whether it was there. */
  delete(name: string): boolean {
    this.#earlier.delete(name);
    return this.#parameters.delete(name);
  }
}

const alreadyThere = (): AwsError =>
  new AwsError(
    'ParameterAlreadyExists',
    'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
  );

const ssmValidationError = (message: string): AwsError => new AwsError('ValidationException', message);

function checkParameterName(name: string): void {
  if (!/^[\w.\-/]+$/.test(name))
    throw ssmValidationError(`Parameter name: may hold letters, digits and . - _ / only: ${name}`);
  if (/^\/?(aws|ssm)/i.test(name))
    throw ssmValidationError(`Parameter name: can't be prefixed with "aws" or "ssm" (case-insensitive): ${name}`);
  if (name.includes('/') && !name.startsWith('/'))
    throw ssmValidationError(`Parameter name must be a fully qualified name, which begins with a slash: ${name}`);
}
