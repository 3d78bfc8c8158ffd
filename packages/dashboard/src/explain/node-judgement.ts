import { conditionOf, fromTimestamp, type Instant, minutes, type NodeClaim } from '@nodewright/apis';
import {
  type DisruptionBlocker,
  isMarkedForDeletion,
  nodePoolNameOf,
  type NodeState,
  printedBlocker,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { describeForeignNode } from './foreign-node.ts';
import { answerForGroupNode, findGroupOfNode, type GroupedNode, judgeGroupNode } from './group-node.ts';
import { type ClosedPoolFinder, createClosedPoolFinder } from './budget-opening.ts';
import { type DriftOutlook, readDriftOutlook } from './drift-outlook.ts';
import { createOwnBlockerReader, type OwnBlockerReader } from './node-holds.ts';
import { nodeTroubles } from './node-trouble.ts';

/** What becomes of a node now. The sentence follows its name. */
export type NodeJudgement = { readonly answer: string } & (
  | { readonly kind: 'unmanaged'; readonly grouped?: GroupedNode }
  | { readonly kind: 'replacing' | 'leaving' | 'next' | 'starting' | 'troubled' | 'stays' }
  /** It has drifted, and nothing in the cluster holds it. Whether its pods have another place is not known. */
  | { readonly kind: 'unforeseen' }
  /**
   * It has drifted, and something holds it; `recheckAt` is when time alone may change that. Without the blocker it would be held all
   * the same, by what is `further`, and by the budgets of `closedPool`.
   */
  | {
      readonly kind: 'held';
      readonly blocker?: DisruptionBlocker;
      readonly recheckAt?: Instant;
      readonly further?: readonly DisruptionBlocker[];
      readonly closedPool?: string;
    }
);

export type NodeJudge = (state: NodeState) => NodeJudgement;

/** Judges nodes of one reading. The drift methods run at most once, at the first drifted node. */
export function createNodeJudge(
  reading: Pick<ClusterReading, 'disruption' | 'nodeGroups' | 'nodePools' | 'unsuppliedPools'>,
  now: Instant,
): NodeJudge {
  const { disruption, nodeGroups, unsuppliedPools } = reading;
  let drift: DriftOutlook | undefined;
  const further = { findClosedPool: createClosedPoolFinder(reading, now), holds: createOwnBlockerReader(reading, now) };
  return (state) => {
    const { nodeClaim: claim } = state;
    if (claim === undefined) return judgeUnmanaged(state, nodeTroubles(state, now), nodeGroups);
    if (disruption.queued.has(claim.metadata.name))
      return { kind: 'replacing', answer: 'is being replaced: its replacements come first' };
    if (isMarkedForDeletion(state)) return { kind: 'leaving', answer: 'is leaving' };
    if (conditionOf(claim, 'Drifted')?.status === 'True') {
      if (unsuppliedPools.has(nodePoolNameOf(state) ?? '')) return judgeWithoutTypes(state, further);
      drift ??= readDriftOutlook(disruption, now);
      return judgeDriftedNode(state, drift, further);
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

type FurtherHolds = { readonly findClosedPool: ClosedPoolFinder; readonly holds: OwnBlockerReader };

function judgeDriftedNode(
  state: NodeState,
  { next, blockers, recheckAt }: DriftOutlook,
  further: FurtherHolds,
): NodeJudgement {
  if (next.has(state)) return { kind: 'next', answer: 'has drifted and is replaced next' };
  const blocker = blockers.get(state);
  const held = blocker === undefined ? judgeForeignDrift : judgeHeldNode(state, blocker, further);
  return { ...held, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

const judgeForeignDrift = {
  kind: 'held',
  answer: 'has drifted and is not replaced now: its pool is not disrupted for drift',
} as const;

function judgeHeldNode(state: NodeState, blocker: DisruptionBlocker, { findClosedPool, holds }: FurtherHolds) {
  const further = holds.listFurther(state, blocker);
  const closedPool = blocker.kind === 'budget' ? undefined : findClosedPool(state);
  return {
    kind: 'held',
    answer: `has drifted and is not replaced now: ${printedBlocker(blocker)}`,
    blocker,
    ...(further.length === 0 ? {} : { further }),
    ...(closedPool === undefined ? {} : { closedPool }),
  } as const;
}

/** The controllers know the instance types of its pool, this reader does not. */
function judgeWithoutTypes(state: NodeState, further: FurtherHolds): NodeJudgement {
  const blocker = further.holds.findFirst(state);
  return blocker === undefined
    ? {
        kind: 'unforeseen',
        answer: `has drifted, and nothing in the cluster holds it; ${describeUnsuppliedPool(nodePoolNameOf(state))}`,
      }
    : judgeHeldNode(state, blocker, further);
}

/** What cannot be told where AWS does not answer this reader. */
export const describeUnsuppliedPool = (pool = '(none)'): string =>
  `where its pods could go is not known here, because AWS does not tell the instance types of NodePool ${pool}`;

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
