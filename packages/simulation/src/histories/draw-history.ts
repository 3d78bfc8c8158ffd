import { seededRandom } from '@nodewright/runtime';
import { drawCluster } from './draw-cluster.ts';
import { drawSteps } from './draw-steps.ts';
import type { History, StepKind } from './history.ts';

export type HistoryBounds = {
  /** About how many nodes the cluster has; drawn from 3 to 8 without. */
  readonly nodes?: number;
  /** The only kind of step. */
  readonly only?: StepKind;
};

/** The history of a seed. */
export function drawHistory(seed: string, { nodes, only }: HistoryBounds = {}): History {
  const random = seededRandom(`history ${seed}`);
  const cluster = drawCluster(random.fork('cluster'), nodes ?? 3 + random.integer(6));
  const minutes = random.pick([360, 720, 1_440, 2_880]);
  const count = 3 + random.integer(Math.ceil(minutes / 60));
  const steps = drawSteps(random.fork('steps'), cluster, { count, minutes, ...(only !== undefined && { only }) });
  return { seed, cluster, steps, minutes };
}
