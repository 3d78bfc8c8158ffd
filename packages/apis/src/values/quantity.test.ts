import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareQuantities,
  formatQuantity,
  isQuantity,
  millisOf,
  parseQuantity,
  quantityOfMillis,
  quantityOfUnits,
  quantityUnits,
} from './quantity.ts';

describe('a quantity', () => {
  for (const [text, canonical] of [
    ['100m', '100m'],
    ['0.1', '100m'],
    ['1000m', '1'],
    ['1.5', '1500m'],
    ['.5', '500m'],
    ['5.', '5'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1000Mi', '1000Mi'],
    ['0.5Ki', '512'],
    ['1023', '1023'],
    ['1000000', '1M'],
    ['1500k', '1500k'],
    ['1e3', '1e3'],
    ['12E6', '12e6'],
    ['1E', '1E'],
    ['-1Gi', '-1Gi'],
    ['+3', '3'],
    ['0Gi', '0'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['100Ei', '9223372036854775807'],
  ] as const) {
    test(`written ${text} is printed ${canonical}`, () => {
      expect(formatQuantity(parseQuantity(text))).toBe(canonical);
    });
  }

  test('is refused when it is not one number and one suffix', () => {
    expect(
      ['', ' 1', '1 ', '1K', '1ki', '1mi', 'Gi', '1.2.3', '1e', '1Gi5', '--1', '0x10', '1_0'].filter(isQuantity),
    ).toEqual([]);
    expect(() => parseQuantity('1K')).toThrow('"1K" is not a quantity such as 100m, 1.5 or 2Gi');
  });

  test('rounds away from zero when it is asked for whole units', () => {
    expect([quantityUnits('1m'), quantityUnits('1.5'), quantityUnits('-1.5'), quantityUnits('1Gi')]).toEqual([
      1, 2, -2, 1_073_741_824,
    ]);
    expect([millisOf('100m'), millisOf('1u'), millisOf(2), millisOf('0')]).toEqual([100, 1, 2000, 0]);
  });

  test('is compared by what it amounts to, not by how it is written', () => {
    expect(compareQuantities(parseQuantity('1Gi'), parseQuantity('1024Mi'))).toBe(0);
    expect(compareQuantities(parseQuantity('1G'), parseQuantity('1Gi'))).toBeLessThan(0);
    expect(compareQuantities(parseQuantity('2'), parseQuantity('1999m'))).toBeGreaterThan(0);
  });

  test('survives printing and reading', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('decimal', 'binary', 'exponent'), (amount, format) => {
        const millis = quantityOfMillis(amount, format);
        const units = quantityOfUnits(amount % 9_000_000_000_000_000, format);
        expect(parseQuantity(formatQuantity(millis)).nanos).toBe(millis.nanos);
        expect(parseQuantity(formatQuantity(units)).nanos).toBe(units.nanos);
      }),
    );
  });
});
