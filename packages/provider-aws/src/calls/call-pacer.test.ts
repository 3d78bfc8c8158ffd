import { fromTimestamp, instant, minutes, seconds } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { CallPacer } from './call-pacer.ts';
import type { CallTokens } from './call-rates.ts';

const start = fromTimestamp('2024-01-28T16:00:00Z');
const oneFleet: CallTokens = { CreateFleet: 1, 'launched instances': 1 };
const tooFast = new Error('too fast');

type Account = { readonly burst: number; readonly perSecond: number };

/** A pacer before an account with a token bucket, and when each call came and was refused. */
function aPacer({ burst, perSecond }: Account = { burst: Infinity, perSecond: Infinity }) {
  const time = virtualTime(start);
  const { clock } = time;
  const pacer = new CallPacer(clock);
  const answered: number[] = [];
  const refused: number[] = [];
  let [tokens, since] = [burst, clock.now()];
  const call = async (): Promise<void> => {
    await clock.sleep(100);
    const now = clock.now();
    tokens = perSecond === Infinity ? Infinity : Math.min(burst, tokens + ((now - since) / 1000) * perSecond);
    since = now;
    const isRefused = tokens < 1;
    (isRefused ? refused : answered).push((now - start) / seconds(1));
    if (isRefused) throw tooFast;
    tokens -= 1;
  };
  const once = (wanted: CallTokens = oneFleet, signal?: AbortSignal): Promise<void> =>
    pacer.run(wanted, call, { signal, isRefusal: (error) => error === tooFast });
  const untilAnswered = async (): Promise<void> => {
    for (;;) {
      try {
        return await once();
      } catch (error) {
        if (error !== tooFast) throw error;
      }
    }
  };
  return { time, once, untilAnswered, answered, refused };
}

const times = <T>(count: number, of: () => Promise<T>): Promise<T>[] => Array.from({ length: count }, of);

describe('calls that come at once', () => {
  test('leave as the documented bucket lets them: fifty, then five a second', async () => {
    const { time, once, answered } = aPacer();
    await time.finish(Promise.all(times(100, () => once())));
    expect(answered.filter((at) => at < 1)).toHaveLength(54);
    expect(answered.at(-1)).toBeGreaterThan(10);
    expect(answered.at(-1)).toBeLessThan(11);
  });

  test('are not refused by an account with the documented bucket, of calls or of instances', async () => {
    const { time, once, refused } = aPacer({ burst: 50, perSecond: 5 });
    await time.finish(Promise.all(times(300, () => once())));
    expect(refused).toEqual([]);
  });

  test('wait for the bucket of instances, too', async () => {
    const { time, once, answered } = aPacer();
    await time.finish(Promise.all(times(3, () => once({ TerminateInstances: 1, 'terminated instances': 500 }))));
    expect(answered.at(-1)).toBeGreaterThan(25);
  });

  test('of another kind do not wait for them', async () => {
    const { time, once, answered } = aPacer();
    const many = times(100, () => once());
    await time.finish(once({ CreateTags: 1 }));
    expect(answered.at(-1)).toBeLessThan(0.2);
    await time.finish(Promise.all(many));
  });
});

for (const { share, most } of [
  { share: 0.2, most: 25 },
  { share: 0.02, most: 40 },
]) {
  test(`an account with a bucket of ${share} of that refuses at most ${most} of 200 calls`, async () => {
    const account = { burst: 50 * share, perSecond: 5 * share };
    const { time, untilAnswered, refused, answered } = aPacer(account);
    await time.finish(Promise.all(times(200, untilAnswered)));
    expect(answered).toHaveLength(200);
    expect(refused.length).toBeLessThanOrEqual(most);
    const fastest = (200 - account.burst) / account.perSecond;
    expect(answered.at(-1)).toBeLessThan(3 * fastest);
  });
}

test('the documented rate comes back when nobody is refused any more', async () => {
  const { time, once, answered } = aPacer();
  const pacer = new CallPacer(time.clock);
  const refuse = () =>
    pacer.run(oneFleet, () => Promise.reject(tooFast), { signal: undefined, isRefusal: () => true }).catch(() => {});
  await time.finish(refuse());
  await time.run(instant(start + minutes(30)));
  const paced = () => pacer.run(oneFleet, () => once({ CreateTags: 1 }), { signal: undefined, isRefusal: () => false });
  await time.finish(Promise.all(times(50, paced)));
  expect(answered.at(-1)).toBeLessThan(minutes(30) / seconds(1) + 2);
});

test('a call that is aborted while it waits leaves the line', async () => {
  const { time, once, answered } = aPacer();
  const abort = new AbortController();
  const many = times(60, () => once());
  const late = once(oneFleet, abort.signal);
  abort.abort(new Error('stop'));
  await expect(time.finish(late)).rejects.toThrow('stop');
  await time.finish(Promise.all(many));
  expect(answered).toHaveLength(60);
});
