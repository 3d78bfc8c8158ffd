import {
  conditionFalse,
  conditionTrue,
  nodeClaimConditions,
  withCondition,
  type Instant,
  type NodeClaim,
} from '@nodewright/apis';
import { listShapeProblems } from './node-shape.ts';
import type { InitializedClaim } from './observe.ts';

export type ConsistencyPlan = { readonly after: NodeClaim; readonly problems: readonly string[] };

/** The claim with its condition ConsistentStateFound as it has to be. */
export function planConsistency({ claim, node }: InitializedClaim, now: Instant): ConsistencyPlan {
  const problems = listShapeProblems(claim, node);
  const found =
    problems.length === 0
      ? conditionTrue('ConsistentStateFound')
      : conditionFalse(
          'ConsistentStateFound',
          'ConsistencyCheckFailed',
          `Consistency Check Failed: ${problems.join('; ')}`,
        );
  return { after: withCondition(nodeClaimConditions, claim, found, now), problems };
}
