import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { ResourceType } from '../../kubernetes/resource-types.ts';
import { strictConditions } from '../../karpenter/v1/shared-schemas.ts';
import { choice, type Infer, integer, list, object, optional, rule, text, timestamp } from '../../schema/build.ts';
import { clusterScopedDefinition, resourceSchema } from '../../schema/custom-resource-definition.ts';

const versionPattern = '^((>=|<=|>|<|=)?v?[0-9][0-9A-Za-z.+-]*)( +(>=|<=|>|<|=)v?[0-9][0-9A-Za-z.+-]*)*$';

const matchSchema = object(
  {
    family: optional(
      choice(['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022', 'Windows2025', 'Custom'], {
        description: 'The image family.',
      }),
    ),
    versions: optional(
      list(
        text({
          maxLength: 128,
          rules: [
            rule(
              'must be a release such as v20260409, or bounds such as ">=v20260501 <v20260512"',
              `self.matches('${versionPattern.replaceAll('\\', '\\\\')}')`,
            ),
          ],
        }),
        { description: 'Releases, each one by itself or between bounds.', minItems: 1, maxItems: 100 },
      ),
    ),
    ids: optional(
      list(
        text({
          maxLength: 64,
          rules: [rule('must be an image id such as ami-0123456789abcdef0', "self.matches('^ami-[0-9a-z]+$')")],
        }),
        { description: 'Image ids.', minItems: 1, maxItems: 200 },
      ),
    ),
    names: optional(
      list(text({ minLength: 1, maxLength: 256 }), {
        description: 'Image names; * stands for any text.',
        minItems: 1,
        maxItems: 100,
      }),
    ),
    variants: optional(
      object(
        {
          architectures: optional(list(choice(['amd64', 'arm64']), { maxItems: 2, listType: 'set' })),
          accelerators: optional(list(choice(['none', 'nvidia', 'neuron']), { maxItems: 3, listType: 'set' })),
        },
        { description: 'The kinds of nodes that the rule is about; all, when left out.' },
      ),
    ),
  },
  {
    description: 'What the rule is about. Everything that is written has to fit.',
    rules: [
      rule(
        'match needs versions, ids or names: a rule is never about every image',
        'has(self.versions) || has(self.ids) || has(self.names)',
      ),
      rule('versions need the family that they belong to', '!has(self.versions) || has(self.family)'),
    ],
  },
);

const imageRuleSpecSchema = object({
  match: matchSchema,
  verdict: choice(['Blocked', 'Expedited'], {
    description: 'Blocked is never launched, whatever selects it. Expedited skips its bake time and the soak.',
  }),
  reason: text({
    description: 'Why: people read it wherever the rule has an effect.',
    maxLength: 1024,
    rules: [rule('must say why, such as CVE-2026-1234', "self.matches('[^ ]')")],
  }),
  until: optional(timestamp({ description: 'When the rule ends by itself.' })),
});

const imageRuleStatusSchema = object({
  observedGeneration: optional(integer('int64')),
  nodes: optional(integer('int32', { description: 'How many nodes run an image that the rule is about.' })),
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
});

/** Says of images that they are never launched, or at once. */
export type ImageRule = KubernetesObject & {
  readonly spec: Infer<typeof imageRuleSpecSchema>;
  readonly status?: Infer<typeof imageRuleStatusSchema>;
};

export const imageRules: ResourceType<ImageRule> = {
  group: 'nodewright.dev',
  version: 'v1alpha1',
  plural: 'imagerules',
  kind: 'ImageRule',
  namespaced: false,
};

export const imageRuleDefinition = () =>
  clusterScopedDefinition({
    group: imageRules.group,
    kind: imageRules.kind,
    plural: imageRules.plural,
    category: 'nodewright',
    versions: [
      {
        name: imageRules.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.spec.verdict', name: 'Verdict', type: 'string' },
          { jsonPath: '.spec.match.family', name: 'Family', type: 'string' },
          { jsonPath: '.spec.until', name: 'Until', type: 'string' },
          { jsonPath: '.spec.reason', name: 'Reason', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description: 'An ImageRule keeps images from being launched, or lets them skip their bake time and soak.',
            spec: imageRuleSpecSchema,
            status: imageRuleStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
