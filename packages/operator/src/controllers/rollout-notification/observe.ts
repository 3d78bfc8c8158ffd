import { nodeRolloutPolicies, nodeRollouts, type ResourceType, type RolloutReceiver } from '@nodewright/apis';
import { type MessageOwner, type MessageStatus, resolveRolloutSettings } from '@nodewright/engine';
import type { Objects } from '../../state/objects.ts';

/** A rollout or a policy with messages, and the receivers of them. */
export type MessageSource = {
  readonly about: MessageOwner;
  readonly type: ResourceType;
  readonly status: MessageStatus;
  readonly receivers: readonly RolloutReceiver[];
};

/** Finds a message source by its name; absent where it is gone, or has nothing to tell. */
export type FindMessageSource = (objects: Objects, name: string) => MessageSource | undefined;

export const findRolloutMessages: FindMessageSource = (objects, name) => {
  const rollout = objects.rollouts.get(name);
  if (rollout?.status?.messages === undefined) return undefined;
  const policy = objects.rolloutPolicies.get(rollout.spec.policy);
  if (policy === undefined) return undefined;
  return {
    about: { kind: 'NodeRollout', object: rollout },
    type: nodeRollouts,
    status: rollout.status,
    receivers: resolveRolloutSettings(policy.spec).receivers,
  };
};

export const findPolicyMessages: FindMessageSource = (objects, name) => {
  const policy = objects.rolloutPolicies.get(name);
  if (policy?.status?.messages === undefined) return undefined;
  return {
    about: { kind: 'NodeRolloutPolicy', object: policy },
    type: nodeRolloutPolicies,
    status: policy.status,
    receivers: resolveRolloutSettings(policy.spec).receivers,
  };
};
