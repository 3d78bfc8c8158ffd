import * as fc from 'fast-check';
import type { Pod } from '@nodewright/apis';
import {
  aLoosePool,
  aSnapshot,
  boundPod,
  judgementOfTest,
  launchedNode,
  runningCluster,
  searchSinglyIn,
  searchTogetherIn,
  someProblem,
  violations,
} from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { SchedulingProblem } from '../../solve/problem.ts';
import type { ConsolidationJudgement } from './consider.ts';
import { worstLaunchPrice } from './launch-price.ts';
import { moveNodePrice, type ConsolidationMove } from '../moves/move.ts';

import { checkMove } from './validate.ts';

/** A cluster that runs what a problem asked for, dearer than it has to be, and of which some workloads have gone. */
type Leftover = {
  readonly problem: SchedulingProblem;
  readonly gone: readonly number[];
  readonly dice: readonly number[];
};

const leftovers = (): fc.Arbitrary<Leftover> =>
  fc.record({
    problem: someProblem(),
    gone: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 4 }),
    dice: fc.array(fc.nat({ max: 1_000 }), { minLength: 30, maxLength: 30 }),
  });

function chanceFrom(dice: readonly number[]): (most: number) => number {
  let thrown = 0;
  return (most) => {
    thrown += 1;
    return (dice[thrown % dice.length] ?? 0) % most;
  };
}

function clusterOf({ problem, gone, dice }: Leftover, chance = chanceFrom(dice)): readonly NodeState[] {
  const isGone = ({ metadata }: Pod): boolean => gone.includes(Number(metadata.name.slice(3, 4)));
  return runningCluster({ ...problem, nodes: [] }, chance).map((state) => ({
    ...state,
    pods: state.pods.filter((pod) => !isGone(pod)),
  }));
}

const judgementOf = ({ problem }: Leftover, nodes: readonly NodeState[]): ConsolidationJudgement =>
  judgementOfTest(
    aSnapshot(nodes, {
      supplies: problem.nodePools.map(({ nodePool, instanceTypes }) => ({
        nodePool: aLoosePool(nodePool.metadata.name, {
          ...nodePool.spec,
          ...nodePool.spec.template.spec,
          labels: nodePool.spec.template.metadata?.labels ?? {},
        }),
        instanceTypes,
      })),
      daemonPods: problem.daemonPods,
    }),
    true,
  );

const nextMove = (judgement: ConsolidationJudgement): ConsolidationMove | undefined =>
  (searchTogetherIn(judgement).found ?? searchSinglyIn(judgement).found)?.move;

/** The cluster once the move is made. */
function after(
  nodes: readonly NodeState[],
  move: ConsolidationMove,
  step: number,
  chance: (most: number) => number,
): readonly NodeState[] {
  const going = new Set(move.candidates.map(({ state }) => state));
  const taken = new Map(move.destinations.map(({ node, pods }) => [node, pods]));
  return [
    ...nodes
      .filter((state) => !going.has(state))
      .map((state) => ({
        ...state,
        pods: [...state.pods, ...(taken.get(state) ?? []).map((pod) => boundPod(pod, nodeNameOf(state)))],
      })),
    ...move.replacements.map((newNode, index) => launchedNode(newNode, `step-${step}-${index}`, chance)),
  ];
}

const podNames = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name).toSorted();

const everyPodOf = (nodes: readonly NodeState[]) => nodes.flatMap(({ pods }) => pods);

test('every move finds a place for each pod, breaks no rule, and pays; and moves come to an end', () => {
  let moves = 0;
  fc.assert(
    fc.property(leftovers(), (leftover) => {
      const chance = chanceFrom(leftover.dice);
      let nodes = clusterOf(leftover);
      const names = podNames(everyPodOf(nodes));
      for (let step = 0; ; step++) {
        expect(step).toBeLessThan(40);
        const judgement = judgementOf(leftover, nodes);
        const move = nextMove(judgement);
        if (move === undefined) return;
        moves += 1;
        const going = new Set(move.candidates.map(({ state }) => state));
        const staying = nodes.filter((state) => !going.has(state));
        const placed = [...move.destinations, ...move.replacements].flatMap(({ pods }) => pods);
        expect(podNames(placed)).toEqual(podNames(move.candidates.flatMap(({ reschedulable }) => reschedulable)));
        const problem = { ...leftover.problem, nodes: staying, pods: placed };
        const before = new Set(violations({ ...problem, nodes, pods: [] }, nothingPlaced));
        const result = { ...nothingPlaced, newNodes: move.replacements, existing: move.destinations };
        expect(violations(problem, result).filter((broken) => !before.has(broken) && !isSkew(broken))).toEqual([]);
        for (const { instanceTypes, requirements } of move.replacements)
          for (const type of instanceTypes)
            expect(worstLaunchPrice(type, requirements)).toBeLessThan(moveNodePrice(move.candidates));
        expect('move' in checkMove(move, judgement)).toBe(true);
        nodes = after(nodes, move, step, chance);
        expect(podNames(everyPodOf(nodes))).toEqual(names);
      }
    }),
    { numRuns: 50, seed: 29 },
  );
  expect(moves).toBeGreaterThan(40);
});

/** Spreads bind where a pod comes to, not where it leaves: the laws of `schedule` hold that. */
const isSkew = (broken: string): boolean => broken.includes(' is skewed: ');

const nothingPlaced = { newNodes: [], existing: [], waiting: [], unschedulable: [], deferred: [], unreached: [] };

test('the order in which nodes and pools are listed changes nothing', () => {
  fc.assert(
    fc.property(leftovers(), (leftover) => {
      const nodes = clusterOf(leftover);
      const judgement = judgementOf(leftover, nodes);
      const { seen } = judgement;
      const turned = {
        ...judgement,
        seen: { ...seen, nodes: nodes.toReversed(), supplies: seen.supplies.toReversed() },
      };
      const written = (move: ConsolidationMove | undefined) =>
        move && {
          candidates: move.candidates.map(({ state }) => nodeNameOf(state)),
          types: move.replacements.map(({ instanceTypes }) => instanceTypes.map(({ name }) => name)),
        };
      expect(written(nextMove(turned))).toEqual(written(nextMove(judgement)));
    }),
    { numRuns: 30, seed: 31 },
  );
});
