import { fromTimestamp } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { fleetThrough } from './support/image-fleet.ts';

const start = fromTimestamp('2024-06-01T00:00:00Z');

test('pools that bake, follow and pin run what the table says through random releases, an upgrade and deaths', async () => {
  const { rows, lives } = await fleetThrough({
    random: seededRandom(1),
    start,
    days: 10,
    dayMs: 60 * 60_000,
    terms: {
      latest: [{ alias: 'al2023@latest' }],
      baked: [{ alias: 'al2023@latest', minimumAgeDuration: '5h' }],
      pinned: [{ alias: 'al2023@v20240503' }],
    },
  });
  expect(rows.filter(({ runs, expected }) => runs.join() !== expected)).toEqual([]);
  expect(new Set(rows.map(({ name, expected }) => `${name} ${expected}`)).size).toBeGreaterThan(4);
  expect(lives).toBeGreaterThan(1);
});
