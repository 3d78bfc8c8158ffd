import { countPodsLeft, questionLimit, type RoundAnswer } from './answer.ts';
import type { Topology } from '../../topology/topology.ts';
import {
  dearestFirst,
  kindByKind,
  kindByKindReversed,
  largestFirst,
  leastBoundFirst,
  mostBoundFirst,
  mostMemoryFirst,
  type PodOrder,
} from './pod-orders.ts';
import type { PlannedNodePreference } from '../../placement/node-choice.ts';

/**
 * How a round decides where its rules leave a choice. Every strategy respects all rules: existing nodes before planned ones,
 * planned ones before new ones, heavier NodePools before lighter ones, no preference given up without need.
 */
export type SolveStrategy = {
  /** The order in which classes of pods are tried. */
  readonly podOrder: PodOrder;
  readonly nodeChoice: PlannedNodePreference;
  /** Which of equally good domains comes first: 0 is the cheapest, 1 the next. */
  readonly firstDomain: number;
};

/** The strategy of Karpenter. */
export const firstStrategy: SolveStrategy = { podOrder: largestFirst, nodeChoice: 'fewestPods', firstDomain: 0 };

const leastRiseStrategy = (podOrder: PodOrder, firstDomain = 0): SolveStrategy => ({
  podOrder,
  nodeChoice: 'leastRise',
  firstDomain,
});

/**
 * Strategies that have placed more pods, or needed fewer nodes or a lower price; the most successful first. That which takes
 * room to spare asks few nodes, so that large rounds can be decided with it, too.
 */
export const otherStrategies: readonly SolveStrategy[] = [
  { podOrder: mostBoundFirst, nodeChoice: 'roomToSpare', firstDomain: 0 },
  leastRiseStrategy(largestFirst),
  leastRiseStrategy(dearestFirst),
  leastRiseStrategy(largestFirst, 1),
  leastRiseStrategy(kindByKind),
  leastRiseStrategy(mostMemoryFirst),
  leastRiseStrategy(mostBoundFirst),
  leastRiseStrategy(largestFirst, 2),
  leastRiseStrategy(leastBoundFirst),
  leastRiseStrategy(kindByKindReversed),
  leastRiseStrategy(largestFirst, 3),
];

/** The strategies to try after an answer: none where the answer can hardly improve, and none for which too many nodes would be asked. */
export function strategiesWorthTrying(ways: readonly SolveStrategy[], answer: RoundAnswer): readonly SolveStrategy[] {
  const { classes, placement, newNodes } = answer;
  if (newNodes.length === 0 && countPodsLeft(answer) === 0) return [];
  const count = classes.reduce((sum, { pods }) => sum + pods.length, 0);
  const worth: SolveStrategy[] = [];
  let asked = 0;
  for (const way of ways) {
    const work = placement.asked + count * (way.nodeChoice === 'leastRise' ? newNodes.length + 1 : 1);
    if (asked + work > questionLimit || !canDiffer(way, answer)) continue;
    worth.push(way);
    asked += work;
  }
  return worth;
}

/** Whether a strategy can decide differently: another order of different pods that do not share one node, or another domain. */
function canDiffer({ firstDomain }: SolveStrategy, answer: RoundAnswer): boolean {
  const { classes, placement, newNodes } = answer;
  if (firstDomain > 0) return firstDomain < mostTopologyDomains(placement.ground.topology);
  if (newNodes.length < 2 && countPodsLeft(answer) === 0) return false;
  return classes.length > 1;
}

const mostTopologyDomains = ({ domains }: Topology): number =>
  Math.max(0, ...[...domains.values()].map(({ size }) => size));
