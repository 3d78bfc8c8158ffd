import { byNumberOf } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { AddressPool } from './addresses.ts';
import { addressNumber, cidrText, countAddresses, formatAddress, parseCidr } from './cidr.ts';

describe('addresses as numbers', () => {
  test.each([
    ['0.0.0.0', 0],
    ['0.0.1.0', 256],
    ['10.0.0.1', 167_772_161],
    ['192.168.0.0', 3_232_235_520],
    ['255.255.255.255', 4_294_967_295],
  ])('%s is %i, and back', (text, number) => {
    expect(addressNumber(text)).toBe(number);
    expect(formatAddress(number)).toBe(text);
  });

  test.each([
    ['192.168.0.0/16', 65_536],
    ['192.168.32.0/19', 8_192],
    ['10.0.0.0/28', 16],
    ['10.0.0.1/32', 1],
  ])('%s has %i addresses, and is written as it was read', (text, count) => {
    expect(countAddresses(parseCidr(text))).toBe(count);
    expect(cidrText(parseCidr(text))).toBe(text);
  });
});

describe('the addresses of a subnet', () => {
  const aPool = () => new AddressPool(parseCidr('10.0.0.0/28'), seededRandom(1));
  const takeAll = (pool: AddressPool) => Array.from({ length: pool.free }, () => pool.take());

  test('are all but the first four and the last', () => {
    const pool = aPool();
    expect(pool.free).toBe(11);
    const taken = takeAll(pool).toSorted(byNumberOf((address) => addressNumber(address ?? '')));
    expect([taken.length, taken[0], taken.at(-1)]).toEqual([11, '10.0.0.4', '10.0.0.14']);
    expect(new Set(taken).size).toBe(11);
  });

  test('run out, and come back when they are released', () => {
    const pool = aPool();
    takeAll(pool);
    expect([pool.free, pool.take()]).toEqual([0, undefined]);
    pool.release('10.0.0.9');
    expect([pool.free, pool.take(), pool.free]).toEqual([1, '10.0.0.9', 0]);
  });

  test('are taken once when a restart names them', () => {
    const pool = aPool();
    expect(pool.take('10.0.0.7')).toBe('10.0.0.7');
    pool.take('10.0.0.7');
    expect(pool.free).toBe(10);
    expect(takeAll(pool)).not.toContain('10.0.0.7');
  });

  test('are the same for the same seed', () => {
    expect(takeAll(aPool())).toEqual(takeAll(aPool()));
  });
});
