import { instant, type Instant } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';
import { noSuchVersion, ssmValidationError } from './parameter-errors.ts';
import { withLabels, withoutParameterLabels } from './parameter-labels.ts';

/** What a writer may say of a parameter beside its value. */
export type ParameterDetails = {
  readonly description?: string;
  /** The key of a SecureString. */
  readonly keyId?: string;
  readonly allowedPattern?: string;
  readonly isAdvanced?: boolean;
};

/** One version of a parameter that the account wrote. */
export type OwnParameter = ParameterDetails & {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly dataType: string;
  readonly modifiedAt: Instant;
  readonly version: number;
  readonly labels?: readonly string[];
};

type WrittenParameter = Pick<OwnParameter, 'name' | 'value'> & {
  readonly type: string | undefined;
  readonly dataType: string | undefined;
  readonly overwrite: boolean;
  readonly details?: ParameterDetails;
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

  /** A name of one level is the same with and without its slash. */
  get(asked: string): OwnParameter | undefined {
    const other = asked.startsWith('/') ? asked.slice(1) : `/${asked}`;
    return this.#parameters.get(asked) ?? (asked.includes('/', 1) ? undefined : this.#parameters.get(other));
  }

  /** All versions that are kept, the oldest first; `undefined` without such a parameter. */
  history(asked: string): readonly OwnParameter[] | undefined {
    const present = this.get(asked);
    const name = present?.name ?? asked;
    return present && [...(this.#earlier.get(name) ?? []), present];
  }

  all(): readonly OwnParameter[] {
    return [...this.#parameters.values()];
  }

  /** @throws AwsError for a name that may not be, or is there and is not to be overwritten */
  put({ name, value, type, dataType, overwrite, details }: WrittenParameter, now: Instant): OwnParameter {
    const before = this.get(name);
    checkParameterName(name);
    if (before !== undefined && !overwrite) throw alreadyThere();
    if (before === undefined && type === undefined)
      throw ssmValidationError('A parameter type is required when you create a parameter.');
    if (before !== undefined && type !== undefined && type !== before.type) throw otherType(before.type, type);
    const written: OwnParameter = {
      ...keptDetails(before),
      ...details,
      name: before?.name ?? name,
      value,
      type: type ?? before?.type ?? 'String',
      dataType: dataType ?? before?.dataType ?? 'text',
      modifiedAt: instant(now),
      version: (before?.version ?? 0) + 1,
    };
    this.#keepEarlier(written.name);
    this.#parameters.set(written.name, written);
    return written;
  }

  /** Adds labels to a version, the present one if none is named, and takes them from the others. */
  label(name: string, labels: readonly string[], version: number | undefined): OwnParameter {
    return this.#relabel(name, version, (versions, at) => withLabels(versions, at, labels));
  }

  unlabel(name: string, labels: readonly string[], version: number): OwnParameter {
    return this.#relabel(name, version, (versions, at) => withoutParameterLabels(versions, at, labels));
  }

  #relabel(
    name: string,
    asked: number | undefined,
    change: (versions: readonly OwnParameter[], at: number) => readonly OwnParameter[],
  ): OwnParameter {
    const before = this.history(name) ?? [];
    const present = before.at(-1);
    if (present === undefined) throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
    const version = asked ?? present.version;
    const found = before.find((each) => each.version === version);
    if (found === undefined) throw noSuchVersion(name, version);
    const after = change(before, version);
    if (after.length > 1) this.#earlier.set(present.name, after.slice(0, -1));
    this.#parameters.set(present.name, after.at(-1) ?? present);
    return found;
  }

  /** The oldest version goes for the new one, unless it has a label. */
  #keepEarlier(name: string): void {
    const versions = this.history(name) ?? [];
    const [oldest] = versions;
    if (versions.length >= mostVersions && (oldest?.labels ?? []).length > 0)
      throw new AwsError(
        'ParameterMaxVersionLimitExceeded',
        `You attempted to create a new version of ${name} by calling the PutParameter API with the overwrite flag. Version ${oldest?.version}, the oldest version, can't be deleted because it has a label associated with it. Move the label to another version of the parameter, and try again.`,
      );
    const earlier = versions.slice(1 - mostVersions);
    if (earlier.length > 0) this.#earlier.set(name, earlier);
  }

  /** Returns what was there. */
  delete(asked: string): OwnParameter | undefined {
    const found = this.get(asked);
    if (found === undefined) return undefined;
    this.#earlier.delete(found.name);
    this.#parameters.delete(found.name);
    return found;
  }
}

/** A new version has what it does not say from the one before, but its labels. */
const keptDetails = (before: OwnParameter | undefined): ParameterDetails => ({
  ...(before?.description !== undefined && { description: before.description }),
  ...(before?.keyId !== undefined && { keyId: before.keyId }),
  ...(before?.allowedPattern !== undefined && { allowedPattern: before.allowedPattern }),
  ...(before?.isAdvanced === true && { isAdvanced: true }),
});

const otherType = (before: string, after: string): AwsError =>
  new AwsError(
    'HierarchyTypeMismatchException',
    `The parameter has the type ${before}, which can't be changed to ${after}. Create another parameter.`,
  );

const alreadyThere = (): AwsError =>
  new AwsError(
    'ParameterAlreadyExists',
    'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
  );

function checkParameterName(name: string): void {
  if (!/^[\w.\-/]+$/.test(name))
    throw ssmValidationError(`Parameter name: may hold letters, digits and . - _ / only: ${name}`);
  if (/^\/?(aws|ssm)/i.test(name))
    throw ssmValidationError(`Parameter name: can't be prefixed with "aws" or "ssm" (case-insensitive): ${name}`);
  if (name.includes('/') && !name.startsWith('/'))
    throw ssmValidationError(`Parameter name must be a fully qualified name, which begins with a slash: ${name}`);
}
