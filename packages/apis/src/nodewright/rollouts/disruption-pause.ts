import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { ResourceType } from '../../kubernetes/resource-types.ts';
import { strictConditions } from '../../karpenter/v1/shared-schemas.ts';
import { choice, type Infer, integer, list, object, optional, rule, text, timestamp } from '../../schema/build.ts';
import { clusterScopedDefinition, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { selectorSchema } from './rollout-values.ts';

const disruptionPauseSpecSchema = object({
  scope: optional(
    object(
      {
        nodePools: optional(selectorSchema('Labels of NodePools. With nodeGroups alone, no NodePool is paused.')),
        nodeGroups: optional(selectorSchema('Labels of NodeGroups. With nodePools alone, no NodeGroup is paused.')),
        reasons: optional(
          list(choice(['Drifted', 'Empty', 'Underutilized', 'Expired']), {
            description: 'What is paused; everything voluntary, when left out.',
            minItems: 1,
            maxItems: 4,
            listType: 'set',
          }),
        ),
      },
      { description: 'What is paused. Absent: everything.' },
    ),
  ),
  reason: text({
    description: 'Why: people read it wherever the pause has an effect.',
    maxLength: 1024,
    rules: [rule('must say why, such as an incident number', "self.matches('[^ ]')")],
  }),
  until: optional(
    timestamp({ description: 'When the pause ends by itself. Without it the pause lasts until it is deleted.' }),
  ),
  inFlight: optional(
    choice(['Finish', 'Revert'], {
      description:
        'What becomes of replacements that have begun. Revert calls off those whose old node is not drained yet.',
      default: 'Finish',
    }),
  ),
});

const disruptionPauseStatusSchema = object({
  observedGeneration: optional(integer('int64')),
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
});

/** Keeps voluntary disruption from beginning. */
export type DisruptionPause = KubernetesObject & {
  readonly spec: Infer<typeof disruptionPauseSpecSchema>;
  readonly status?: Infer<typeof disruptionPauseStatusSchema>;
};

export type PausedReason = 'Drifted' | 'Empty' | 'Underutilized' | 'Expired';

export const disruptionPauses: ResourceType<DisruptionPause> = {
  group: 'nodewright.dev',
  version: 'v1alpha1',
  plural: 'disruptionpauses',
  kind: 'DisruptionPause',
  namespaced: false,
};

export const disruptionPauseDefinition = () =>
  clusterScopedDefinition({
    group: disruptionPauses.group,
    kind: disruptionPauses.kind,
    plural: disruptionPauses.plural,
    category: 'nodewright',
    versions: [
      {
        name: disruptionPauses.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.spec.until', name: 'Until', type: 'string' },
          { jsonPath: '.spec.inFlight', name: 'In flight', type: 'string' },
          { jsonPath: '.spec.reason', name: 'Reason', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description: 'While a DisruptionPause holds, nothing voluntary begins in its scope.',
            spec: disruptionPauseSpecSchema,
            status: disruptionPauseStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
