import {
  conditionOf,
  fromTimestamp,
  instant,
  isConditionTrue,
  type ConditionUpdate,
  type Instant,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { ClaimPlan } from './action.ts';
import { isAdopted } from './adoption.ts';
import { nodeNotFound } from './node-not-found.ts';
import { planFinalization } from './finalization.ts';
import { initializationBlocker } from './initialization.ts';
import { planLaunch } from './launch-plan.ts';
import { isRegisteredNode } from './node-sync.ts';
import { createdAt, type ClaimSnapshot } from './observe.ts';

const launchTimeoutMs = 5 * 60_000;
const registrationTimeoutMs = 15 * 60_000;

/** What a claim needs next on its way to an initialized node, or out of the cluster. */
export function planClaim(seen: ClaimSnapshot, now: Instant): ClaimPlan {
  const { claim } = seen;
  if (claim.metadata.deletionTimestamp !== undefined) return planFinalization(seen);
  if (!isAdopted(claim))
    return { action: { kind: 'adopt', because: 'nothing is launched before the finalizer is stored' } };
  if (!isConditionTrue(claim, 'Launched')) return planUnlaunched(seen, now);
  if (!isConditionTrue(claim, 'Registered')) return planRegistration(seen, now);
  return isConditionTrue(claim, 'Initialized') ? {} : planInitialization(seen);
}

/** Whatever it waits for, nothing else may wake it: it is looked at again when its time is up. */
function planUnlaunched(seen: ClaimSnapshot, now: Instant): ClaimPlan {
  const limit = timeout(seen.claim, 'Launched', now);
  if (limit.action !== undefined) return limit;
  const plan = planLaunch(seen, now);
  if (plan.action?.kind === 'delete') return plan;
  return { ...plan, recheckAt: instant(Math.min(plan.recheckAt ?? Infinity, limit.recheckAt ?? Infinity)) };
}

function planRegistration({ claim, nodes }: ClaimSnapshot, now: Instant): ClaimPlan {
  const [node, second] = nodes;
  const expired = timeout(claim, 'Registered', now);
  const isHalfDone = node !== undefined && second === undefined && isRegisteredNode(node);
  if (expired.action !== undefined && !isHalfDone) return expired;
  if (second !== undefined) return mark(claim, multipleNodes(nodes));
  if (node !== undefined) return { action: { kind: 'register', node, because: `node ${node.metadata.name} joined` } };
  return { ...expired, ...mark(claim, nodeNotFound('Registered')) };
}

function planInitialization({ claim, nodes }: ClaimSnapshot): ClaimPlan {
  const [node, second] = nodes;
  if (node === undefined || second !== undefined) return mark(claim, nodeNotFound('Initialized'));
  const blocker = initializationBlocker(claim, node);
  if (blocker !== undefined) return mark(claim, blocker);
  return { action: { kind: 'initialize', node, because: `node ${node.metadata.name} is ready` } };
}

/** Deletes a claim that has waited too long for a condition; else says when that would be. */
function timeout(claim: NodeClaim, type: 'Launched' | 'Registered', now: Instant): ClaimPlan {
  const { limitMs, reason } = limits[type];
  const since = conditionOf(claim, type)?.lastTransitionTime;
  const due = instant((since === undefined ? createdAt(claim) : fromTimestamp(since)) + limitMs);
  if (now < due) return { recheckAt: due };
  const because = `${type} was not reached within ${limitMs / 60_000} minutes`;
  return { action: { kind: 'delete', reason, because } };
}

const limits = {
  Launched: { limitMs: launchTimeoutMs, reason: 'launch_timeout' },
  Registered: { limitMs: registrationTimeoutMs, reason: 'registration_timeout' },
} as const;

function mark(claim: NodeClaim, condition: ConditionUpdate): ClaimPlan {
  const now = conditionOf(claim, condition.type);
  const isTold = now?.status === condition.status && now.reason === condition.reason;
  return isTold ? {} : { action: { kind: 'mark', condition, because: condition.message ?? '' } };
}

const multipleNodes = (nodes: readonly Node[]): ConditionUpdate => ({
  type: 'Registered',
  status: 'False',
  reason: 'MultipleNodesFound',
  message: `several nodes carry the provider id of this claim: ${nodes.map(({ metadata }) => metadata.name).join(', ')}`,
});
