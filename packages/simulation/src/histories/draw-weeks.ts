import { byNumberOf } from '@nodewright/apis';
import { type Random, seededRandom } from '@nodewright/runtime';
import { drawCluster } from './draw-cluster.ts';
import { drawSteps } from './draw-steps.ts';
import type { ClusterPlan, History, HistoryStep, PoolPlan, SimulatedPolicy } from './history.ts';

const minutesOfWeek = 7 * 24 * 60;
const usualNodes = 10;
const troublesOfWeek = 2;

/**
 * Weeks of an ordinary cluster: each week brings a release of each family that it runs, and two steps of any kind. Nodes
 * live for a month or longer, and policies have the waves of their preset, which soak for hours or days.
 */
export function drawWeeks(
  seed: string,
  { weeks, nodes = usualNodes }: { readonly weeks: number; readonly nodes?: number },
): History {
  const random = seededRandom(`weeks ${seed}`);
  const ofPolicy = random.fork('policy');
  const drawn = drawCluster(random.fork('cluster'), nodes);
  const cluster: ClusterPlan = {
    ...drawn,
    isTold: true,
    pools: drawn.pools.map((pool) => ({ ...pool, expireAfter: random.pick(['720h', '720h', 'Never']) })),
    ...(ofPolicy.next() < 0.6 && { policy: drawPresetPolicy(ofPolicy) }),
  };
  const minutes = weeks * minutesOfWeek;
  const troubles = drawSteps(random.fork('steps'), cluster, { count: weeks * troublesOfWeek, minutes });
  const releases = Array.from({ length: weeks }, (_, week) =>
    releasesOfWeek(random.fork(`week ${week}`), cluster, week),
  );
  const steps = [...troubles, ...releases.flat()].toSorted(byNumberOf(({ at }) => at));
  return { seed, cluster, steps, minutes };
}

const drawPresetPolicy = (random: Random): SimulatedPolicy => ({
  preset: random.pick(['cautious', 'standard', 'standard', 'fast']),
  ...(random.next() < 0.25 && { onHalt: 'Rollback' as const }),
  ...(random.next() < 0.25 && { window: { schedule: '0 22 * * *', duration: '6h' } }),
});

/** Nine of ten are good. */
const releasesOfWeek = (random: Random, { pools }: ClusterPlan, week: number): readonly HistoryStep[] =>
  [...new Set(pools.map(({ family }: PoolPlan) => family))].map((family) => ({
    at: Math.round((week + random.next()) * minutesOfWeek),
    do: 'release',
    family,
    behavior:
      random.next() < 0.9 ? 'healthy' : random.pick(['neverJoins', 'notReady', 'containersFail', 'stopsRenewing']),
  }));
