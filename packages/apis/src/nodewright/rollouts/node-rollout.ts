import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { ResourceType } from '../../kubernetes/resource-types.ts';
import { type Infer, integer, object, optional, rule, text } from '../../schema/build.ts';
import { clusterScopedDefinition, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { type NodeRolloutStatus, nodeRolloutStatusSchema } from './node-rollout-status.ts';
import { imageSetSchema, rolloutCauseSchema } from './variant-image.ts';

const nodeRolloutSpecSchema = object(
  {
    policy: text({ description: 'The NodeRolloutPolicy that it belongs to.', minLength: 1, maxLength: 253 }),
    number: integer('int32', { description: 'The rollouts of a policy are numbered from 1.', minimum: 1 }),
    cause: rolloutCauseSchema,
    from: imageSetSchema('The images that are proven.'),
    to: imageSetSchema('The images that it leads to.'),
    kubernetesVersion: text({ description: 'Minor of the control plane at its start.', maxLength: 16 }),
    members: integer('int32', { description: 'How many nodes it has to move, at its start.', minimum: 0 }),
    rollbackOf: optional(text({ description: 'The rollout that it takes back.', maxLength: 253 })),
  },
  { rules: [rule('a rollout cannot change: another one is made for another target', 'self == oldSelf')] },
);

export type NodeRolloutSpec = Infer<typeof nodeRolloutSpecSchema>;

/** One move of the wanted images of a policy, with everything that is remembered of it. */
export type NodeRollout = KubernetesObject & { readonly spec: NodeRolloutSpec; readonly status?: NodeRolloutStatus };

export type RolloutWaveStatus = NonNullable<NodeRolloutStatus['waves']>[number];
export type RolloutSeat = NonNullable<NodeRolloutStatus['seats']>[number];
export type RolloutFailure = NonNullable<NodeRolloutStatus['failures']>[number];
export type RolloutHalt = NonNullable<NodeRolloutStatus['halted']>;
export type RolloutEvidence = NonNullable<NodeRolloutStatus['evidence']>[number];
export type RolloutLook = NonNullable<NodeRolloutStatus['looks']>[number];
export type RolloutLogEntry = NonNullable<NodeRolloutStatus['log']>[number];

export const nodeRollouts: ResourceType<NodeRollout> = {
  group: 'nodewright.dev',
  version: 'v1alpha1',
  plural: 'noderollouts',
  kind: 'NodeRollout',
  namespaced: false,
};

export const nodeRolloutDefinition = () =>
  clusterScopedDefinition({
    group: nodeRollouts.group,
    kind: nodeRollouts.kind,
    plural: nodeRollouts.plural,
    shortNames: ['nro'],
    category: 'nodewright',
    versions: [
      {
        name: nodeRollouts.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.spec.policy', name: 'Policy', type: 'string' },
          { jsonPath: '.status.target', name: 'To', type: 'string' },
          { jsonPath: '.status.wave', name: 'Wave', type: 'string' },
          { jsonPath: '.status.updated', name: 'Updated', type: 'integer' },
          { jsonPath: '.status.failed', name: 'Failed', type: 'integer' },
          { jsonPath: '.status.state', name: 'State', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
          { jsonPath: '.spec.cause', name: 'Cause', priority: 1, type: 'string' },
          { jsonPath: '.status.nextChangeAt', name: 'Next change', priority: 1, type: 'string' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description: 'A NodeRollout leads the nodes of a policy from proven images to new ones, in waves.',
            spec: nodeRolloutSpecSchema,
            status: nodeRolloutStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
