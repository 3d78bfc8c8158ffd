import { conditionOf, fromTimestamp, instant, minutes, type Instant, type NodeClaim } from '@nodewright/apis';
import { claimCreatedAt } from './created-at.ts';

const limits = {
  Launched: { limitMs: minutes(5), reason: 'launch_timeout' },
  Registered: { limitMs: minutes(15), reason: 'registration_timeout' },
} as const;

/** How long a claim may wait for a condition, and why it is deleted then. */
export const timeoutOf = (type: keyof typeof limits): (typeof limits)[keyof typeof limits] => limits[type];

/** When a claim has waited too long for a condition. */
export function timeoutAt(claim: NodeClaim, type: keyof typeof limits): Instant {
  const since = conditionOf(claim, type)?.lastTransitionTime;
  return instant((since === undefined ? claimCreatedAt(claim) : fromTimestamp(since)) + limits[type].limitMs);
}
