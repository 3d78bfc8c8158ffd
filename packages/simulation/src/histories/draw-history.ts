import { byNumberOf } from '@nodewright/apis';
import { type Random, seededRandom } from '@nodewright/runtime';
import { drawCluster } from './draw-cluster.ts';
import { drawPolicy } from './draw-policy.ts';
import { drawSteps } from './draw-steps.ts';
import { drawWeeks } from './draw-weeks.ts';
import type { ClusterPlan, History, HistoryStep, StepKind } from './history.ts';

export type HistoryBounds = {
  /** About how many nodes the cluster has; drawn from 3 to 8 without. */
  readonly nodes?: number;
  /** The only kind of step. */
  readonly only?: StepKind;
  /** How many weeks of an ordinary cluster; a few hours full of troubles without. */
  readonly weeks?: number;
};

/** The history of a seed. */
export function drawHistory(seed: string, { nodes, only, weeks }: HistoryBounds = {}): History {
  if (weeks !== undefined) return drawWeeks(seed, { weeks, ...(nodes !== undefined && { nodes }) });
  const random = seededRandom(`history ${seed}`);
  const drawn = {
    ...drawCluster(random.fork('cluster'), nodes ?? 3 + random.integer(6)),
    ...(random.fork('told').next() < 0.3 && { isTold: true }),
  };
  const ofPolicy = random.fork('policy');
  const cluster = ofPolicy.next() < 0.6 ? { ...drawn, policy: drawPolicy(ofPolicy) } : drawn;
  const minutes = random.pick([120, 240, 480, 1_440]);
  const count = 4 + random.integer(13);
  const steps = drawSteps(random.fork('steps'), cluster, { count, minutes, ...(only !== undefined && { only }) });
  const proofs = drawProofs(random.fork('proofs'), cluster, { minutes, only });
  return { seed, cluster, steps: [...steps, ...proofs].toSorted(byNumberOf(({ at }) => at)), minutes };
}

/** A policy that waits for another cluster is worth looking at when that one says something. */
function drawProofs(
  random: Random,
  cluster: ClusterPlan,
  { minutes, only }: { readonly minutes: number; readonly only: StepKind | undefined },
): readonly HistoryStep[] {
  if (cluster.policy?.isPromoted !== true || (only !== undefined && only !== 'prove')) return [];
  return drawSteps(random, cluster, { count: 2 + random.integer(4), minutes, only: 'prove' });
}
