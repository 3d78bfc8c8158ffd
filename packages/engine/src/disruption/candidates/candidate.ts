import {
  type DisruptionPause,
  fromTimestamp,
  type Instant,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  latestPerObject,
  type NodePool,
  oncePerObject,
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

export type CandidateContext = {
  readonly supplies: readonly PoolSupply[];
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

export type DisruptionCandidacy =
  | { readonly kind: 'candidate'; readonly candidate: DisruptionCandidate }
  | { readonly kind: 'blocked'; readonly blocker: DisruptionBlocker };

/** Whether a node may be disrupted; otherwise the first blocker. */
export function candidacyOf(state: NodeState, context: CandidateContext): DisruptionCandidacy {
  const pool = nodePoolNameOf(state);
  const supply = context.supplies.find(({ nodePool }) => nodePool.metadata.name === pool);
  const blocker =
    nodeBlocker(state, context) ??
    poolBlocker(state, supply) ??
    heldBlocker(state, supply, context) ??
    podBlocker(state, context);
  if (blocker !== undefined) return { kind: 'blocked', blocker };
  if (supply === undefined) return { kind: 'blocked', blocker: { kind: 'noNodePoolLabel' } };
  return { kind: 'candidate', candidate: candidateOf(state, supply) };
}

function nodeBlocker(state: NodeState, { queued, now }: CandidateContext): DisruptionBlocker | undefined {
  if (state.nodeClaim === undefined) return { kind: 'unmanaged' };
  if (queued.has(state.nodeClaim.metadata.name)) return { kind: 'queued' };
  const { stage, isHeld } = standingOf(state);
  if (stage !== undefined) return stage;
  if (isNominated(state, now)) return { kind: 'nominated' };
  return isHeld ? { kind: 'doNotDisruptNode' } : undefined;
}

/** What a node says of its disruption, whatever the time and the rest of the cluster are. Passes ask for it again and again. */
const standingOf = oncePerObject((state: NodeState) => ({
  stage: stageBlocker(state),
  isHeld: nodeAnnotationsOf(state)[karpenterAnnotations.doNotDisrupt] === 'true',
  /** Few nodes have any. */
  podsWithProtection: state.pods.filter((pod) => protectionOf(pod).kind !== 'none'),
}));

function stageBlocker(state: NodeState): DisruptionBlocker | undefined {
  if (state.node === undefined) return { kind: 'noNode' };
  if (!isInitialized(state)) return { kind: 'uninitialized' };
  return isMarkedForDeletion(state) ? { kind: 'leaving' } : undefined;
}

function poolBlocker(state: NodeState, supply: PoolSupply | undefined): DisruptionBlocker | undefined {
  const name = nodePoolNameOf(state);
  if (name === undefined) return { kind: 'noNodePoolLabel' };
  if (supply === undefined) return { kind: 'nodePoolNotFound', nodePool: name };
  return supply.instanceTypes.length === 0 ? { kind: 'noInstanceTypes', nodePool: name } : undefined;
}

/** What people and rollouts keep. */
function heldBlocker(
  { nodeClaim }: NodeState,
  supply: PoolSupply | undefined,
  { pauses = [], watched, reason, now }: CandidateContext,
): DisruptionBlocker | undefined {
  const labels = supply === undefined ? {} : selectableLabels(supply.nodePool);
  const pause = pauses.length === 0 ? undefined : findPause(pauses, { kind: 'NodePool', labels }, reason, now);
  if (pause !== undefined) {
    const { until } = pause.spec;
    return {
      kind: 'paused',
      pause: printPause(pause),
      ...(until === undefined ? {} : { until: fromTimestamp(until) }),
    };
  }
  const rollout = reason === 'Drifted' ? undefined : watched?.get(nodeClaim?.metadata.name ?? '');
  return rollout === undefined ? undefined : { kind: 'rolloutMember', rollout };
}

/** Pods hold a node back unless it will be forced anyway when its grace period ends. */
function podBlocker(
  state: NodeState,
  { rules, disruptionClass, now }: CandidateContext,
): DisruptionBlocker | undefined {
  const isForced = state.nodeClaim?.spec.terminationGracePeriod !== undefined;
  if (disruptionClass === 'eventual' && isForced) return undefined;
  const held = standingOf(state).podsWithProtection.find((pod) => isProtected(pod, now));
  if (held !== undefined) {
    const protection = protectionOf(held);
    const until = protection.kind === 'limited' ? protection.until : undefined;
    return { kind: 'protectedPod', pod: held, ...(until === undefined ? {} : { until }) };
  }
  if (rules.areNone) return undefined;
  for (const pod of state.pods) {
    const eviction = rules.blockerOf(pod, now);
    if (eviction !== undefined) return { kind: 'eviction', pod, eviction };
  }
  return undefined;
}

/** Passes follow each other while a node stays as it is. */
const candidateOf = latestPerObject(
  readCandidate,
  (before: PoolSupply, now) => before.nodePool === now.nodePool && before.instanceTypes === now.instanceTypes,
);

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
