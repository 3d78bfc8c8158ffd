import {
  conditionFalse,
  conditionOf,
  conditionUnknown,
  earliest,
  instant,
  isConditionTrue,
  minutes,
  seconds,
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
import type { ClaimSnapshot } from './observe.ts';
import { timeoutOf, timeoutAt } from './timeouts.ts';

const identityRetryMs = seconds(5);

/** What a claim needs next on its way to an initialized node, or out of the cluster. */
export function planNodeClaim(seen: ClaimSnapshot, now: Instant): ClaimPlan {
  const { claim } = seen;
  if (claim.metadata.deletionTimestamp !== undefined) return planFinalization(seen);
  if (!isAdopted(claim))
    return { action: { kind: 'adopt', because: 'nothing is launched before the finalizer is stored' } };
  if (!isConditionTrue(claim, 'Launched')) return planUnlaunched(seen, now);
  if (!isConditionTrue(claim, 'Registered')) return planRegistration(seen, now);
  if (seen.node !== undefined && claim.status?.nodeName !== seen.node.metadata.name) {
    return { action: { kind: 'register', node: seen.node, because: 'the node of its instance has another name' } };
  }
  return isConditionTrue(claim, 'Initialized') ? {} : planInitialization(seen);
}

/** Whatever it waits for, nothing else may wake it: it is looked at again when its time is up. */
function planUnlaunched(seen: ClaimSnapshot, now: Instant): ClaimPlan {
  const limit = timeout(seen.claim, 'Launched', now);
  if (limit.action !== undefined) return limit;
  const plan = planLaunch(seen, now);
  if (plan.action?.kind === 'delete') return plan;
  const recheckAt = earliest(plan.recheckAt, limit.recheckAt);
  return { ...plan, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

function planRegistration({ claim, node, strangers, keptUntil }: ClaimSnapshot, now: Instant): ClaimPlan {
  const isKept = keptUntil !== undefined && now < keptUntil;
  const expired = isKept ? { recheckAt: keptUntil } : timeout(claim, 'Registered', now);
  const isHalfDone = node !== undefined && isRegisteredNode(node);
  if (expired.action !== undefined && !isHalfDone) return expired;
  if (node !== undefined) return { action: { kind: 'register', node, because: `node ${node.metadata.name} joined` } };
  if (strangers.length === 0) return { ...expired, ...markCondition(claim, nodeNotFound('Registered')) };
  return { ...markCondition(claim, unprovenNodes(strangers)), recheckAt: instant(now + identityRetryMs) };
}

function planInitialization({ claim, node }: ClaimSnapshot): ClaimPlan {
  if (node === undefined) return markCondition(claim, nodeNotFound('Initialized'));
  const blocker = initializationBlocker(claim, node);
  if (blocker !== undefined) return markCondition(claim, blocker);
  return { action: { kind: 'initialize', node, because: `node ${node.metadata.name} is ready` } };
}

/** Deletes a claim that has waited too long for a condition; else says when that would be. */
function timeout(claim: NodeClaim, type: 'Launched' | 'Registered', now: Instant): ClaimPlan {
  const { limitMs, reason } = timeoutOf(type);
  const due = timeoutAt(claim, type);
  if (now < due) return { recheckAt: due };
  const because = `${type} was not reached within ${limitMs / minutes(1)} minutes`;
  return { action: { kind: 'delete', reason, because } };
}

function markCondition(claim: NodeClaim, condition: ConditionUpdate): ClaimPlan {
  const now = conditionOf(claim, condition.type);
  const isTold = now?.status === condition.status && now.reason === condition.reason;
  return isTold ? {} : { action: { kind: 'mark', condition, because: condition.message ?? '' } };
}

/** No Node is taken for the claim's before EC2 says that its instance has this name. */
function unprovenNodes(strangers: readonly Node[]): ConditionUpdate {
  const names = strangers.map(({ metadata }) => metadata.name).join(', ');
  const because = `EC2 does not confirm that the instance of this claim is a node of this name: ${names}`;
  return strangers.length > 1
    ? conditionFalse('Registered', 'MultipleNodesFound', `Invariant violated, matched multiple nodes: ${because}`)
    : conditionUnknown('Registered', 'NodeNotConfirmed', because);
}
