import { minutes, seconds } from '@nodewright/apis';

/** Every waiting time of an update, in milliseconds. */
export type UpdateLimits = {
  /** From the request until a new node must be ready and labelled. */
  readonly joinMs: number;
  /** How long a replacement that was launched may take to join, where a host watches it and gives it up earlier. */
  readonly watchedJoinMs: number;
  /** Between the last new node and the first eviction. Users of EKS have seen anything from none to half an hour. */
  readonly quietMs: number;
  /** How long the pods of one node may take to leave. */
  readonly drainMs: number;
  /** Between two attempts to evict a pod: twenty fit into the limit. 0: at every look, of which nothing is remembered. */
  readonly evictionRetryMs: number;
  /** Between cordon and termination, so that load balancers forget the node. */
  readonly settleMs: number;
  /** Between two steps of the scale down, at least. */
  readonly scaleDownStepMs: number;
  /** How often the group is looked at while an update waits for it. */
  readonly pollMs: number;
};

/** @see https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html */
export const eksLimits: UpdateLimits = {
  joinMs: minutes(15),
  watchedJoinMs: minutes(60),
  quietMs: 0,
  drainMs: minutes(15),
  evictionRetryMs: seconds(45),
  settleMs: seconds(60),
  scaleDownStepMs: seconds(30),
  pollMs: seconds(10),
};
