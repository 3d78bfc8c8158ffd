import {
  byTextOf,
  fromTimestamp,
  inOrder,
  type Instant,
  isConditionTrue,
  type NodeClaim,
  type NodePool,
  parseDurationOrNever,
  type Pod,
  quantityUnits,
  byNumberOf,
} from '@nodewright/apis';
import { evictionCost, isDaemonPod, isProtected } from '@nodewright/engine';
import type { ClosedImage } from '../../state/closed-images.ts';

/** A claim of the pool, and the pods on its node. */
export type StaticClaim = {
  readonly claim: NodeClaim;
  readonly pods: readonly Pod[];
  /** Another claim takes over from it: it is no longer one of the pool's number, and its own end is near. */
  readonly isReplaced: boolean;
};

export type StaticPlan =
  | { readonly kind: 'none' }
  /** `held`: how many more there would be if the limit on nodes allowed them. */
  | { readonly kind: 'create'; readonly count: number; readonly held: number }
  | { readonly kind: 'delete'; readonly claims: readonly NodeClaim[] };

/** What brings a pool to its `replicas`. Claims that are leaving still count against its limit on nodes. */
export function planStaticPool(nodePool: NodePool, all: readonly StaticClaim[], now: Instant): StaticPlan {
  const { replicas, limits } = nodePool.spec;
  const staying = all.filter(({ claim, isReplaced }) => claim.metadata.deletionTimestamp === undefined && !isReplaced);
  if (replicas === undefined || staying.length === replicas) return { kind: 'none' };
  if (staying.length > replicas) {
    const surplus = staying.map((each) => rankOf(each, now)).toSorted(leastMissedFirst);
    return { kind: 'delete', claims: surplus.slice(0, staying.length - replicas).map(({ claim }) => claim) };
  }
  if (nodePool.metadata.deletionTimestamp !== undefined || !isConditionTrue(nodePool, 'Ready')) return { kind: 'none' };
  const wanted = replicas - staying.length;
  const room = limits?.['nodes'] === undefined ? wanted : Math.max(0, quantityUnits(limits['nodes']) - all.length);
  const count = Math.min(wanted, room);
  return { kind: 'create', count, held: wanted - count };
}

type StaticHolds = { readonly closed: readonly ClosedImage[]; readonly restsUntil?: Instant };

/** Where machines of the pool do not join, or its claims were not launched, none is created before one may be tried. */
export const withoutFutileCreation = (plan: StaticPlan, { closed, restsUntil }: StaticHolds): StaticPlan =>
  plan.kind === 'create' && (closed.length > 0 || restsUntil !== undefined) ? { kind: 'none' } : plan;

type Ranked = { readonly claim: NodeClaim; readonly rank: { readonly standing: number; readonly cost: number } };

const leastMissedFirst = inOrder<Ranked>(
  byNumberOf(({ rank }) => rank.standing),
  byNumberOf(({ rank }) => rank.cost),
  byTextOf(({ claim }) => claim.metadata.name),
);

/** Without an instance first, then empty ones, then by what moving the pods costs; pods that must not be disturbed last. */
function rankOf({ claim, pods }: StaticClaim, now: Instant): Ranked {
  const isProtecting = pods.some((pod) => isProtected(pod, now));
  const isEmpty = pods.every(isDaemonPod) && !isProtecting;
  const standing = (claim.status?.providerID ?? '') === '' ? 0 : isEmpty ? 1 : isProtecting ? 3 : 2;
  const cost = pods.reduce((sum, pod) => sum + evictionCost(pod), 0) * lifetimeRemaining(claim, now);
  return { claim, rank: { standing, cost } };
}

/** 1 for a new node, 0 for one that is about to expire. */
function lifetimeRemaining({ metadata, spec }: NodeClaim, now: Instant): number {
  const term = parseDurationOrNever(spec.expireAfter ?? 'Never');
  if (term === 'Never' || metadata.creationTimestamp === undefined) return 1;
  const ageMs = now - fromTimestamp(metadata.creationTimestamp);
  return Math.min(1, Math.max(0, (term - ageMs) / term));
}
