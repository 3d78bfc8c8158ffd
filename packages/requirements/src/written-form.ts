import { byTextOf, type RequirementWithMinValues } from '@nodewright/apis';
import type { Incompatibility } from './compatibility.ts';
import { operatorOfRequirement } from './requirement.ts';
import type { Requirement, Requirements } from './requirements.ts';

/**
 * A requirement as the API writes it: values sorted, one entry per bound, each with `minValues`.
 * The API has no entry for exclusions together with bounds: they follow as a `NotIn` of their own. Nor has it
 * one for exclusions that demand the label: an `Exists` precedes them.
 */
export function writeRequirement(r: Requirement): readonly RequirementWithMinValues[] {
  const minValues = r.minValues === undefined ? {} : { minValues: r.minValues };
  const bounds: RequirementWithMinValues[] = [
    ...(r.atLeast === undefined ? [] : [{ key: r.key, operator: 'Gte' as const, values: [String(r.atLeast)] }]),
    ...(r.atMost === undefined ? [] : [{ key: r.key, operator: 'Lte' as const, values: [String(r.atMost)] }]),
  ].map((bound) => ({ ...bound, ...minValues }));
  if (bounds.length > 0 && r.values.size === 0) return bounds;
  const values = r.values.size === 0 ? {} : { values: [...r.values].toSorted() };
  const demanded = { key: r.key, operator: 'Exists' as const, ...minValues };
  const exists = r.defined === undefined || bounds.length > 0 || r.values.size === 0 ? [] : [demanded];
  return [...exists, ...bounds, { key: r.key, operator: operatorOfRequirement(r), ...values, ...minValues }];
}

/** A whole set as the API writes it, sorted by key. */
export const writeRequirements = (set: Requirements): readonly RequirementWithMinValues[] =>
  [...set.values()].toSorted(byTextOf(({ key }) => key)).flatMap(writeRequirement);

const shownValues = 5;

/** For people: `zone In [a b]`, at most five values and then how many more, bounds and `minValues` at the end. */
export function printRequirement(r: Requirement): string {
  const sorted = [...r.values].toSorted();
  const more = sorted.length > shownValues ? [`and ${sorted.length - shownValues} others`] : [];
  const values = sorted.length === 0 ? '' : ` [${[...sorted.slice(0, shownValues), ...more].join(' ')}]`;
  const atLeast = r.atLeast === undefined ? '' : ` >=${r.atLeast}`;
  const atMost = r.atMost === undefined ? '' : ` <=${r.atMost}`;
  const minValues = r.minValues === undefined ? '' : ` minValues ${r.minValues}`;
  const operator = sorted.length === 0 && `${atLeast}${atMost}` !== '' ? '' : ` ${operatorOfRequirement(r)}`;
  return `${r.key}${operator}${values}${atLeast}${atMost}${minValues}`;
}

/** A whole set for people, sorted by key, separated by commas. */
export const printRequirements = (set: Requirements): string =>
  [...set.values()]
    .toSorted(byTextOf(({ key }) => key))
    .map(printRequirement)
    .join(', ');

/** Why two sets do not go together, as one sentence without a full stop. */
export function printIncompatibility(why: Incompatibility): string {
  switch (why.kind) {
    case 'undefinedLabel': {
      const hint = why.didYouMean === undefined ? '' : ` (did you mean "${why.didYouMean}"?)`;
      return `no node here carries the label "${why.key}"${hint}`;
    }
    case 'conflict':
      return `${printRequirement(why.incoming)} excludes ${printRequirement(why.base)}`;
  }
}
