import { drainedFirst, podBudgets, protectedPods, taintedFirst } from './draining-rules.ts';
import { poolBudgets, protectedNodes, replacementsFirst } from './disruption-rules.ts';
import type { Invariant, WorldStep } from './invariant.ts';
import { allowedImages, knownImages, oneLaunch, poolLimits } from './launch-rules.ts';
import {
  haltedTargets,
  paceOfPolicies,
  pausesHold,
  provenUpstream,
  seatsOfWaves,
  surgeOfPolicies,
  targetsInSeats,
} from './rollout-rules.ts';
import { comesToRest, endsWithClaim, oneLeader, reasonToLeave, risingVersions } from './lifecycle-rules.ts';

/** What holds in every world, in the order of the documentation. */
export const invariants: readonly Invariant[] = [
  poolBudgets,
  protectedNodes,
  replacementsFirst,
  reasonToLeave,
  taintedFirst,
  protectedPods,
  podBudgets,
  drainedFirst,
  oneLaunch,
  allowedImages,
  knownImages,
  poolLimits,
  seatsOfWaves,
  haltedTargets,
  targetsInSeats,
  paceOfPolicies,
  surgeOfPolicies,
  pausesHold,
  provenUpstream,
  endsWithClaim,
  oneLeader,
  risingVersions,
  comesToRest,
];

/** An invariant that does not hold, and what breaks it. */
export type BrokenInvariant = { readonly id: string; readonly message: string };

export const findBroken = (step: WorldStep): readonly BrokenInvariant[] =>
  invariants.flatMap(({ id, check }) => check(step).map((message) => ({ id, message })));
