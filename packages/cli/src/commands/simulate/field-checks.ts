import { readOwn, quantityUnits } from '@nodewright/apis';

type FieldMap = Readonly<Record<string, unknown>>;

/** What is wrong with a value, a sentence for each field in it that cannot be read. */
export type FieldCheck = (value: unknown, field: string) => readonly string[];

export const describeWrongField = (field: string, right: string, value: unknown): readonly string[] => [
  `${field} must be ${right}, not ${value === undefined ? 'missing' : JSON.stringify(value)?.slice(0, 60)}`,
];

export const isFieldMap = (value: unknown): value is FieldMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fine: readonly string[] = [];

/** What is wrong with all of them; makes no list while nothing is, which is so for nearly every field of a large problem. */
function collectWrong<T>(all: readonly T[], wrongOf: (each: T, index: number) => readonly string[]): readonly string[] {
  let found: string[] | undefined;
  for (let index = 0; index < all.length; index++) {
    const wrong = wrongOf(all[index] as T, index);
    if (wrong.length > 0) (found ??= []).push(...wrong);
  }
  return found ?? fine;
}

export const checkTextField: FieldCheck = (value, field) =>
  typeof value === 'string' && value !== '' ? fine : describeWrongField(field, 'a text', value);

/** A label may be empty. */
export const checkLabelValue: FieldCheck = (value, field) =>
  typeof value === 'string' ? fine : describeWrongField(field, 'a text', value);

export const checkNumberField: FieldCheck = (value, field) =>
  typeof value === 'number' && value >= 0 ? fine : describeWrongField(field, 'a number from 0', value);

export const wholeFrom =
  (least: number): FieldCheck =>
  (value, field) =>
    Number.isInteger(value) && (value as number) >= least
      ? fine
      : describeWrongField(field, `a whole number from ${least}`, value);

export const checkFlag: FieldCheck = (value, field) =>
  typeof value === 'boolean' ? fine : describeWrongField(field, 'true or false', value);

export const checkOneOf =
  (...words: readonly unknown[]): FieldCheck =>
  (value, field) =>
    words.includes(value) ? fine : describeWrongField(field, `one of ${words.join(', ')}`, value);

export const checkQuantity: FieldCheck = (value, field) => {
  try {
    if (typeof value === 'string' || typeof value === 'number') quantityUnits(value);
    else return describeWrongField(field, 'a quantity such as 100m, 1.5 or 2Gi', value);
    return fine;
  } catch {
    return describeWrongField(field, 'a quantity such as 100m, 1.5 or 2Gi', value);
  }
};

export const checkList =
  (check: FieldCheck): FieldCheck =>
  (value, field) =>
    Array.isArray(value)
      ? collectWrong(value, (each, index) => check(each, `${field}[${index}]`))
      : describeWrongField(field, 'a list', value);

export const checkMap =
  (check: FieldCheck): FieldCheck =>
  (value, field) =>
    isFieldMap(value)
      ? collectWrong(Object.entries(value), ([key, each]) => check(each, `${field}["${key}"]`))
      : describeWrongField(field, 'an object', value);

export const checkOptional =
  (check: FieldCheck): FieldCheck =>
  (value, field) =>
    value === undefined ? fine : check(value, field);

export function checkObject(checks: Readonly<Record<string, FieldCheck>>): FieldCheck {
  const all = Object.entries(checks);
  return (value, field) =>
    isFieldMap(value)
      ? collectWrong(all, ([name, check]) => check(readOwn(value, name), `${field}.${name}`))
      : describeWrongField(field, 'an object', value);
}

/** Two checks of one value; the second only where the first finds nothing. */
export const checkBoth =
  (first: FieldCheck, second: FieldCheck): FieldCheck =>
  (value, field) => {
    const wrong = first(value, field);
    return wrong.length > 0 ? wrong : second(value, field);
  };

/** That no two of a list have the same name. */
export const uniqueBy =
  (nameOf: (each: never) => string): FieldCheck =>
  (value, field) => {
    const seen = new Set<string>();
    return (value as readonly never[]).flatMap((each, index) => {
      const name = nameOf(each);
      const isNew = !seen.has(name);
      seen.add(name);
      return isNew ? fine : [`${field}[${index}] is the second with the name ${JSON.stringify(name)}`];
    });
  };
