import { readOwn } from '@nodewright/apis';
import { nearestKey } from '@nodewright/requirements';

/** A value as it was given, and where complaints about it go. A field that is not there has the value `undefined`. */
export type GivenValue = {
  readonly field: string;
  readonly value: unknown;
  readonly complain: (complaint: string) => void;
};

/** Reads one field. A wrong value is complained about and taken for the default, so that one reading finds every mistake. */
export type ReadField<T> = (given: GivenValue) => T;

export type FieldTable = Readonly<Record<string, ReadField<unknown>>>;

export type ValuesOf<Readers extends FieldTable> = {
  readonly [Name in keyof Readers]: Readers[Name] extends ReadField<infer T> ? T : never;
};

/** YAML has `null` where a field is written with nothing behind it. */
export const isNotGiven = (value: unknown): boolean => value === undefined || value === null;

/** Tells that a value is wrong: field, what would be right, and the value. */
export function refuseValue({ field, value, complain }: GivenValue, right: string): void {
  const fault = isNotGiven(value) ? `is required: ${right}` : `must be ${right}, not ${JSON.stringify(value)}`;
  complain(`${field === '' ? 'the values' : field}: ${fault}`);
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object whose fields are known. A field of another name is refused, with the one that was probably meant. */
export const readFields =
  <Readers extends FieldTable>(readers: Readers): ReadField<ValuesOf<Readers>> =>
  (given) => {
    const fields = readMapping(given);
    const names = Object.keys(readers);
    for (const name of Object.keys(fields).filter((each) => !names.includes(each)))
      given.complain(describeUnknownField(join(given.field, name), nearestKey(name, names), names));
    const entries = Object.entries(readers).map(([name, read]) => [name, read(givenField(given, fields, name))]);
    return Object.fromEntries(entries) as ValuesOf<Readers>;
  };

/** The members of an object; none where there is no object. */
export function readMapping(given: GivenValue): Readonly<Record<string, unknown>> {
  if (isMapping(given.value)) return given.value;
  if (!isNotGiven(given.value)) refuseValue(given, 'an object with fields');
  return {};
}

/** The member of an object as a value of its own. */
export const givenField = (
  { field, complain }: GivenValue,
  fields: Readonly<Record<string, unknown>>,
  name: string,
): GivenValue => ({ field: join(field, name), value: readOwn(fields, name), complain });

export const describeUnknownField = (field: string, meant: string | undefined, known: readonly string[]): string =>
  `${field}: there is no such field; ${meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`}`;

const join = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);
