import type { Environment } from '@marcbachmann/cel-js';
import { compareQuantities, isQuantity, parseQuantity } from '@nodewright/apis';
import { RegularExpressions } from '../regular-expressions.ts';
import { EvaluationFailure } from './failure.ts';

/**
 * Library functions that are replaced by ours: the library's `matches` backtracks and its `int` accepts more than Go
 * does.
 */
export const replacedCalls: ReadonlyMap<string, string> = new Map([
  ['matches', 'matchesRe2'],
  ['int', 'toInt'],
]);

/**
 * Registers the functions that Kubernetes adds to CEL and that the library lacks.
 * @see https://kubernetes.io/docs/reference/using-api/cel/
 */
export function registerLibrary(environment: Environment): Environment {
  registerTexts(environment, new RegularExpressions());
  registerLists(environment);
  registerQuantities(environment);
  return environment.registerFunction('toInt(dyn): int', toInt);
}

function registerTexts(environment: Environment, expressions: RegularExpressions): void {
  environment
    .registerFunction('string.matchesRe2(string): bool', (text: string, re: string) => expressions.matches(text, re))
    .registerFunction('matchesRe2(string, string): bool', (text: string, re: string) => expressions.matches(text, re))
    .registerFunction('string.find(string): string', (text: string, re: string) => expressions.find(text, re))
    .registerFunction('string.findAll(string): list<string>', (text: string, re: string) =>
      expressions.findAll(text, re, -1),
    )
    .registerFunction('string.findAll(string, int): list<string>', (text: string, re: string, limit: bigint) =>
      expressions.findAll(text, re, Number(limit)),
    )
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => text.charAt(Number(index)))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    );
}

type Comparable = bigint | number | string | boolean;

function registerLists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', (list: Comparable[]) =>
      list.every((item, index) => index === 0 || (list[index - 1] ?? item) <= item),
    )
    .registerFunction('list.sum(): dyn', (list: bigint[]) => list.reduce((sum, item) => sum + item, 0n))
    .registerFunction('list.min(): dyn', (list: Comparable[]) => findExtreme(list, (a, b) => a < b))
    .registerFunction('list.max(): dyn', (list: Comparable[]) => findExtreme(list, (a, b) => a > b))
    .registerFunction('list.indexOf(dyn): int', (list: Comparable[], item: Comparable) => BigInt(list.indexOf(item)));
}

function findExtreme(list: Comparable[], isBetter: (a: Comparable, b: Comparable) => boolean): Comparable {
  const [first, ...rest] = list;
  if (first === undefined) throw new EvaluationFailure('min or max called on empty list');
  return rest.reduce((best, item) => (isBetter(item, best) ? item : best), first);
}

function registerQuantities(environment: Environment): void {
  environment
    .registerFunction('isQuantity(string): bool', (text: string) => isQuantity(text))
    .registerType('quantity', CelQuantity)
    .registerFunction('quantity(string): quantity', (text: string) => new CelQuantity(text))
    .registerFunction('quantity.isGreaterThan(quantity): bool', (a: CelQuantity, b: CelQuantity) => a.compare(b) > 0)
    .registerFunction('quantity.isLessThan(quantity): bool', (a: CelQuantity, b: CelQuantity) => a.compare(b) < 0)
    .registerFunction('quantity.compareTo(quantity): int', (a: CelQuantity, b: CelQuantity) => BigInt(a.compare(b)));
}

export class CelQuantity {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  compare(other: CelQuantity): number {
    return compareQuantities(parseQuantity(this.text), parseQuantity(other.text));
  }
}

const largestInt64 = 2n ** 63n - 1n;

/** `int()` as Go converts: an optional sign and decimal digits, within 64 bits. */
function toInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (value instanceof Date) return BigInt(Math.trunc(value.getTime() / 1000));
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? BigInt(value) : undefined;
  if (number === undefined || number > largestInt64 || number < -largestInt64 - 1n) {
    throw new EvaluationFailure(`type conversion error from '${typeof value}' to 'int'`);
  }
  return number;
}
