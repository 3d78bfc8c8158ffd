import { expect, test } from 'vitest';
import { rolloutWorld } from './rollout-world.ts';

test('a rollout that a person halts and resumes goes on: nothing is taken back', async () => {
  const world = await rolloutWorld(3, { preset: 'standard' });
  const statuses = async () => (await world.rollouts()).map(({ metadata, status }) => [metadata.name, status?.state]);
  await world.minutesAfterRelease(15);
  expect(await statuses()).toEqual([['production-1', 'Soaking']]);
  await world.annotate('production-1', { 'nodewright.dev/halt': 'INC-7' });
  await world.minutesAfterRelease(17);
  expect(await statuses()).toEqual([['production-1', 'Halted']]);
  expect(await world.rules()).toHaveLength(1);
  await world.annotate('production-1', { 'nodewright.dev/resume': 'checked' });
  await world.minutesAfterRelease(20);
  expect(await statuses()).toEqual([['production-1', 'Soaking']]);
  expect(await world.rules()).toEqual([]);
  await world.end();
});
