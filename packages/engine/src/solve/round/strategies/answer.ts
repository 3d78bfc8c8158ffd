import type { RoundPlacement, RoundTotals } from '../../placement/placement.ts';
import type { ClassifiedPod, ClassifiedPods, PodClass } from '../../pods/pod-class.ts';
import type { ExistingPlacement, NewNode, UnschedulablePod } from '../../problem.ts';
import { globalMinimum } from '../../topology/allowed-domains.ts';
import type { TopologyGroup } from '../../topology/topology-group.ts';
import { cheapestPrice } from '../../types/type-table.ts';

/** Pods without a place, in the order of their last try. `unreached` pods were not tried before the time was up. */
export type PodsLeft = {
  readonly refused: readonly ClassifiedPod[];
  readonly deferred: readonly ClassifiedPod[];
  readonly unreached: readonly ClassifiedPod[];
};

/** The result of one strategy for a round. */
export type RoundAnswer = {
  /** All pods of the round. */
  readonly classes: readonly ClassifiedPods[];
  readonly placement: RoundPlacement;
  readonly left: PodsLeft;
  /** Pods that stay with the node that is promised to them, although it does not admit them. */
  readonly waiting: readonly ExistingPlacement[];
  readonly newNodes: readonly NewNode[];
  /** Pods whose planned node could not be finished. */
  readonly undone: readonly UnschedulablePod[];
};

/** How many pods have no place. */
export const countPodsLeft = ({ left, undone }: RoundAnswer): number =>
  left.refused.length + left.deferred.length + left.unreached.length + undone.length;

/**
 * Whether an answer is better than another: it leaves fewer pods without a place, and none of higher priority; or it
 * leaves pods of the same classes, respects at least as many preferences, uses existing nodes and heavier
 * NodePools at least as much, and needs fewer nodes for no higher price or costs less for no more nodes. An answer that
 * exceeds more spreads in the end is never better.
 */
export function isBetterAnswer(answer: RoundAnswer, than: RoundAnswer): boolean {
  if (exceededSpreads(answer) > exceededSpreads(than)) return false;
  const [a, b] = [countPodsLeft(answer), countPodsLeft(than)];
  if (a !== b) return a < b && highestPriority(answer) <= highestPriority(than);
  if (!costsLess(answer, than)) return false;
  return isAtMost(leftByClass(answer), leftByClass(than)) && isAtMost(countForgone(answer), countForgone(than));
}

/** How many required spreads are exceeded in the end. Selected pods that do not state the spread may exceed it. */
function exceededSpreads({ classes, placement }: RoundAnswer): number {
  const strict = new Set(placement.ground.topology.strictSpreads);
  const exceeded = new Set<TopologyGroup>();
  for (const { podClass } of classes)
    for (const { group, podDomains } of podClass.forms[0]?.stakes ?? []) {
      if (strict.has(group) && group.fullest - globalMinimum(group, podDomains) > group.spec.maxSkew)
        exceeded.add(group);
    }
  return exceeded.size;
}

export const anyTotals: RoundTotals = { nodes: Infinity, price: Infinity, asked: Infinity };

/** The most questions to nodes that a better answer is worth: some hundredths of a second. */
export const questionLimit = 100_000;

/** What a better answer may not exceed: the nodes of one that leaves no pod. Another may need more for pods that it places. */
export const totalsToBeat = (answer: RoundAnswer): RoundTotals =>
  countPodsLeft(answer) > 0
    ? { ...anyTotals, asked: questionLimit }
    : { nodes: answer.newNodes.length, price: priceOfNodes(answer.newNodes), asked: questionLimit };

function costsLess({ newNodes: a }: RoundAnswer, { newNodes: b }: RoundAnswer): boolean {
  const [price, other] = [priceOfNodes(a), priceOfNodes(b)];
  return a.length <= b.length && price <= other && (a.length < b.length || price < other);
}

const priceOfNodes = (nodes: readonly NewNode[]): number =>
  nodes.reduce(
    (sum, { instanceTypes: [cheapest], requirements }) =>
      sum + (cheapest === undefined ? 0 : cheapestPrice(cheapest, requirements)),
    0,
  );

const highestPriority = ({ left, undone }: RoundAnswer): number =>
  [...left.refused, ...left.deferred, ...left.unreached, ...undone].reduce(
    (highest, { pod }) => Math.max(highest, pod.spec.priority ?? 0),
    -Infinity,
  );

/** Numbers of pods without a place, by class. Two answers to one round list classes in the same order. */
function leftByClass({ classes, left }: RoundAnswer): readonly number[] {
  const counts = new Map<PodClass, number>(classes.map(({ podClass }) => [podClass, 0]));
  for (const { podClass } of [...left.refused, ...left.deferred]) counts.set(podClass, (counts.get(podClass) ?? 0) + 1);
  return [...counts.values()];
}

/** What an answer gives up. Each of these counts ranks before the price. */
function countForgone({ classes, placement, newNodes }: RoundAnswer): readonly number[] {
  const preferences = classes.map(({ podClass }) => placement.givenUp.get(podClass) ?? 0);
  const relaxed = newNodes.filter(({ minValuesRelaxed }) => minValuesRelaxed).length;
  return [...preferences, relaxed, ...podsOnLighterPools(newNodes, placement)];
}

/** How many pods are not on existing nodes; then not on those or the heaviest pools; then the next weight; and so on. */
function podsOnLighterPools(newNodes: readonly NewNode[], { ground }: RoundPlacement): readonly number[] {
  const weights = new Set(ground.templates.map(({ nodePool }) => nodePool.spec.weight ?? 0));
  return [Infinity, ...weights].map((weight) =>
    newNodes.reduce((sum, { nodePool, pods }) => sum + ((nodePool.spec.weight ?? 0) < weight ? pods.length : 0), 0),
  );
}

const isAtMost = (amounts: readonly number[], others: readonly number[]): boolean =>
  amounts.every((amount, index) => amount <= (others[index] ?? 0));
