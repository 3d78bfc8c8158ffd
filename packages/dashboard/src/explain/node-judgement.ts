import { conditionOf, type Instant } from '@nodewright/apis';
import { type DisruptionBlocker, isMarkedForDeletion, type NodeState, printedBlocker } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { describeForeignNode } from './foreign-node.ts';
import { answerForGroupNode, findGroupOfNode } from './group-node.ts';
import { type DriftOutlook, readDriftOutlook } from './drift-outlook.ts';
import { nodeTroubles } from './node-trouble.ts';

/** What becomes of a node now. The sentence follows its name. */
export type NodeJudgement = { readonly answer: string } & (
  | { readonly kind: 'unmanaged' | 'replacing' | 'leaving' | 'next' | 'troubled' | 'stays' }
  /** It has drifted, and something holds it; `recheckAt` is when time alone may change that. */
  | { readonly kind: 'held'; readonly blocker?: DisruptionBlocker; readonly recheckAt?: Instant }
);

export type NodeJudge = (state: NodeState) => NodeJudgement;

/** Judges nodes of one reading. The drift methods run at most once, at the first drifted node. */
export function createNodeJudge(
  { disruption, nodeGroups }: Pick<ClusterReading, 'disruption' | 'nodeGroups'>,
  now: Instant,
): NodeJudge {
  let drift: DriftOutlook | undefined;
  return (state) => {
    const { nodeClaim: claim } = state;
    if (claim === undefined) return judgeUnmanaged(state, nodeTroubles(state, now), nodeGroups);
    if (disruption.queued.has(claim.metadata.name))
      return { kind: 'replacing', answer: 'is being replaced: its replacements come first' };
    if (isMarkedForDeletion(state)) return { kind: 'leaving', answer: 'is leaving' };
    if (conditionOf(claim, 'Drifted')?.status === 'True') {
      drift ??= readDriftOutlook(disruption, now);
      return judgeDriftedNode(state, drift);
    }
    return judgeTrouble(nodeTroubles(state, now));
  };
}

function judgeUnmanaged(
  state: NodeState,
  [trouble]: readonly string[],
  nodeGroups: ClusterReading['nodeGroups'],
): NodeJudgement {
  const group = findGroupOfNode(state, nodeGroups);
  const own = group === undefined ? undefined : answerForGroupNode(state, group);
  const alone = describeForeignNode(state);
  return {
    kind: 'unmanaged',
    answer:
      trouble === undefined
        ? (own ?? `is left alone: ${alone}`)
        : `does not work as it should: ${trouble}; ${own === undefined ? alone : `it ${own}`}`,
  };
}

function judgeDriftedNode(state: NodeState, { next, blockers, recheckAt }: DriftOutlook): NodeJudgement {
  if (next.has(state)) return { kind: 'next', answer: 'has drifted and is replaced next' };
  const blocker = blockers.get(state);
  const because = blocker === undefined ? 'its pool is not disrupted for drift' : printedBlocker(blocker);
  return {
    kind: 'held',
    answer: `has drifted and is not replaced now: ${because}`,
    ...(blocker === undefined ? {} : { blocker }),
    ...(recheckAt === undefined ? {} : { recheckAt }),
  };
}

function judgeTrouble([trouble]: readonly string[]): NodeJudgement {
  return trouble === undefined
    ? { kind: 'stays', answer: 'stays: it is what its NodePool and NodeClass ask for' }
    : {
        kind: 'troubled',
        answer: `does not work as it should: ${trouble}; its NodePool and NodeClass ask for nothing else`,
      };
}
