import { minutes } from '@nodewright/apis';
import { aRolloutFleet } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

test('old nodes of a policy go one after the other, each at its own age', async () => {
  const fleet = await aRolloutFleet(3, { maxAge: { soft: '20m', jitter: '10m' }, pace: { minInterval: '1m' } });
  const before = new Set((await fleet.claims()).map(({ metadata }) => metadata.name));
  const leaving: number[] = [];
  for (let minute = 0; minute < 20; minute += 1) {
    await fleet.advance(minutes(1));
    const claims = await fleet.claims();
    leaving.push(claims.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length);
  }
  expect(Math.max(...leaving)).toBe(1);
  expect((await fleet.claims()).some(({ metadata }) => before.has(metadata.name))).toBe(false);
  await fleet.stop();
});
