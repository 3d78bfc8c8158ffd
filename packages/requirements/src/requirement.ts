import type { NodeSelectorRequirement, RequirementWithMinValues } from '@nodewright/apis';
import { normaliseKey } from './normalise-key.ts';
import type { Requirement } from './requirements.ts';

/** First integer that a bound cannot hold; larger texts read as this. */
const integerLimit = 2 ** 63;

/** A whole number in base ten; `undefined` for any other text and beyond 64 bits. */
function integerOf(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) < integerLimit ? value : undefined;
}

/** What a bound says: no integer reads as 0, one beyond 64 bits as the limit on its side. */
function boundOf(text: string | undefined): number {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return 0;
  return Math.max(-integerLimit, Math.min(integerLimit, Number(text)));
}

/** The label must not exist: nothing fits but its absence. */
export const requireAbsent = (key: string, minValues?: number): Requirement =>
  setMinValues({ key: normaliseKey(key), complement: false, values: new Set() }, minValues);

/** The label may be anything: what an absent key means. */
export const allowAnything = (key: string): Requirement => ({
  key: normaliseKey(key),
  complement: true,
  values: new Set(),
});

/** The label has one of these values; with none of them it must not exist. */
export const requireOneOf = (key: string, values: Iterable<string>): Requirement => ({
  key: normaliseKey(key),
  complement: false,
  values: new Set(values),
});

const setMinValues = (r: Requirement, minValues: number | undefined): Requirement =>
  minValues === undefined ? r : { ...r, minValues };

/**
 * A requirement as manifests write it, its key in the current spelling.
 *
 * `In` without values means the label must not exist, `NotIn` without values that it must.
 * Bounds are whole numbers and inclusive inside: `Gt 1` admits 2 and up.
 */
export function parseRequirement(written: NodeSelectorRequirement | RequirementWithMinValues): Requirement {
  const minValues = 'minValues' in written ? written.minValues : undefined;
  const key = normaliseKey(written.key);
  const values = written.values ?? [];
  const open = allowAnything(key);
  const existing = { ...open, defined: true } as const;
  switch (written.operator) {
    case 'In':
      return setMinValues(requireOneOf(key, values), minValues);
    case 'NotIn':
      return setMinValues(values.length === 0 ? existing : { ...open, values: new Set(values) }, minValues);
    case 'Exists':
      return setMinValues(existing, minValues);
    case 'DoesNotExist':
      return requireAbsent(key, minValues);
    case 'Gt':
      // Nothing is greater than the greatest integer.
      return boundOf(values[0]) >= integerLimit
        ? requireAbsent(key, minValues)
        : setMinValues({ ...existing, atLeast: boundOf(values[0]) + 1 }, minValues);
    case 'Lt':
      return setMinValues({ ...existing, atMost: boundOf(values[0]) - 1 }, minValues);
    case 'Gte':
      return setMinValues({ ...existing, atLeast: boundOf(values[0]) }, minValues);
    case 'Lte':
      return setMinValues({ ...existing, atMost: boundOf(values[0]) }, minValues);
  }
}

export type RequirementOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

/** How the requirement would be written. Bounds do not change it: `Gt 1` is `Exists`. */
export function operatorOfRequirement(r: Requirement): RequirementOperator {
  if (r.complement) return r.values.size > 0 ? 'NotIn' : 'Exists';
  return r.values.size > 0 ? 'In' : 'DoesNotExist';
}

/** Whether a node without the label satisfies it: `DoesNotExist`, and `NotIn` unless something else demands the label. */
export const admitsAbsence = (r: Requirement): boolean => r.complement === r.values.size > 0 && r.defined === undefined;

/** Whether a value lies inside the bounds; with a bound, only whole numbers do. */
export function insideBounds(r: Pick<Requirement, 'atLeast' | 'atMost'>, value: string): boolean {
  if (r.atLeast === undefined && r.atMost === undefined) return true;
  const number = integerOf(value);
  return number !== undefined && number >= (r.atLeast ?? -Infinity) && number <= (r.atMost ?? Infinity);
}

/** Whether a node that carries the label with this value satisfies the requirement. */
export const allowsValue = (r: Requirement, value: string): boolean =>
  r.values.has(value) !== r.complement && insideBounds(r, value);

/**
 * One value that the requirement allows, always the same one: the smallest of a list, else the
 * smallest whole number from the lower bound (or 0) up. Empty when nothing is allowed.
 */
export function chooseValue(r: Requirement): string {
  if (!r.complement) return [...r.values].toSorted()[0] ?? '';
  const start = r.atLeast ?? Math.min(0, r.atMost ?? Infinity);
  for (let value = start; value <= (r.atMost ?? Infinity); value++) {
    if (!r.values.has(String(value))) return String(value);
  }
  return '';
}
