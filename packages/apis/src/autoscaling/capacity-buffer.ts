import { strictConditions } from '../karpenter/v1/shared-schemas.ts';
import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { ResourceType } from '../kubernetes/resource-types.ts';
import { type Infer, integer, mapOf, object, optional, quantity, rule, text } from '../schema/build.ts';
import { namespacedDefinition, resourceSchema } from '../schema/custom-resource-definition.ts';

const podTemplateRefSchema = object(
  { name: text({ description: 'Name of the PodTemplate, in the namespace of the buffer.', minLength: 1 }) },
  { description: 'The PodTemplate that one unit of the buffer is like.' },
);

const bufferCountSchema = (description: string) => integer('int32', { description, minimum: 0 });

const capacityBufferSpecSchema = object(
  {
    limits: optional(mapOf(quantity(), { description: 'How much all units together may ask for.' })),
    percentage: optional(
      bufferCountSchema('How many units, as a percentage of the replicas of the workload; rounded up.'),
    ),
    podTemplateRef: optional(podTemplateRefSchema),
    provisioningStrategy: optional(
      text({
        description: 'How the room is kept: as nodes that run.',
        default: 'buffer.x-k8s.io/active-capacity',
      }),
    ),
    replicas: optional(bufferCountSchema('How many units; with a percentage, the greater of the two counts.')),
    scalableRef: optional(
      object(
        {
          apiGroup: optional(text({ description: 'API group of the workload: apps.' })),
          kind: text({ description: 'Deployment, StatefulSet or ReplicaSet.', minLength: 1 }),
          name: text({ description: 'Name of the workload, in the namespace of the buffer.', minLength: 1 }),
        },
        { description: 'The workload whose pods one unit of the buffer is like.' },
      ),
    ),
  },
  {
    rules: [
      rule(
        'a buffer of a PodTemplate needs replicas or limits',
        '!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)',
      ),
      rule('podTemplateRef and scalableRef exclude each other', '!(has(self.podTemplateRef) && has(self.scalableRef))'),
    ],
  },
);

const capacityBufferStatusSchema = object({
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
  podTemplateGeneration: optional(
    integer('int64', { description: 'The generation of the PodTemplate that the buffer was last sized by.' }),
  ),
  podTemplateRef: optional(podTemplateRefSchema),
  provisioningStrategy: optional(text({ description: 'How the room is kept.' })),
  replicas: optional(integer('int32', { description: 'How many units the buffer has.' })),
});

/** Room that is kept free for pods to come: nodes are started as if its units were pods. */
export type CapacityBuffer = KubernetesObject & {
  readonly spec: Infer<typeof capacityBufferSpecSchema>;
  readonly status?: Infer<typeof capacityBufferStatusSchema>;
};

export const capacityBuffers: ResourceType<CapacityBuffer> = {
  group: 'autoscaling.x-k8s.io',
  version: 'v1beta1',
  plural: 'capacitybuffers',
  kind: 'CapacityBuffer',
  namespaced: true,
};

export const capacityBufferDefinition = () =>
  namespacedDefinition({
    group: capacityBuffers.group,
    kind: capacityBuffers.kind,
    plural: capacityBuffers.plural,
    shortNames: ['cb'],
    category: 'autoscaling',
    versions: [
      {
        name: capacityBuffers.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.spec.provisioningStrategy', name: 'Strategy', type: 'string' },
          { jsonPath: '.status.podTemplateRef.name', name: 'PodTemplate', type: 'string' },
          { jsonPath: '.status.replicas', name: 'Replicas', type: 'integer' },
          { jsonPath: '.status.conditions[*].type', name: 'ConditionsType', type: 'string' },
          { jsonPath: '.status.conditions[*].status', name: 'ConditionsStatus', type: 'string' },
          { jsonPath: '.status.conditions[*].reason', name: 'ConditionsReason', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description: 'A CapacityBuffer keeps room free for pods to come.',
            spec: capacityBufferSpecSchema,
            status: capacityBufferStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
