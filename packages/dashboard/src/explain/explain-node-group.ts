import { printMoveBlocker } from '@nodewright/engine';
import type { ClusterReading, RolloutOutlook } from '@nodewright/operator';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { findNamed } from './explanation.ts';
import { describeGroupKind, describeGroupUpdate } from './group-node.ts';

/**
 * How far a NodeGroup is, what it does next, and every gate of a NodeRolloutPolicy that holds the whole group, or nodes of an Auto
 * Scaling group. Which node a gate holds is told by `explainMachine`.
 */
export function explainNodeGroup(
  name: string,
  { nodeGroups, rollouts = [] }: Pick<ClusterReading, 'nodeGroups'> & Partial<Pick<ClusterReading, 'rollouts'>>,
): Explanation {
  const group = findNamed('NodeGroup', nodeGroups, name);
  const { phase = 'Pending', reason = 'it has not been looked at yet', nodes } = group.status ?? {};
  const held = rollouts.flatMap((outlook) => describeHolds(`NodeGroup/${name}`, outlook));
  return {
    subject: { kind: 'NodeGroup', name },
    answer: `is ${phase}: ${reason}`,
    reasons: [
      describeGroupKind(group),
      ...(nodes === undefined
        ? []
        : [`${nodes.updated} of ${nodes.total} nodes run what it is to run, ${nodes.ready} are Ready`]),
      ...describeGroupUpdate(group),
      ...held,
    ],
    seeAlso: `nodewright nodegroup plan ${name} tells what an update would do`,
  };
}

function describeHolds(id: string, { policy, plan, snapshot }: RolloutOutlook): readonly string[] {
  const own = new Set(snapshot.nodes.filter(({ object }) => object === id).map((node) => node.name));
  const counts = new Map<string, number>();
  for (const { node, blockers } of plan.held)
    if (own.has(node))
      for (const blocker of blockers.map(printMoveBlocker)) counts.set(blocker, (counts.get(blocker) ?? 0) + 1);
  const whole = plan.held.filter(({ node }) => node === id).flatMap(({ blockers }) => blockers.map(printMoveBlocker));
  return [
    ...whole.map((blocker) => `NodeRolloutPolicy ${policy} holds it: ${blocker}`),
    ...[...counts].map(([blocker, count]) => `NodeRolloutPolicy ${policy} holds ${countWord(count)} of it: ${blocker}`),
  ];
}

const countWord = (count: number): string => `${count} ${count === 1 ? 'node' : 'nodes'}`;
