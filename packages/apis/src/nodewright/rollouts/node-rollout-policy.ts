import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { ResourceType } from '../../kubernetes/resource-types.ts';
import { clusterScopedDefinition, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { type NodeRolloutPolicySpec, rolloutPolicySpecSchema } from './rollout-policy-spec.ts';
import { type NodeRolloutPolicyStatus, rolloutPolicyStatusSchema } from './rollout-policy-status.ts';

/** How new images reach the nodes of the NodePools and NodeGroups that it selects. */
export type NodeRolloutPolicy = KubernetesObject & {
  readonly spec: NodeRolloutPolicySpec;
  readonly status?: NodeRolloutPolicyStatus;
};

export type RolloutWindow = NonNullable<NodeRolloutPolicySpec['windows']>[number];
export type RolloutBlackout = NonNullable<NodeRolloutPolicySpec['blackouts']>[number];
export type AdmittedNode = NonNullable<NodeRolloutPolicyStatus['admitted']>[number];
export type ParkedNode = NonNullable<NodeRolloutPolicyStatus['parked']>[number];
export type BegunReplacement = NonNullable<NodeRolloutPolicyStatus['begun']>[number];
export type PromotionSettings = NonNullable<NodeRolloutPolicySpec['promotion']>;

export const nodeRolloutPolicies: ResourceType<NodeRolloutPolicy> = {
  group: 'nodewright.dev',
  version: 'v1alpha1',
  plural: 'noderolloutpolicies',
  kind: 'NodeRolloutPolicy',
  namespaced: false,
};

export const nodeRolloutPolicyDefinition = () =>
  clusterScopedDefinition({
    group: nodeRolloutPolicies.group,
    kind: nodeRolloutPolicies.kind,
    plural: nodeRolloutPolicies.plural,
    shortNames: ['nrp'],
    category: 'nodewright',
    versions: [
      {
        name: nodeRolloutPolicies.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.spec.preset', name: 'Preset', type: 'string' },
          { jsonPath: '.spec.mode', name: 'Mode', type: 'string' },
          { jsonPath: '.status.rollout', name: 'Rollout', type: 'string' },
          { jsonPath: '.status.governed.nodes', name: 'Nodes', type: 'integer' },
          { jsonPath: '.status.conditions[?(@.type=="Ready")].status', name: 'Ready', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
          { jsonPath: '.status.conditions[?(@.type=="Ready")].message', name: 'Message', priority: 1, type: 'string' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description:
              'A NodeRolloutPolicy says how new images reach nodes: in which waves, after which evidence, when.',
            spec: rolloutPolicySpecSchema,
            status: rolloutPolicyStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
