import { readOwn } from '@nodewright/apis';

/** An event pattern: fields of events, each with the values that it may have. */
export type EventPattern = { readonly [field: string]: EventPattern | readonly unknown[] };

/** Reads a pattern. @throws Error that says what is wrong with it */
export function parsePattern(text: string): EventPattern {
  const json: unknown = JSON.parse(text);
  check(json, []);
  return json as EventPattern;
}

function check(json: unknown, path: readonly string[]): void {
  if (!isFields(json) || Object.keys(json).length === 0) throw new Error(`"${at(path)}" must be a non-empty object`);
  for (const [field, wanted] of Object.entries(json)) {
    const here = [...path, field];
    if (!Array.isArray(wanted)) check(wanted, here);
    else if (wanted.length === 0) throw new Error(`"${at(here)}" must not be an empty array`);
    else for (const each of wanted) checkMatcher(each, here);
  }
}

function checkMatcher(matcher: unknown, path: readonly string[]): void {
  if (!isFields(matcher)) return;
  const [name = '', ...others] = Object.keys(matcher);
  if (others.length > 0 || readOwn(matchers, name) === undefined)
    throw new Error(`Unrecognized match type ${name} at "${at(path)}"; there is ${Object.keys(matchers).join(', ')}`);
}

const at = (path: readonly string[]): string => path.join('.') || 'Event pattern';

/** Whether an event has, in every field that the pattern names, one of the values named there. */
export const matchesPattern = (pattern: EventPattern, event: unknown): boolean =>
  Object.entries(pattern).every(([field, wanted]) => {
    const value = isFields(event) ? readOwn(event, field) : undefined;
    return isValues(wanted) ? wanted.some((each) => isMet(each, value)) : matchesPattern(wanted, value);
  });

const isValues = (wanted: EventPattern | readonly unknown[]): wanted is readonly unknown[] => Array.isArray(wanted);

/** A list has a value when one of its items is it. */
function isMet(wanted: unknown, value: unknown): boolean {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!isFields(wanted)) return values.includes(wanted);
  const [[name, parameter] = ['', undefined]] = Object.entries(wanted);
  return readOwn(matchers, name)?.(parameter, values) ?? false;
}

type Matcher = (parameter: unknown, values: readonly unknown[]) => boolean;

const texts = (values: readonly unknown[]): readonly string[] => values.filter((each) => typeof each === 'string');

const matchers: Readonly<Record<string, Matcher>> = {
  exists: (wanted, values) => values.some((each) => each !== undefined) === wanted,
  prefix: (prefix, values) => texts(values).some((each) => each.startsWith(String(prefix))),
  suffix: (suffix, values) => texts(values).some((each) => each.endsWith(String(suffix))),
  'equals-ignore-case': (wanted, values) =>
    texts(values).some((each) => each.toLowerCase() === String(wanted).toLowerCase()),
  'anything-but': (unwanted, values) =>
    values.some((each) => each !== undefined) && !values.some((each) => [unwanted].flat().includes(each)),
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
