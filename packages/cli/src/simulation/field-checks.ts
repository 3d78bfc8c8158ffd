import { readOwn, unitsOf } from '@nodewright/apis';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a value, a sentence for each field in it that cannot be read. */
export type Check = (value: unknown, field: string) => readonly string[];

export const told = (field: string, right: string, value: unknown): readonly string[] => [
  `${field} must be ${right}, not ${value === undefined ? 'missing' : JSON.stringify(value)?.slice(0, 60)}`,
];

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fine: readonly string[] = [];

export const text: Check = (value, field) =>
  typeof value === 'string' && value !== '' ? fine : told(field, 'a text', value);

/** A label may be empty. */
export const labelValue: Check = (value, field) => (typeof value === 'string' ? fine : told(field, 'a text', value));

export const number: Check = (value, field) =>
  typeof value === 'number' && value >= 0 ? fine : told(field, 'a number from 0', value);

export const wholeFrom =
  (least: number): Check =>
  (value, field) =>
    Number.isInteger(value) && (value as number) >= least ? fine : told(field, `a whole number from ${least}`, value);

export const flag: Check = (value, field) => (typeof value === 'boolean' ? fine : told(field, 'true or false', value));

export const oneOf =
  (...words: readonly unknown[]): Check =>
  (value, field) =>
    words.includes(value) ? fine : told(field, `one of ${words.join(', ')}`, value);

export const quantity: Check = (value, field) => {
  try {
    if (typeof value === 'string' || typeof value === 'number') unitsOf(value);
    else return told(field, 'a quantity such as 100m, 1.5 or 2Gi', value);
    return fine;
  } catch {
    return told(field, 'a quantity such as 100m, 1.5 or 2Gi', value);
  }
};

export const listOf =
  (check: Check): Check =>
  (value, field) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => check(each, `${field}[${index}]`))
      : told(field, 'a list', value);

export const mapOf =
  (check: Check): Check =>
  (value, field) =>
    isFields(value)
      ? Object.entries(value).flatMap(([key, each]) => check(each, `${field}["${key}"]`))
      : told(field, 'an object', value);

export const optional =
  (check: Check): Check =>
  (value, field) =>
    value === undefined ? fine : check(value, field);

export function objectOf(checks: Readonly<Record<string, Check>>): Check {
  const all = Object.entries(checks);
  return (value, field) =>
    isFields(value)
      ? all.flatMap(([name, check]) => check(readOwn(value, name), `${field}.${name}`))
      : told(field, 'an object', value);
}

/** Two checks of one value; the second only where the first finds nothing. */
export const both =
  (first: Check, second: Check): Check =>
  (value, field) => {
    const wrong = first(value, field);
    return wrong.length > 0 ? wrong : second(value, field);
  };

/** That no two of a list have the same name. */
export const uniqueBy =
  (nameOf: (each: never) => string): Check =>
  (value, field) => {
    const seen = new Set<string>();
    return (value as readonly never[]).flatMap((each, index) => {
      const name = nameOf(each);
      const isNew = !seen.has(name);
      seen.add(name);
      return isNew ? fine : [`${field}[${index}] is the second with the name ${JSON.stringify(name)}`];
    });
  };
