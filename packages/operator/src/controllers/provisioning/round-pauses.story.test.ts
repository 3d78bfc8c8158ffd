import { instant, minutes, nodePools, pods, seconds, type Pod } from '@nodewright/apis';
import { aRunningCluster, aWorld, worldStart, type World } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { RoundPauses } from './round-pauses.ts';

const after = (ms: number) => instant(worldStart + ms);
const without = new Set(['a']);

describe('a pod without a place', () => {
  const news = { count: 1, latest: () => news.count };

  /** Rounds at these seconds found nothing for it. */
  const pausesAfter = (...rounds: readonly number[]): RoundPauses => {
    news.count = 1;
    const pauses = new RoundPauses(news);
    for (const at of rounds)
      pauses.note({ without, until: after(seconds(500)), isIncomplete: false }, pauses.begin(), after(seconds(at)));
    return pauses;
  };
  const restOf = (pauses: RoundPauses, uid = 'a') => pauses.restsUntil(uid, after(seconds(100)));

  test('rests as long as it has waited already', () => {
    expect(restOf(pausesAfter(0))).toBeUndefined();
    expect(restOf(pausesAfter(60, 90))).toBe(after(seconds(120)));
    expect(restOf(pausesAfter(10, 30, 95))).toBe(after(seconds(180)));
  });

  test('rests for five minutes at most, and not beyond the end of a reason', () => {
    expect(restOf(pausesAfter(-3_600, 100))).toBe(after(seconds(400)));
    expect(pausesAfter(-3_600, 300).restsUntil('a', after(seconds(400)))).toBe(after(seconds(500)));
  });

  test('asks at once when no round has seen it, when something has changed, and when something was not read', () => {
    const pauses = pausesAfter(-3_600, 100);
    expect(restOf(pauses, 'b')).toBeUndefined();
    pauses.note({ without, isIncomplete: true }, pauses.begin(), after(seconds(100)));
    expect(restOf(pauses)).toBeUndefined();
    pauses.note({ without, isIncomplete: false }, pauses.begin(), after(seconds(100)));
    expect(restOf(pauses)).toBe(after(seconds(400)));
    news.count += 1;
    expect(restOf(pauses)).toBeUndefined();
  });
});

const roundsOf = async (world: World): Promise<number> => {
  const [line] = await world.metric('karpenter_scheduler_scheduling_duration_seconds_count{controller="provisioner"}');
  return Number(line?.split(' ').at(-1));
};

const misfit: Pod = {
  metadata: { name: 'misfit', namespace: 'default' },
  spec: { containers: [{ name: 'app', image: 'pause' }], nodeSelector: { team: 'other' } },
};

test('a pod that no pool suits asks for few rounds, and gets its node within a quarter of a minute when one does', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const before = await roundsOf(world);
  await world.apply(world.client.create(pods, misfit));
  await world.advance(minutes(15));
  const count = (await roundsOf(world)) - before;
  expect(count).toBeGreaterThanOrEqual(5);
  expect(count).toBeLessThanOrEqual(8);
  const claims = (await world.claims()).length;
  const patch = { spec: { template: { metadata: { labels: { team: 'other' } } } } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.advance(seconds(15));
  expect(await world.claims()).toHaveLength(claims + 1);
  await world.stop();
});
