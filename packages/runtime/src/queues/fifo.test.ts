import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from './fifo.ts';

test('what comes in first goes out first, however many wait', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -900, max: 1500 }), { maxLength: 12 }), (steps) => {
      const fifo = new Fifo<number>();
      let [added, taken] = [0, 0];
      for (const step of steps) {
        for (let left = step; left > 0; left--) fifo.push(added++);
        const out = Array.from({ length: Math.max(0, -step) }, () => fifo.shift());
        expect(out).toEqual(out.map(() => (taken < added ? taken++ : undefined)));
        expect(fifo.size).toBe(added - taken);
      }
    }),
  );
});
