import { type Instant, minutes } from '@nodewright/apis';
import type { RolloutNode } from '@nodewright/engine';

/** Evidence grows without anything that tells of it: for so long a look at a rollout under way is good. */
const movingLookPeriodMs = minutes(1);
const restingLookPeriodMs = minutes(5);

/** A comparison with peers is looked at each time that exposure has doubled: after half an hour, that is half an hour. */
const soakingMs = minutes(30);

/**
 * How long a look at a rollout under way is good, in milliseconds: longer while its nodes only soak. Changes of claims, nodes and
 * pods wake the controller anyway, and what has an instant of its own (soak, windows, limits of signals) is not waited for.
 * @param nodes all nodes that the policy governs
 */
export const lookPeriodOf = (nodes: readonly RolloutNode[], now: Instant): number =>
  nodes.every((node) => isSoaking(node, now)) ? restingLookPeriodMs : movingLookPeriodMs;

const isSoaking = (
  { initializedAt, ready, readySince, troubles, leaving, ...node }: RolloutNode,
  now: Instant,
): boolean =>
  initializedAt !== undefined &&
  now - initializedAt >= soakingMs &&
  ready &&
  now - readySince >= soakingMs &&
  troubles.length === 0 &&
  !leaving &&
  node.blockedBy === undefined &&
  node.stuckStarts === undefined &&
  (node.readyPods ?? node.pods) === node.pods;
