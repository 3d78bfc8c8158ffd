import { instant, byNumber } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { scaledTime } from './scaled-time.ts';

const start = Date.UTC(2024, 0, 28, 16);
const day = 86_400_000;

test('on the real wall a day of timers at speed 200,000 fires in order, each at its own instant', async () => {
  const time = scaledTime({ start: instant(start), speed: 200_000 });
  const random = seededRandom(1);
  time.pause();
  const dues = Array.from({ length: 2000 }, () => time.clock.now() + random.integer(day));
  const fired: number[] = [];
  const told: number[] = [];
  for (const due of dues) {
    time.clock.at(instant(due), () => {
      told.push(time.clock.now());
      fired.push(due);
    });
  }
  const asleep = time.clock.sleep(day);
  time.resume();
  await asleep;
  time.stop();
  expect(fired).toEqual(dues.toSorted(byNumber));
  expect(told).toEqual(fired);
});
