import type { ServedCustomResource } from './karpenter.ts';
import type { CustomResourceDefinition } from '../schema/custom-resource-definition.ts';
import { nodeGroupDefinition } from '../nodewright/node-group.ts';
import { disruptionPauseDefinition } from '../nodewright/rollouts/disruption-pause.ts';
import { imageRuleDefinition } from '../nodewright/rollouts/image-rule.ts';
import { nodeRolloutDefinition } from '../nodewright/rollouts/node-rollout.ts';
import { nodeRolloutPolicyDefinition } from '../nodewright/rollouts/node-rollout-policy.ts';

/** The definitions of Nodewright's own kinds, `nodewright.dev/v1alpha1`, by name. Deleting them leaves plain Karpenter. */
export const ownCrds = (): readonly CustomResourceDefinition[] => [
  disruptionPauseDefinition(),
  imageRuleDefinition(),
  nodeGroupDefinition(),
  nodeRolloutPolicyDefinition(),
  nodeRolloutDefinition(),
];

/** What an embedded API server serves of Nodewright. There is one version, so nothing is converted. */
export const nodewrightCustomResources: readonly ServedCustomResource[] = ownCrds().map((crd) => ({
  crd,
  conversion: (object) => object,
}));
