import { printMoveBlocker } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { findNamed } from './explanation.ts';
import { describeGroupKind, describeGroupUpdate } from './group-node.ts';

/**
 * How far a NodeGroup is, what it does next, and every gate of a NodeRolloutPolicy that holds the whole group. Gates of single
 * nodes, which an Auto Scaling group has, are told by `explainMachine`.
 */
export function explainNodeGroup(
  name: string,
  { nodeGroups, rollouts = [] }: Pick<ClusterReading, 'nodeGroups'> & Partial<Pick<ClusterReading, 'rollouts'>>,
): Explanation {
  const group = findNamed('NodeGroup', nodeGroups, name);
  const { phase = 'Pending', reason = 'it has not been looked at yet', nodes } = group.status ?? {};
  const held = rollouts.flatMap(({ policy, plan }) =>
    plan.held
      .filter(({ node }) => node === `NodeGroup/${name}`)
      .flatMap(({ blockers }) =>
        blockers.map((blocker) => `NodeRolloutPolicy ${policy} holds it: ${printMoveBlocker(blocker)}`),
      ),
  );
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
