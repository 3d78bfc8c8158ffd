import {
  type DisruptionPause,
  fromTimestamp,
  type Instant,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  latestPerItem,
  type NodePool,
  oncePerItem,
  type PausedReason,
  type Pod,
  selectableLabels,
} from '@nodewright/apis';
import {
  boughtLabelsOf,
  isInitialized,
  isMarkedForDeletion,
  isNominated,
  nodeAnnotationsOf,
  nodePoolNameOf,
  type NodeState,
} from '../../cluster/node-state.ts';
import { isProtected, protectionOf } from '../../pods/do-not-disrupt.ts';
import { isReschedulable } from '../../pods/pod-state.ts';
import type { InstanceType } from '../../instance-types/instance-type.ts';
import type { PoolSupply } from '../../instance-types/pool-supply.ts';
import { findPause, printPause } from '../../pauses/find-pause.ts';
import { boughtOffering } from './bought-offering.ts';
import type { DisruptionBlocker } from './disruption-blocker.ts';
import { rescheduleCostOf } from './disruption-cost.ts';
import type { EvictionRules } from '../evictions/pod-disruption-budgets.ts';

/** A node that may be disrupted, with its price and disruption cost. */
export type DisruptionCandidate = {
  readonly state: NodeState;
  readonly nodePool: NodePool;
  /** Absent when the cloud does not know the type any more. */
  readonly instanceType?: InstanceType;
  readonly zone?: string;
  readonly capacityType?: string;
  /** Pods that need a place elsewhere. */
  readonly reschedulable: readonly Pod[];
  /** The price of the node in millionths of a US dollar per hour; 0 when it is unknown. */
  readonly priceMicroUsdPerHour: number;
  readonly rescheduleCost: number;
};

/** Whether pods that must not go hold a node back (`graceful`) or only until its termination grace period ends (`eventual`). */
export type DisruptionClass = 'graceful' | 'eventual';

/** What decides whether a node is held, whatever could be launched instead of it. */
export type CandidacyQuestion = {
  /** Names of claims that a running command already disrupts. */
  readonly queued: ReadonlySet<string>;
  readonly rules: EvictionRules;
  readonly disruptionClass: DisruptionClass;
  /** Why it would be disrupted. */
  readonly reason: PausedReason;
  readonly pauses?: readonly DisruptionPause[] | undefined;
  /** Claims whose nodes rollouts watch, with the name of the rollout. */
  readonly watched?: ReadonlyMap<string, string> | undefined;
  readonly now: Instant;
};

export type CandidateContext = CandidacyQuestion & { readonly supplies: readonly PoolSupply[] };

export type DisruptionCandidacy =
  | { readonly kind: 'candidate'; readonly candidate: DisruptionCandidate }
  | { readonly kind: 'blocked'; readonly blocker: DisruptionBlocker };

/** Whether a node may be disrupted; otherwise the first blocker. */
export function candidacyOf(state: NodeState, context: CandidateContext): DisruptionCandidacy {
  const supply = context.supplies.find(({ nodePool }) => nodePool.metadata.name === nodePoolNameOf(state));
  return judgeCandidacy(readStanding(state), context, () => supply && readCandidate(state, supply));
}

/**
 * Everything about a node itself that keeps it, what `candidacyOf` would tell first: its own state, a pause, a rollout, each pod.
 * Neither budgets of its pool nor whether its pods have another place.
 */
export function listOwnBlockers(
  state: NodeState,
  nodePool: NodePool | undefined,
  context: CandidacyQuestion,
): readonly DisruptionBlocker[] {
  const standing = readStanding(state);
  return [
    nodeBlocker(standing, context) ?? [],
    heldBlocker(standing, nodePool, context) ?? [],
    ...listPodBlockers(standing, context),
  ].flat();
}

/** The same of each node. What follows from a node alone is read once, however many passes ask. */
export function candidaciesOf(states: readonly NodeState[], context: CandidateContext): readonly DisruptionCandidacy[] {
  const candidates = candidatesIn(states, context);
  return standingsOf(states).map((standing, index) => judgeCandidacy(standing, context, () => candidates[index]));
}

function judgeCandidacy(
  standing: NodeStanding,
  context: CandidateContext,
  candidate: () => DisruptionCandidate | undefined,
): DisruptionCandidacy {
  const supply = context.supplies.find(({ nodePool }) => nodePool.metadata.name === standing.nodePool);
  const blocker =
    nodeBlocker(standing, context) ??
    poolBlocker(standing, supply) ??
    heldBlocker(standing, supply?.nodePool, context) ??
    podBlocker(standing, context);
  if (blocker !== undefined) return { kind: 'blocked', blocker };
  const found = candidate();
  if (found === undefined) return { kind: 'blocked', blocker: { kind: 'noNodePoolLabel' } };
  return { kind: 'candidate', candidate: found };
}

/** What a node says of its disruption, whatever the time and the rest of the cluster are. */
type NodeStanding = {
  readonly state: NodeState;
  readonly claimName: string | undefined;
  readonly nodePool: string | undefined;
  readonly stage: DisruptionBlocker | undefined;
  /** By an annotation of the node. */
  readonly isHeld: boolean;
  /** Few nodes have any. */
  readonly podsWithProtection: readonly Pod[];
};

const readStanding = (state: NodeState): NodeStanding => ({
  state,
  claimName: state.nodeClaim?.metadata.name,
  nodePool: nodePoolNameOf(state),
  stage: stageBlocker(state),
  isHeld: nodeAnnotationsOf(state)[karpenterAnnotations.doNotDisrupt] === 'true',
  podsWithProtection: state.pods.filter((pod) => protectionOf(pod).kind !== 'none'),
});

const standingsOf = oncePerItem(readStanding);

function nodeBlocker(
  { state, claimName, stage, isHeld }: NodeStanding,
  { queued, now }: CandidacyQuestion,
): DisruptionBlocker | undefined {
  if (claimName === undefined) return { kind: 'unmanaged' };
  if (queued.has(claimName)) return { kind: 'queued' };
  if (stage !== undefined) return stage;
  if (isNominated(state, now)) return { kind: 'nominated' };
  return isHeld ? { kind: 'doNotDisruptNode' } : undefined;
}

function stageBlocker(state: NodeState): DisruptionBlocker | undefined {
  if (state.node === undefined) return { kind: 'noNode' };
  if (!isInitialized(state)) return { kind: 'uninitialized' };
  return isMarkedForDeletion(state) ? { kind: 'leaving' } : undefined;
}

function poolBlocker({ nodePool: name }: NodeStanding, supply: PoolSupply | undefined): DisruptionBlocker | undefined {
  if (name === undefined) return { kind: 'noNodePoolLabel' };
  if (supply === undefined) return { kind: 'nodePoolNotFound', nodePool: name };
  return supply.instanceTypes.length === 0 ? { kind: 'noInstanceTypes', nodePool: name } : undefined;
}

/** What people and rollouts keep. */
function heldBlocker(
  { claimName = '' }: NodeStanding,
  nodePool: NodePool | undefined,
  { pauses = [], watched, reason, now }: CandidacyQuestion,
): DisruptionBlocker | undefined {
  const pause = pauses.length === 0 ? undefined : findPauseOfPool(pauses, nodePool, { reason, now });
  if (pause !== undefined) {
    const { until } = pause.spec;
    return {
      kind: 'paused',
      pause: printPause(pause),
      ...(until === undefined ? {} : { until: fromTimestamp(until) }),
    };
  }
  const rollout = reason === 'Drifted' ? undefined : watched?.get(claimName);
  return rollout === undefined ? undefined : { kind: 'rolloutMember', rollout };
}

const findPauseOfPool = (
  pauses: readonly DisruptionPause[],
  pool: NodePool | undefined,
  { reason, now }: Pick<CandidacyQuestion, 'reason' | 'now'>,
): DisruptionPause | undefined =>
  findPause(pauses, { kind: 'NodePool', labels: pool === undefined ? {} : selectableLabels(pool) }, reason, now);

/** Pods hold a node back unless it will be forced anyway when its grace period ends. */
function podBlocker(standing: NodeStanding, context: CandidacyQuestion): DisruptionBlocker | undefined {
  const { state, podsWithProtection } = standing;
  const { rules, now } = context;
  if (isForcedAnyway(standing, context)) return undefined;
  const held = podsWithProtection.find((pod) => isProtected(pod, now));
  if (held !== undefined) return blockerOfProtection(held);
  if (rules.areNone) return undefined;
  for (const pod of state.pods) {
    const eviction = rules.blockerOf(pod, now);
    if (eviction !== undefined) return { kind: 'eviction', pod, eviction };
  }
  return undefined;
}

/** All of them, with the budgets of pods that are protected besides. */
function listPodBlockers(standing: NodeStanding, context: CandidacyQuestion): readonly DisruptionBlocker[] {
  const { state, podsWithProtection } = standing;
  const { rules, now } = context;
  if (isForcedAnyway(standing, context)) return [];
  return [
    ...podsWithProtection.filter((pod) => isProtected(pod, now)).map(blockerOfProtection),
    ...state.pods.flatMap((pod): readonly DisruptionBlocker[] => {
      const eviction = rules.blockerIfUnprotected(pod);
      return eviction === undefined ? [] : [{ kind: 'eviction', pod, eviction }];
    }),
  ];
}

const isForcedAnyway = ({ state }: NodeStanding, { disruptionClass }: CandidacyQuestion): boolean =>
  disruptionClass === 'eventual' && state.nodeClaim?.spec.terminationGracePeriod !== undefined;

function blockerOfProtection(pod: Pod): DisruptionBlocker {
  const protection = protectionOf(pod);
  const until = protection.kind === 'limited' ? protection.until : undefined;
  return { kind: 'protectedPod', pod, ...(until === undefined ? {} : { until }) };
}

/** Passes follow each other while most nodes stay as they are. */
const candidatesIn = latestPerItem(
  (state: NodeState, { supplies }: Pick<CandidateContext, 'supplies'>): DisruptionCandidate | undefined => {
    const name = nodePoolNameOf(state);
    const supply = supplies.find(({ nodePool }) => nodePool.metadata.name === name);
    return supply && readCandidate(state, supply);
  },
  (before, now) =>
    before.supplies === now.supplies ||
    (before.supplies.length === now.supplies.length &&
      before.supplies.every((supply, index) => isSameSupply(supply, now.supplies[index]))),
);

const isSameSupply = (before: PoolSupply, now: PoolSupply | undefined): boolean =>
  before.nodePool === now?.nodePool && before.instanceTypes === now.instanceTypes;

function readCandidate(state: NodeState, { nodePool, instanceTypes }: PoolSupply): DisruptionCandidate {
  const labels = boughtLabelsOf(state);
  const zone = labels[kubernetesLabels.zone];
  const capacityType = labels[karpenterLabels.capacityType];
  const { instanceType, offering } = boughtOffering(state, instanceTypes) ?? {};
  return {
    state,
    nodePool,
    ...(instanceType === undefined ? {} : { instanceType }),
    ...(zone === undefined ? {} : { zone }),
    ...(capacityType === undefined ? {} : { capacityType }),
    reschedulable: state.pods.filter(isReschedulable),
    priceMicroUsdPerHour: offering?.priceMicroUsdPerHour ?? 0,
    rescheduleCost: rescheduleCostOf(state),
  };
}
