import { readOwn } from './own-property.ts';
import { ValueError } from './value-error.ts';

/** Which family of suffixes a quantity is printed with. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

/**
 * An amount of a resource, exact to a billionth: `1500m`, `1.5Gi`, `3e3`.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export type Quantity = { readonly nanos: bigint; readonly format: QuantityFormat };

const nanosPerUnit = 1_000_000_000n;
const nanosPerMilli = 1_000_000n;
/** Amounts are capped here, as the API server does: 2^63 - 1 units. */
const largestQuantity = (2n ** 63n - 1n) * nanosPerUnit;

const decimalExponents = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const;
const binaryExponents = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 } as const;
const grammar = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:([KMGTPE]i)|[eE]([+-]?\d{1,3})|([numkMGTPE]?))$/;

/**
 * Reads a quantity. Digits beyond the ninth decimal place round away from zero.
 * @throws ValueError for anything but an optional sign, a decimal number and one suffix
 */
export function parseQuantity(text: string | number): Quantity {
  const match = grammar.exec(String(text));
  if (match === null) throw new ValueError(text, 'a quantity such as 100m, 1.5 or 2Gi');
  const [, sign, whole = '', fraction = match[4] ?? '', , binary, exponent, suffix = ''] = match;
  const digits = { coefficient: BigInt(`0${whole}${fraction}`), decimals: fraction.length };
  const magnitude = scaleDigits(digits, scaleOfSuffix(binary, exponent, suffix));
  const capped = magnitude > largestQuantity ? largestQuantity : magnitude;
  return { nanos: sign === '-' ? -capped : capped, format: formatOf(binary, exponent) };
}

export function isQuantity(text: unknown): boolean {
  return (typeof text === 'string' || typeof text === 'number') && grammar.test(String(text));
}

/** Negative, zero or positive, as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** Whole units, rounded away from zero. Exact up to 2^53. */
export const wholeUnits = (quantity: Quantity): number => Number(roundedUp(quantity.nanos, nanosPerUnit));

/** Thousandths of a unit, rounded away from zero. Exact up to 2^53. */
export const wholeMillis = (quantity: Quantity): number => Number(roundedUp(quantity.nanos, nanosPerMilli));

/** Short whole amounts, as nearly all are: a product of numbers is as exact as one of big integers, whatever the suffix. */
const short = /^(\d{1,9})(m|[KMG]i|[kMG]|)$/;
const unitsPer = { '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 } as const;

/** `wholeUnits` of a text: bytes of a memory request. */
export function quantityUnits(text: string | number): number {
  const match = short.exec(String(text));
  if (match === null) return wholeUnits(parseQuantity(text));
  const suffix = match[2] as keyof typeof unitsPer | 'm';
  return suffix === 'm' ? Math.ceil(Number(match[1]) / 1000) : Number(match[1]) * unitsPer[suffix];
}

/** `wholeMillis` of a text: millicores of a cpu request. */
export function millisOf(text: string | number): number {
  const match = short.exec(String(text));
  if (match?.[2] === 'm') return Number(match[1]);
  return match?.[2] === '' ? Number(match[1]) * 1000 : wholeMillis(parseQuantity(text));
}

export function quantityOfUnits(units: number, format: QuantityFormat = 'decimal'): Quantity {
  return { nanos: BigInt(units) * nanosPerUnit, format };
}

export function quantityOfMillis(millis: number, format: QuantityFormat = 'decimal'): Quantity {
  return { nanos: BigInt(millis) * nanosPerMilli, format };
}

/**
 * The canonical text: no fraction, the largest suffix that needs none. A binary quantity that is not
 * whole or is below 1024 is printed in decimal, as the API server does.
 */
export function formatQuantity({ nanos, format }: Quantity): string {
  const sign = nanos < 0n ? '-' : '';
  const magnitude = nanos < 0n ? -nanos : nanos;
  if (magnitude === 0n) return '0';
  const isBinary = format === 'binary' && magnitude % nanosPerUnit === 0n && magnitude >= 1024n * nanosPerUnit;
  return sign + (isBinary ? inBinary(magnitude / nanosPerUnit) : inDecimal(magnitude, format));
}

type Scale = { readonly binary: number; readonly decimal: number };

function scaleOfSuffix(binary: string | undefined, exponent: string | undefined, suffix: string): Scale {
  if (binary !== undefined) return { binary: readOwn(binaryExponents, binary) ?? 0, decimal: 0 };
  if (exponent !== undefined) return { binary: 0, decimal: Number(exponent) };
  return { binary: 0, decimal: readOwn(decimalExponents, suffix) ?? 0 };
}

function formatOf(binary: string | undefined, exponent: string | undefined): QuantityFormat {
  if (binary !== undefined) return 'binary';
  return exponent === undefined ? 'decimal' : 'exponent';
}

function scaleDigits(digits: { coefficient: bigint; decimals: number }, scale: Scale): bigint {
  const shift = scale.decimal - digits.decimals + 9;
  const multiplied = digits.coefficient * 2n ** BigInt(scale.binary);
  return shift >= 0 ? multiplied * 10n ** BigInt(shift) : roundedUp(multiplied, 10n ** BigInt(-shift));
}

/** Away from zero. */
function roundedUp(amount: bigint, unit: bigint): bigint {
  const truncated = amount / unit;
  if (truncated * unit === amount) return truncated;
  return amount > 0n ? truncated + 1n : truncated - 1n;
}

function inBinary(units: bigint): string {
  let rest = units;
  let suffix = '';
  for (const name of Object.keys(binaryExponents)) {
    if (rest % 1024n !== 0n) break;
    rest /= 1024n;
    suffix = name;
  }
  return `${rest}${suffix}`;
}

function inDecimal(nanos: bigint, format: QuantityFormat): string {
  let rest = nanos;
  let exponent = -9;
  while (rest % 1000n === 0n && exponent < 18) {
    rest /= 1000n;
    exponent += 3;
  }
  if (format === 'exponent') return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
  return rest + suffixOf(exponent);
}

const suffixOf = (exponent: number): string =>
  Object.entries(decimalExponents).find(([, power]) => power === exponent)?.[0] ?? '';
