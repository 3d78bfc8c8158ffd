import {
  byText,
  byTextOf,
  conditionOf,
  type Instant,
  type NodeClaim,
  type NodeGroup,
  type NodeGroupBlocker,
  type NodePool,
  oncePerObject,
  toTimestamp,
} from '@nodewright/apis';
import {
  type DisruptionBlocker,
  type MoveBlocker,
  nodeNameOf,
  nodePoolNameOf,
  type NodeState,
  podName,
  poolCounts,
  printedBlocker,
  printMoveBlocker,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { listDrainBlockers } from '../explain/drain-blockers.ts';
import type { GroupedNode } from '../explain/group-node.ts';
import type { NodeJudgement } from '../explain/node-judgement.ts';
import type { JudgedNode, NodeJudges } from '../explain/node-judges.ts';
import type { GovernedNode } from '../explain/rollout-gates.ts';
import type { BlockerCause, BlockerRow, CauseObject } from '../rows/dashboard-rows.ts';
import { describeClosedPool, findBudgetOpening } from '../explain/budget-opening.ts';
import { nameGroupOfNode } from './node-group.ts';

/** Each node that should move and does not, with everything that keeps it. By id. */
export function viewBlockers(reading: ClusterReading, judges: NodeJudges, now: Instant): readonly BlockerRow[] {
  const opensAt = createOpeningReader(reading, now);
  return reading.disruption.nodes
    .flatMap((state) => viewBlockedNode(state, { ...judges(state), reading, opensAt, now }))
    .toSorted(byTextOf(({ id }) => id));
}

/** When the budgets of the pool of a node first let one go, by their schedules. */
type OpeningReader = (state: NodeState) => Instant | undefined;

function createOpeningReader({ nodePools, disruption }: ClusterReading, now: Instant): OpeningReader {
  const pools = new Map(nodePools.map((pool) => [pool.metadata.name, pool]));
  const opensAt = oncePerObject((pool: NodePool) =>
    findBudgetOpening(pool, poolCounts(pool.metadata.name, disruption.nodes).total, now),
  );
  return (state) => {
    const pool = pools.get(nodePoolNameOf(state) ?? '');
    return pool === undefined ? undefined : opensAt(pool);
  };
}

type NodeFindings = JudgedNode & {
  readonly reading: ClusterReading;
  readonly opensAt: OpeningReader;
  readonly now: Instant;
};

function viewBlockedNode(state: NodeState, findings: NodeFindings): readonly BlockerRow[] {
  const { judgement, governed, reading, now } = findings;
  const causes = judgement.kind === 'leaving' ? causesOfDrain(state, reading, now) : causesOfStay(state, findings);
  if (causes.length === 0) return [];
  const name = nodeNameOf(state);
  const since = sinceWhen(state, judgement, governed);
  return [
    {
      id: name,
      node: name,
      group: governed?.node.object ?? nameGroupOfNode(state, judgement),
      because: whyItShouldMove(state.nodeClaim, judgement, governed),
      ...(since === undefined ? {} : { since }),
      causes,
      explain: `node/${name}`,
    },
  ];
}

const causesOfStay = (
  state: NodeState,
  { judgement, governed, opensAt }: Pick<NodeFindings, keyof JudgedNode | 'opensAt'>,
): readonly BlockerCause[] => [
  ...(judgement.kind === 'held' ? [causeOfDrift(judgement.blocker, () => opensAt(state))] : []),
  ...(judgement.kind === 'held' ? (judgement.further ?? []).map((blocker) => causeOfDrift(blocker, never)) : []),
  ...(judgement.kind === 'held' && judgement.closedPool !== undefined ? [causeOfClosedPool(judgement.closedPool)] : []),
  ...(governed?.blockers ?? []).map((blocker) => causeOfGate(blocker, governed)),
  ...(judgement.kind === 'unmanaged' && judgement.grouped !== undefined
    ? causesOfGroup(state, judgement.grouped, governed)
    : []),
];

/** The budgets of a pool are told by themselves. */
const never = (): undefined => undefined;

/** What holds a node that its NodeGroup is to replace. What a policy holds is told with its gates. */
function causesOfGroup(
  state: NodeState,
  { group, standing }: GroupedNode,
  governed: GovernedNode | undefined,
): readonly BlockerCause[] {
  if (standing === 'current') return [];
  const { phase, reason = 'it has not been looked at yet' } = group.status ?? {};
  const own = listGroupBlockers(state, group);
  if (own.length > 0 || standing === 'leaving' || phase === 'Updating' || governed !== undefined)
    return own.map((blocker) => causeOfGroupBlocker(blocker, group));
  return [{ cause: 'nodeGroup', message: reason, object: { kind: 'NodeGroup', name: group.metadata.name } }];
}

const listGroupBlockers = (state: NodeState, { status }: NodeGroup): readonly NodeGroupBlocker[] =>
  (status?.blockedBy ?? []).filter(({ node }) => node === undefined || node === nodeNameOf(state));

function causeOfGroupBlocker(
  { message, namespace, podDisruptionBudget }: NodeGroupBlocker,
  { metadata }: NodeGroup,
): BlockerCause {
  return podDisruptionBudget === undefined
    ? { cause: 'nodeGroup', message, object: { kind: 'NodeGroup', name: metadata.name } }
    : {
        cause: 'eviction',
        message,
        object: { kind: 'PodDisruptionBudget', name: [namespace, podDisruptionBudget].filter(Boolean).join('/') },
      };
}

function causeOfDrift(blocker: DisruptionBlocker | undefined, opensAt: () => Instant | undefined): BlockerCause {
  if (blocker === undefined) return { cause: 'pool', message: 'its pool is not disrupted for drift' };
  const object = objectOfBlocker(blocker);
  return {
    cause: blocker.kind,
    message: printedBlocker(blocker),
    ...(object === undefined ? {} : { object }),
    ...('until' in blocker && blocker.until !== undefined ? { until: toTimestamp(blocker.until) } : {}),
    ...(blocker.kind === 'budget' && blocker.allowed === 0 ? describeOpening(opensAt()) : {}),
  };
}

const causeOfClosedPool = (pool: string): BlockerCause => ({
  cause: 'budget',
  message: describeClosedPool(pool),
  object: { kind: 'NodePool', name: pool },
  isLasting: true,
});

const describeOpening = (at: Instant | undefined): Pick<BlockerCause, 'until' | 'isLasting'> =>
  at === undefined ? { isLasting: true } : { until: toTimestamp(at) };

function causeOfGate(blocker: MoveBlocker, governed: GovernedNode | undefined): BlockerCause {
  return {
    cause: blocker.gate,
    message: printMoveBlocker(blocker),
    ...(governed === undefined ? {} : { object: { kind: 'NodeRolloutPolicy', name: governed.outlook.policy } }),
    ...(blocker.until === undefined ? {} : { until: toTimestamp(blocker.until) }),
  };
}

const causesOfDrain = (state: NodeState, { disruption }: ClusterReading, now: Instant): readonly BlockerCause[] =>
  listDrainBlockers(state, disruption, now).map(({ pod, message, budgets }) => ({
    cause: budgets.length > 0 ? 'eviction' : 'protectedPod',
    message,
    object:
      budgets.length > 0
        ? { kind: 'PodDisruptionBudget', name: budgets.join(', ') }
        : { kind: 'Pod', name: podName(pod) },
  }));

/** The object to look at: the one that a person would change. */
function objectOfBlocker(blocker: DisruptionBlocker): CauseObject | undefined {
  switch (blocker.kind) {
    case 'protectedPod':
      return { kind: 'Pod', name: podName(blocker.pod) };
    case 'eviction':
      return { kind: 'PodDisruptionBudget', name: blocker.eviction.budgets.join(', ') };
    case 'budget':
    case 'nodePoolNotFound':
    case 'noInstanceTypes':
    case 'surplusNodes':
    case 'nodeLimit':
      return { kind: 'NodePool', name: blocker.nodePool };
    case 'unschedulablePods':
      return { kind: 'Pod', name: blocker.pods.map(({ pod }) => podName(pod)).join(', ') };
    case 'uninitializedDestination':
      return { kind: 'Node', name: blocker.node };
    case 'paused':
      return { kind: 'DisruptionPause', name: /^DisruptionPause ([^:]+)/.exec(blocker.pause)?.[1] ?? blocker.pause };
    case 'rolloutMember':
      return { kind: 'NodeRollout', name: blocker.rollout };
    case 'waiting':
      return { kind: 'Node', name: blocker.behind };
    case 'unmanaged':
    case 'queued':
    case 'noNode':
    case 'uninitialized':
    case 'leaving':
    case 'nominated':
    case 'doNotDisruptNode':
    case 'noNodePoolLabel':
      return undefined;
  }
}

const driftOf = (claim: NodeClaim | undefined) => (claim === undefined ? undefined : conditionOf(claim, 'Drifted'));

function whyItShouldMove(
  claim: NodeClaim | undefined,
  judgement: NodeJudgement,
  governed: GovernedNode | undefined,
): string {
  if (judgement.kind === 'leaving') return 'it is leaving';
  if (judgement.kind === 'unmanaged' && judgement.grouped !== undefined && governed === undefined)
    return describeGroupMove(judgement.grouped.group);
  const drift = driftOf(claim);
  if (drift?.status === 'True') return drift.reason ?? 'Drifted';
  return governed?.outlook.plan.policyStatus.rollout ?? `NodeRolloutPolicy ${governed?.outlook.policy ?? ''}`;
}

const describeGroupMove = ({ metadata, status }: NodeGroup): string =>
  `NodeGroup ${metadata.name}: ${status?.target?.release ?? status?.target?.image ?? 'its update'}`;

function sinceWhen(state: NodeState, judgement: NodeJudgement, governed: GovernedNode | undefined): string | undefined {
  const claim = state.nodeClaim;
  if (judgement.kind === 'leaving') return claim?.metadata.deletionTimestamp;
  if (judgement.kind === 'unmanaged' && judgement.grouped !== undefined && governed === undefined)
    return listGroupBlockers(state, judgement.grouped.group)
      .map(({ since }) => since)
      .toSorted(byText)[0];
  const drift = driftOf(claim);
  if (drift?.status === 'True') return drift.lastTransitionTime;
  const rollout = governed?.outlook.plan.policyStatus.rollout;
  return rollout === undefined ? undefined : governed?.outlook.plan.statuses.get(rollout)?.startedAt;
}
