import { behind, type Answer } from './answer.ts';
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
import type { NodeChoice } from '../../placement/node-choice.ts';

/**
 * How a round decides where its rules leave a choice. Every strategy respects all rules: existing nodes before planned ones,
 * planned ones before new ones, heavier NodePools before lighter ones, no preference given up without need.
 */
export type Way = {
  /** The order in which classes of pods are tried. */
  readonly podOrder: PodOrder;
  readonly nodeChoice: NodeChoice;
  /** Which of equally good domains comes first: 0 is the cheapest, 1 the next. */
  readonly firstDomain: number;
};

/** The strategy of Karpenter. Large rounds use only this one. */
export const firstWay: Way = { podOrder: largestFirst, nodeChoice: 'fewestPods', firstDomain: 0 };

const leastRise = (podOrder: PodOrder, firstDomain = 0): Way => ({ podOrder, nodeChoice: 'leastRise', firstDomain });

/** Strategies that have placed more pods, or needed fewer nodes or a lower price; the most successful first. */
export const otherWays: readonly Way[] = [
  leastRise(largestFirst),
  leastRise(dearestFirst),
  leastRise(largestFirst, 1),
  leastRise(kindByKind),
  leastRise(mostMemoryFirst),
  leastRise(mostBoundFirst),
  leastRise(largestFirst, 2),
  leastRise(leastBoundFirst),
  leastRise(kindByKindReversed),
  leastRise(largestFirst, 3),
];

/** The most questions to nodes that a better answer is worth: some hundredths of a second. */
const mostAsked = 100_000;

/** The strategies to try after an answer: none where the answer can hardly improve or each try is much work. */
export function worthTrying(ways: readonly Way[], answer: Answer): readonly Way[] {
  const { classes, placement, newNodes } = answer;
  if (newNodes.length === 0 && behind(answer) === 0) return [];
  const count = classes.reduce((sum, { pods }) => sum + pods.length, 0);
  const work = placement.asked + count * (newNodes.length + 1);
  return ways.filter((way) => canDiffer(way, answer)).slice(0, Math.floor(mostAsked / work));
}

/** Whether a strategy can decide differently: another order of different pods that do not share one node, or another domain. */
function canDiffer({ firstDomain }: Way, answer: Answer): boolean {
  const { classes, placement, newNodes } = answer;
  if (firstDomain > 0) return firstDomain < mostDomains(placement.ground.topology);
  if (newNodes.length < 2 && behind(answer) === 0) return false;
  return classes.length > 1;
}

const mostDomains = ({ domains }: Topology): number => Math.max(0, ...[...domains.values()].map(({ size }) => size));
