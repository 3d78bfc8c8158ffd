import { type ReadField, givenField, type GivenValue, isNotGiven, readMapping, refuseValue } from './read-fields.ts';
import { type TextForm, valueForms } from './value-forms.ts';

/** A text of a form. */
export const textLike =
  ({ form, right }: TextForm, fallback: string): ReadField<string> =>
  (given) =>
    isNotGiven(given.value) ? fallback : readTextLike(given, { form, right }, fallback);

/** A text of a form that has to be there. */
export const requiredText =
  (text: TextForm): ReadField<string> =>
  (given) =>
    readTextLike(given, text, '');

function readTextLike(given: GivenValue, { form, right }: TextForm, fallback: string): string {
  const { value } = given;
  if (typeof value === 'string' && form.test(value)) return value;
  refuseValue(given, right);
  return fallback;
}

export const yesOrNo =
  (fallback: boolean): ReadField<boolean> =>
  (given) => {
    if (typeof given.value === 'boolean') return given.value;
    if (!isNotGiven(given.value)) refuseValue(given, 'true or false');
    return fallback;
  };

export const wholeNumber =
  (least: number, fallback: number): ReadField<number> =>
  (given) => {
    const { value } = given;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
    if (!isNotGiven(value)) refuseValue(given, `a whole number from ${least}`);
    return fallback;
  };

/** An amount such as `1Gi`; YAML makes a number of `1`. */
export const amountLike =
  (right: string, fallback: string): ReadField<string> =>
  (given) => {
    const { value } = given;
    if (isNotGiven(value)) return fallback;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && valueForms.amount.form.test(text) && Number.parseFloat(text) > 0) return text;
    refuseValue(given, right);
    return fallback;
  };

/** A list of which every item is read alike. */
export const listWith =
  <T>(read: ReadField<T>, right: string): ReadField<readonly T[]> =>
  (given) => {
    const { field, value, complain } = given;
    if (Array.isArray(value))
      return value.map((item: unknown, index) => read({ field: `${field}[${index}]`, value: item, complain }));
    if (!isNotGiven(value)) refuseValue(given, right);
    return [];
  };

/** Names that people choose, each with a text: labels, variables. */
export const textMap =
  (names: TextForm): ReadField<ReadonlyMap<string, string>> =>
  (given) => {
    const fields = readMapping(given);
    const texts = new Map<string, string>();
    for (const name of Object.keys(fields)) {
      const member = givenField(given, fields, name);
      if (!names.form.test(name)) member.complain(`${member.field}: the name must be ${names.right}`);
      else if (typeof member.value === 'string') texts.set(name, member.value);
      else refuseValue(member, 'a text; numbers and true or false need quotes');
    }
    return texts;
  };
