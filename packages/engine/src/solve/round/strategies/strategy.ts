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
 * How a round decides where its rules leave a choice. Every way keeps to all rules: existing nodes before planned ones,
 * planned ones before new ones, heavier NodePools before lighter ones, no preference given up without need.
 */
export type Way = {
  /** Who is tried before whom. */
  readonly podOrder: PodOrder;
  readonly nodeChoice: NodeChoice;
  /** Which domain comes first where no rule tells one from another: the cheapest, or one after it. */
  readonly firstDomain: number;
};

/** As Karpenter goes about it. Large rounds are decided in this way alone. */
export const firstWay: Way = { podOrder: largestFirst, nodeChoice: 'fewestPods', firstDomain: 0 };

const leastRise = (podOrder: PodOrder, firstDomain = 0): Way => ({ podOrder, nodeChoice: 'leastRise', firstDomain });

/** Others that have led to fewer pods left behind, fewer nodes or a lower price, those that do so most often first. */
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

/** How often nodes are asked whether they take a pod for the sake of a better answer: some hundredths of a second. */
const mostAsked = 100_000;

/** The first of some ways that are worth their work after an answer: none where it can hardly be better, or is much work. */
export function worthTrying(ways: readonly Way[], answer: Answer): readonly Way[] {
  const { classes, placement, newNodes } = answer;
  if (newNodes.length === 0 && behind(answer) === 0) return [];
  const count = classes.reduce((sum, { pods }) => sum + pods.length, 0);
  const work = placement.asked + count * (newNodes.length + 1);
  return ways.filter((way) => canDiffer(way, answer)).slice(0, Math.floor(mostAsked / work));
}

/** Whether a way has anything to decide otherwise: another order among pods that differ and do not all go to one node, or another domain. */
function canDiffer({ firstDomain }: Way, answer: Answer): boolean {
  const { classes, placement, newNodes } = answer;
  if (firstDomain > 0) return firstDomain < mostDomains(placement.ground.topology);
  if (newNodes.length < 2 && behind(answer) === 0) return false;
  return classes.length > 1;
}

const mostDomains = ({ domains }: Topology): number => Math.max(0, ...[...domains.values()].map(({ size }) => size));
