import type { Instant, NodeRolloutPolicy } from '@nodewright/apis';
import { reportPolicy } from '@nodewright/engine';
import type { RolloutPolicySnapshot } from './observe.ts';

/** The policy with the status that it is to have; nothing else follows from a policy yet. */
export const planRolloutPolicy = (seen: RolloutPolicySnapshot, now: Instant): NodeRolloutPolicy => ({
  ...seen.policy,
  status: reportPolicy({ ...seen, now }),
});
