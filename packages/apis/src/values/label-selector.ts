import type { LabelSelector, LabelSelectorRequirement } from '../kubernetes/meta.ts';
import { labelValueComplaint, qualifiedNameComplaint } from './label-syntax.ts';
import { readOwn } from './own-property.ts';
import { ValueError } from './value-error.ts';

export type Labels = Readonly<Record<string, string>>;
export type LabelPredicate = (labels: Labels | undefined) => boolean;

/** One condition on one key; `exists` and `notExists` carry no values, the bounds exactly one integer. */
export type LabelTerm = {
  readonly key: string;
  readonly operator: 'in' | 'notIn' | 'exists' | 'notExists' | 'greaterThan' | 'lessThan';
  readonly values: readonly string[];
};

/**
 * The predicate of a `LabelSelector` in a manifest. An empty selector selects everything, an absent
 * one nothing.
 * @throws ValueError for an invalid key or value, and for an operator with too many or too few values
 */
export function labelSelectorPredicate(selector: LabelSelector | undefined): LabelPredicate {
  if (selector === undefined) return () => false;
  return matchesAll(termsOfSelector(selector));
}

export function termsOfSelector(selector: LabelSelector): readonly LabelTerm[] {
  const equalities = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    checkTerm({ key, operator: 'in', values: [value] }),
  );
  return [...equalities, ...(selector.matchExpressions ?? []).map(termOfExpression)];
}

/** All terms hold. A missing label satisfies `notIn` and `notExists` only. */
export const matchesAll =
  (terms: readonly LabelTerm[]): LabelPredicate =>
  (labels) =>
    terms.every((term) => matchesTerm(term, readOwn(labels, term.key)));

/** The text form of a selector, as queries carry it: `a=b,c in (x,y),!d`. */
export function printLabelTerms(terms: readonly LabelTerm[]): string {
  return terms.map(printTerm).join(',');
}

/** @throws ValueError when the key or a value is invalid, or their number does not suit the operator */
export function checkTerm(term: LabelTerm): LabelTerm {
  const keyComplaint = qualifiedNameComplaint(term.key);
  if (keyComplaint !== undefined) throw new ValueError(term.key, `a label key: it ${keyComplaint}`);
  for (const value of term.values) {
    const complaint = labelValueComplaint(value);
    if (complaint !== undefined) throw new ValueError(value, `a value for ${term.key}: it ${complaint}`);
  }
  if (!hasSuitableValues(term)) {
    throw new ValueError(term.values, `a list of values for operator ${term.operator} of ${term.key}`);
  }
  return term;
}

function hasSuitableValues({ operator, values }: LabelTerm): boolean {
  switch (operator) {
    case 'in':
    case 'notIn':
      return values.length > 0;
    case 'exists':
    case 'notExists':
      return values.length === 0;
    case 'greaterThan':
    case 'lessThan':
      return values.length === 1 && /^[+-]?\d+$/.test(values[0] ?? '');
  }
}

const selectorOperators = { In: 'in', NotIn: 'notIn', Exists: 'exists', DoesNotExist: 'notExists' } as const;

function termOfExpression({ key, operator, values = [] }: LabelSelectorRequirement): LabelTerm {
  const known = readOwn(selectorOperators, operator);
  if (known === undefined) throw new ValueError(operator, `one of ${Object.keys(selectorOperators).join(', ')}`);
  return checkTerm({ key, operator: known, values });
}

function matchesTerm({ operator, values }: LabelTerm, value: string | undefined): boolean {
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notIn':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'notExists':
      return value === undefined;
    case 'greaterThan':
      return isInteger(value) && BigInt(value) > BigInt(values[0] ?? '0');
    case 'lessThan':
      return isInteger(value) && BigInt(value) < BigInt(values[0] ?? '0');
  }
}

const isInteger = (value: string | undefined): value is string => value !== undefined && /^-?\d+$/.test(value);

function printTerm({ key, operator, values }: LabelTerm): string {
  switch (operator) {
    case 'in':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.toSorted().join(',')})`;
    case 'notIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.toSorted().join(',')})`;
    case 'exists':
      return key;
    case 'notExists':
      return `!${key}`;
    case 'greaterThan':
      return `${key}>${values[0]}`;
    case 'lessThan':
      return `${key}<${values[0]}`;
  }
}
