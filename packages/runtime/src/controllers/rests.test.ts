import { instant } from '@nodewright/apis';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLogger } from '../observability/logger.ts';
import { virtualTime } from '../time/virtual-time.ts';
import { startController } from './controller.ts';
import { requeueAfter, restAndPoll } from './result.ts';

const everyMs = 100;

/** What happens at an instant: what polls look at changes, or something else enqueues the key. */
type Happening = { readonly at: number; readonly kind: 'change' | 'enqueue' };
type History = { readonly happenings: readonly Happening[]; readonly due: number };

/** Polls and changes at the very same instant have no order. */
const between = (offset: number) => fc.nat(200).map((tens) => tens * 10 + offset);

const histories: fc.Arbitrary<History> = fc.record({
  happenings: fc.array(fc.record({ at: between(5), kind: fc.constantFrom('change', 'enqueue') }), { maxLength: 12 }),
  due: between(7),
});

/** When which state was seen first. A state is the number of changes, and whether it is due. */
async function sightingsOf({ happenings, due }: History, isSleeping: boolean) {
  const time = virtualTime(instant(0));
  const { clock } = time;
  const sightings = new Map<string, number>();
  let [changes, turns] = [0, 0];
  const controller = startController({
    name: 'test',
    clock,
    log: silentLogger,
    reconcile: async () => {
      turns += 1;
      const now = clock.now();
      const seen = `${changes} changes, due: ${now >= due}`;
      if (!sightings.has(seen)) sightings.set(seen, now);
      if (!isSleeping) return requeueAfter(everyMs);
      return restAndPoll(everyMs, now >= due ? undefined : instant(Math.ceil(due / everyMs) * everyMs));
    },
  });
  controller.enqueue('key');
  for (const { at, kind } of happenings)
    clock.at(instant(at), () => {
      if (kind === 'enqueue') return controller.enqueue('key');
      changes += 1;
      return controller.stir('key');
    });
  await time.run(instant(2_500));
  await controller.stop();
  return { sightings: [...sightings], turns };
}

test('a key that sleeps between its polls sees every state when a key that polls does', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const polling = await sightingsOf(history, false);
      const sleeping = await sightingsOf(history, true);
      expect(sleeping.sightings).toEqual(polling.sightings);
      expect(sleeping.turns).toBeLessThanOrEqual(2 + history.happenings.length);
    }),
    { numRuns: 100 },
  );
});

test('what changes during a turn is seen at the next poll', async () => {
  const time = virtualTime(instant(0));
  const { clock } = time;
  const turns: number[] = [];
  const controller = startController({
    name: 'test',
    clock,
    log: silentLogger,
    reconcile: async () => {
      turns.push(clock.now());
      await clock.sleep(30);
      return restAndPoll(everyMs);
    },
  });
  controller.enqueue('key');
  clock.at(instant(20), () => controller.stir());
  await time.run(instant(1_000));
  expect(turns).toEqual([0, 130]);
});
