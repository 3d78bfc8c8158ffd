import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { ResourceType } from '../../kubernetes/resource-types.ts';
import { type Infer, integer, mapOf, object, optional, quantity, rule, text } from '../../schema/build.ts';
import { clusterScopedDefinition, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { fieldPatterns } from '../v1/patterns.ts';
import { overlayRequirementsSchema } from '../v1/requirement-schemas.ts';
import { strictConditions } from '../v1/shared-schemas.ts';

/** Resources whose amounts come from the instance type alone. */
const restrictedResources = ['cpu', 'memory', 'ephemeral-storage', 'pods'] as const;

export const isRestrictedResource = (name: string): boolean => restrictedResources.some((each) => each === name);

const nodeOverlaySpecSchema = object(
  {
    capacity: optional(
      mapOf(quantity(), {
        description: 'What nodes of the instance types have beside what EC2 says, such as devices of a plugin.',
        rules: [
          rule(
            'cpu, memory, ephemeral-storage and pods come from the instance type',
            `self.all(name, !(name in [${restrictedResources.map((name) => `'${name}'`).join(', ')}]))`,
          ),
        ],
      }),
    ),
    price: optional(
      text({
        description: 'What the offerings are taken to cost, in dollars per hour.',
        pattern: fieldPatterns.price,
      }),
    ),
    priceAdjustment: optional(
      text({
        description: 'What is added to the price, signed: dollars per hour, or a percentage.',
        pattern: fieldPatterns.priceAdjustment,
      }),
    ),
    requirements: overlayRequirementsSchema,
    weight: optional(
      integer('int32', {
        description: 'Where several overlays speak of the same thing, the one of higher weight counts.',
        minimum: 1,
        maximum: 10_000,
      }),
    ),
  },
  {
    rules: [rule('price and priceAdjustment exclude each other', '!(has(self.price) && has(self.priceAdjustment))')],
  },
);

const nodeOverlayStatusSchema = object({ conditions: optional(strictConditions({ mapKeys: ['type'] })) });

/** Changes what instance types are taken to cost and to have. @see https://karpenter.sh/docs/concepts/nodeoverlays/ */
export type NodeOverlay = KubernetesObject & {
  readonly spec: Infer<typeof nodeOverlaySpecSchema>;
  readonly status?: Infer<typeof nodeOverlayStatusSchema>;
};

export const nodeOverlays: ResourceType<NodeOverlay> = {
  group: 'karpenter.sh',
  version: 'v1alpha1',
  plural: 'nodeoverlays',
  kind: 'NodeOverlay',
  namespaced: false,
};

export const nodeOverlayDefinition = () =>
  clusterScopedDefinition({
    group: nodeOverlays.group,
    kind: nodeOverlays.kind,
    plural: nodeOverlays.plural,
    shortNames: ['overlays'],
    versions: [
      {
        name: nodeOverlays.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.status.conditions[?(@.type=="Ready")].status', name: 'Ready', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
          { jsonPath: '.spec.weight', name: 'Weight', priority: 1, type: 'integer' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description: 'A NodeOverlay changes what instance types are taken to cost and to have.',
            spec: nodeOverlaySpecSchema,
            status: nodeOverlayStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
