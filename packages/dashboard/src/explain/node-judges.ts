import { type Instant, oncePerObject } from '@nodewright/apis';
import { nodeNameOf, type NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { createNodeJudge, type NodeJudgement } from './node-judgement.ts';
import { createGateReader, type GovernedNode } from './rollout-gates.ts';

/** What is said of one node: by its pool and class, and by the policy that governs it. */
export type JudgedNode = { readonly judgement: NodeJudgement; readonly governed: GovernedNode | undefined };

export type NodeJudges = (state: NodeState) => JudgedNode;

/** Everything that judges the nodes of one reading, for views that ask about all of them: each node is judged once. */
export function createNodeJudges(reading: ClusterReading, now: Instant): NodeJudges {
  const judge = createNodeJudge(reading, now);
  const readGates = createGateReader(reading.rollouts, now);
  return oncePerObject((state: NodeState) => {
    const name = nodeNameOf(state);
    return {
      judgement: judge(state),
      governed: readGates([name, state.nodeClaim?.metadata.name ?? name]),
    };
  });
}
