import { conditionOf, type Instant } from '@nodewright/apis';
import { nodeNameOf, nodePoolNameOf } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { troubled } from './condition-words.ts';
import { budgetsNow } from './explain-budget.ts';
import { explainNode } from './explain-node.ts';
import { type Explanation, named } from './explanation.ts';

/** Whether a NodePool launches, what it may disrupt, and what each of its nodes waits for. */
export function explainNodePool(
  name: string,
  reading: Pick<ClusterReading, 'nodePools' | 'nodeClaims' | 'disruption'>,
  now: Instant,
): Explanation {
  const pool = named('NodePool', reading.nodePools, name);
  const { nodes, supplies } = reading.disruption;
  const supply = supplies.find(({ nodePool }) => nodePool.metadata.name === name);
  const ready = conditionOf(pool, 'Ready')?.status === 'True';
  const own = nodes.filter((state) => nodePoolNameOf(state) === name).map(nodeNameOf);
  const budgets = budgetsNow(pool, nodes, now);
  return {
    subject: { kind: 'NodePool', name },
    answer: ready
      ? `launches nodes of ${supply?.instanceTypes.length ?? 0} instance types, as EC2NodeClass ${pool.spec.template.spec.nodeClassRef.name} says`
      : 'launches nothing now',
    reasons: [
      ...troubled(pool.status?.conditions),
      `may disrupt now: ${budgets.answer}`,
      ...budgets.reasons,
      ...own.map((node) => `${node} ${explainNode(node, reading, now).answer}`),
    ],
  };
}
