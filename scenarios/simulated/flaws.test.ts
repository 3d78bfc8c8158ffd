import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type History, readHistory, flaws, playHistory } from '@nodewright/simulation';
import { describe, expect, test } from 'vitest';

const historyFor = (flaw: string): History =>
  readHistory(readFileSync(join(import.meta.dirname, 'flaws', `${flaw}.json`), 'utf8'));

/** What notices each flaw first. */
const noticedBy: Readonly<Record<string, string>> = {
  'ignores-budgets': 'pool-budgets',
  'ignores-do-not-disrupt': 'do-not-disrupt',
  'forgets-instances': 'instance-ends-with-claim',
  'launches-again-after-a-death': 'one-launch-per-claim',
  'launches-blocked-images': 'blocked-images',
  'ignores-pauses': 'pauses',
  'ignores-seats': 'seats-of-waves',
  'ignores-windows': 'pace-of-policies',
  'ignores-promotion': 'proven-upstream',
  'ignores-pace': 'pace-of-policies',
  'ignores-surge': 'surge-of-policies',
};

describe('a simulation notices a controller that', () => {
  for (const [name, flaw] of Object.entries(flaws)) {
    test(name.replaceAll('-', ' '), async () => {
      const { broken } = await playHistory(historyFor(name), { flaw });
      expect(broken[0]?.id).toBe(noticedBy[name]);
    });
  }
});

test('nothing breaks without a flaw, and the same history plays the same way', async () => {
  const history = historyFor('ignores-do-not-disrupt');
  const [once, again] = [await playHistory(history), await playHistory(history)];
  expect(once).toMatchObject({ broken: [], isComplete: true });
  expect(again.digest).toBe(once.digest);
});
