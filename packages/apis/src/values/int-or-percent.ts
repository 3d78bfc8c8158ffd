import { ValueError } from './value-error.ts';

/** A count, or a share of some total. */
export type IntOrPercent = { readonly kind: 'count' | 'percent'; readonly amount: number };

/**
 * Reads `3`, `"3"` or `"10%"`: budgets, `maxUnavailable`, `maxSurge`.
 * @throws ValueError for negative numbers, fractions and anything else
 */
export function parseIntOrPercent(value: number | string): IntOrPercent {
  const match = /^(\d+)(%?)$/.exec(String(value));
  if (match === null) throw new ValueError(value, 'a count such as 3 or a percentage such as 10%');
  return { kind: match[2] === '%' ? 'percent' : 'count', amount: Number(match[1]) };
}

export type Rounding = 'up' | 'down';

/** How many of `total` are meant: a count stands for itself, a percentage is rounded as told. */
export function resolveIntOrPercent(value: IntOrPercent, total: number, rounding: Rounding): number {
  if (value.kind === 'count') return value.amount;
  const hundredfold = value.amount * total;
  return rounding === 'up' ? Math.ceil(hundredfold / 100) : Math.floor(hundredfold / 100);
}
