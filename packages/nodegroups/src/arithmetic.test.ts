import { expect, test } from 'vitest';
import { countParallelReplacements, countSurgeInstances } from './arithmetic.ts';

for (const { config, nodes, parallel } of [
  { config: {}, nodes: 7, parallel: 1 },
  { config: { maxUnavailable: 20 }, nodes: 5, parallel: 20 },
  { config: { maxUnavailablePercentage: 33 }, nodes: 10, parallel: 3 },
  { config: { maxUnavailablePercentage: 33 }, nodes: 2, parallel: 1 },
  { config: { maxUnavailablePercentage: 50 }, nodes: 400, parallel: 100 },
]) {
  test(`scenario 3, SET-4, SET-5: ${JSON.stringify(config)} of ${nodes} nodes is ${parallel} at once`, () => {
    expect(countParallelReplacements(config, nodes)).toBe(parallel);
  });
}

for (const { zones, parallel, surge } of [
  { zones: 1, parallel: 1, surge: 2 },
  { zones: 3, parallel: 1, surge: 6 },
  { zones: 3, parallel: 10, surge: 10 },
  { zones: 5, parallel: 1, surge: 10 },
  { zones: 5, parallel: 20, surge: 20 },
]) {
  test(`SUP-1: ${zones} zones and ${parallel} at once grow by ${surge}`, () => {
    expect(countSurgeInstances({ zones, parallel })).toBe(surge);
  });
}
