import type { Random } from '@nodewright/runtime';

/** Chance without surprises: a small linear congruential generator, the same for every test. */
export function countingRandom(seed = 1): Random {
  let state = seed;
  const integer = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(integer(alphabet.length))).join('');
  const hex = (length: number): string => text('0123456789abcdef', length);
  return {
    next: () => integer(2 ** 30) / 2 ** 30,
    integer,
    pick: (from) => from[integer(from.length)] as (typeof from)[number],
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    nameSuffix: (length) => text('bcdfghjklmnpqrstvwxz2456789', length),
    fork: (name) => countingRandom(seed + name.length),
  };
}
