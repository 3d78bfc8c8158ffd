import { conditionOf, fromTimestamp, type Instant, minutes, type NodeClaim } from '@nodewright/apis';
import { type DisruptionBlocker, isMarkedForDeletion, type NodeState, printedBlocker } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { describeForeignNode } from './foreign-node.ts';
import { answerForGroupNode, findGroupOfNode, type GroupedNode, judgeGroupNode } from './group-node.ts';
import { type ClosedPoolFinder, createClosedPoolFinder } from './budget-opening.ts';
import { type DriftOutlook, readDriftOutlook } from './drift-outlook.ts';
import { nodeTroubles } from './node-trouble.ts';

/** What becomes of a node now. The sentence follows its name. */
export type NodeJudgement = { readonly answer: string } & (
  | { readonly kind: 'unmanaged'; readonly grouped?: GroupedNode }
  | { readonly kind: 'replacing' | 'leaving' | 'next' | 'starting' | 'troubled' | 'stays' }
  /**
   * It has drifted, and something holds it; `recheckAt` is when time alone may change that. `closedPool`: without the blocker the
   * budgets of that pool would hold it all the same.
   */
  | {
      readonly kind: 'held';
      readonly blocker?: DisruptionBlocker;
      readonly recheckAt?: Instant;
      readonly closedPool?: string;
    }
);

export type NodeJudge = (state: NodeState) => NodeJudgement;

/** Judges nodes of one reading. The drift methods run at most once, at the first drifted node. */
export function createNodeJudge(
  { disruption, nodeGroups }: Pick<ClusterReading, 'disruption' | 'nodeGroups'>,
  now: Instant,
): NodeJudge {
  let drift: DriftOutlook | undefined;
  const findClosedPool = createClosedPoolFinder(disruption, now);
  return (state) => {
    const { nodeClaim: claim } = state;
    if (claim === undefined) return judgeUnmanaged(state, nodeTroubles(state, now), nodeGroups);
    if (disruption.queued.has(claim.metadata.name))
      return { kind: 'replacing', answer: 'is being replaced: its replacements come first' };
    if (isMarkedForDeletion(state)) return { kind: 'leaving', answer: 'is leaving' };
    if (conditionOf(claim, 'Drifted')?.status === 'True') {
      drift ??= readDriftOutlook(disruption, now);
      return judgeDriftedNode(state, drift, findClosedPool);
    }
    const troubles = nodeTroubles(state, now);
    return isStarting(claim, now) ? judgeStart(troubles) : judgeTrouble(troubles);
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
    ...(group === undefined ? {} : { grouped: judgeGroupNode(state, group) }),
    answer:
      trouble === undefined
        ? (own ?? `is left alone: ${alone}`)
        : `does not work as it should: ${trouble}; ${own === undefined ? alone : `it ${own}`}`,
  };
}

function judgeDriftedNode(
  state: NodeState,
  { next, blockers, recheckAt }: DriftOutlook,
  findClosedPool: ClosedPoolFinder,
): NodeJudgement {
  if (next.has(state)) return { kind: 'next', answer: 'has drifted and is replaced next' };
  const blocker = blockers.get(state);
  const closedPool = blocker === undefined || blocker.kind === 'budget' ? undefined : findClosedPool(state);
  const because = blocker === undefined ? 'its pool is not disrupted for drift' : printedBlocker(blocker);
  return {
    kind: 'held',
    answer: `has drifted and is not replaced now: ${because}`,
    ...(blocker === undefined ? {} : { blocker }),
    ...(recheckAt === undefined ? {} : { recheckAt }),
    ...(closedPool === undefined ? {} : { closedPool }),
  };
}

/** As long as the liveness timeout of a launch: what has not come up by then, does not. */
const startingMs = minutes(15);

const isStarting = (claim: NodeClaim, now: Instant): boolean =>
  conditionOf(claim, 'Initialized')?.status !== 'True' &&
  claim.metadata.creationTimestamp !== undefined &&
  now - fromTimestamp(claim.metadata.creationTimestamp) < startingMs;

/** No kubelet is ready at once. */
const judgeStart = ([trouble = 'it is not initialized yet']: readonly string[]): NodeJudgement => ({
  kind: 'starting',
  answer: `is starting: ${trouble}`,
});

function judgeTrouble([trouble]: readonly string[]): NodeJudgement {
  return trouble === undefined
    ? { kind: 'stays', answer: 'stays: it is what its NodePool and NodeClass ask for' }
    : {
        kind: 'troubled',
        answer: `does not work as it should: ${trouble}; its NodePool and NodeClass ask for nothing else`,
      };
}
