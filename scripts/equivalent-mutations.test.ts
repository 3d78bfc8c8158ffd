import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { explainEquivalent, filesWithEquivalents, listStaleEquivalents } from './equivalent-mutations.ts';
import { listMutations } from './mutations.ts';

test.each(filesWithEquivalents)('what is listed as equivalent of %s is a mutation of it', (file) => {
  const source = readFileSync(join(root, file), 'utf8');
  expect(listStaleEquivalents(file, source, listMutations(source))).toEqual([]);
});

test('a mutation is equivalent on its line alone', () => {
  const file = 'packages/engine/src/disruption/budgets/cron-schedule.ts';
  const source = readFileSync(join(root, file), 'utf8');
  const zeros = listMutations(source).filter(({ change }) => change === '0 → 1');
  const explained = zeros.filter((mutation) => explainEquivalent(file, source, mutation) !== undefined);
  expect(explained.length).toBeGreaterThan(0);
  expect(explained.length).toBeLessThan(zeros.length);
});
