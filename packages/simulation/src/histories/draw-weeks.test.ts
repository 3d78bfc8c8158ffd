import { byNumber } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { drawHistory } from './draw-history.ts';

const minutesOfWeek = 7 * 24 * 60;

test('each week of an ordinary cluster brings a release of each of its families, in order of time', () => {
  for (const seed of ['a', 'b', 'c', 'd']) {
    const { cluster, steps, minutes } = drawHistory(seed, { weeks: 3 });
    expect(minutes).toBe(3 * minutesOfWeek);
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted(byNumber));
    for (const family of new Set(cluster.pools.map((pool) => pool.family))) {
      const releases = steps.filter((step) => step.do === 'release' && step.family === family);
      const weeks = new Set(releases.map(({ at }) => Math.floor(at / minutesOfWeek)));
      expect([...weeks]).toEqual([0, 1, 2]);
    }
  }
});

test('nodes of an ordinary cluster live for a month or longer, and policies have the waves of their preset', () => {
  for (let nth = 0; nth < 20; nth += 1) {
    const { cluster } = drawHistory(`seed ${nth}`, { weeks: 1, nodes: 4 });
    expect(cluster.pools.every(({ expireAfter }) => ['720h', 'Never'].includes(expireAfter))).toBe(true);
    expect(cluster.policy?.waves).toBeUndefined();
  }
});
