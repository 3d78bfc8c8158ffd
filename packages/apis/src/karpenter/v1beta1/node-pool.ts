import { choice, flag, type Infer, integer, list, mapOf, object, optional, rule, text } from '../../schema/build.ts';
import { type CustomResourceVersion, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { fieldPatterns } from '../v1/patterns.ts';
import { labelMapRules } from '../v1/label-key-rules.ts';
import { requirementsSchema } from '../v1/requirement-schemas.ts';
import { relaxedConditions, resourceMap, taintsSchema } from '../v1/shared-schemas.ts';

const percentMap = mapOf(text());

/** Lived in the pool until v1; now in the EC2NodeClass. */
export const kubeletSchema = object(
  {
    clusterDNS: optional(list(text())),
    cpuCFSQuota: optional(flag()),
    evictionHard: optional(percentMap),
    evictionMaxPodGracePeriod: optional(integer('int32')),
    evictionSoft: optional(percentMap),
    evictionSoftGracePeriod: optional(mapOf(text())),
    imageGCHighThresholdPercent: optional(integer('int32', { minimum: 0, maximum: 100 })),
    imageGCLowThresholdPercent: optional(integer('int32', { minimum: 0, maximum: 100 })),
    kubeReserved: optional(mapOf(text())),
    maxPods: optional(integer('int32', { minimum: 0 })),
    podsPerCore: optional(integer('int32', { minimum: 0 })),
    systemReserved: optional(mapOf(text())),
  },
  { description: 'Arguments of the kubelet.' },
);

export const nodeClassRefV1Beta1Schema = object(
  {
    apiVersion: optional(text({ description: 'Group and version of the node class.' })),
    kind: optional(text({ description: 'Kind of the node class.' })),
    name: text({ description: 'Name of the node class.' }),
  },
  { description: 'The node class that says how machines are made.' },
);

const disruptionV1Beta1Schema = object(
  {
    budgets: optional(
      list(
        object({
          duration: optional(text({ pattern: fieldPatterns.budgetDuration })),
          nodes: text({ default: '10%', pattern: fieldPatterns.budgetNodes }),
          schedule: optional(text({ pattern: fieldPatterns.budgetSchedule })),
        }),
        {
          default: [{ nodes: '10%' }],
          maxItems: 50,
          rules: [rule('schedule and duration go together', 'self.all(b, has(b.schedule) == has(b.duration))')],
        },
      ),
    ),
    consolidateAfter: optional(text({ pattern: fieldPatterns.durationOrNever })),
    consolidationPolicy: optional(choice(['WhenEmpty', 'WhenUnderutilized'], { default: 'WhenUnderutilized' })),
    expireAfter: optional(text({ default: '720h', pattern: fieldPatterns.durationOrNever })),
  },
  {
    description: 'When nodes may be replaced or removed.',
    default: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' },
    rules: [
      rule(
        'consolidateAfter goes without WhenUnderutilized, unless it is Never',
        "!has(self.consolidateAfter) || self.consolidationPolicy != 'WhenUnderutilized' || self.consolidateAfter == 'Never'",
      ),
      rule('WhenEmpty needs consolidateAfter', "self.consolidationPolicy != 'WhenEmpty' || has(self.consolidateAfter)"),
    ],
  },
);

const nodePoolV1Beta1Schema = object({
  disruption: optional(disruptionV1Beta1Schema),
  limits: optional(resourceMap('How much the nodes of the pool may have in all.')),
  template: object({
    metadata: optional(
      object({
        annotations: optional(mapOf(text())),
        labels: optional(
          mapOf(text({ maxLength: 63, pattern: fieldPatterns.labelValue }), {
            maxProperties: 100,
            rules: labelMapRules('inNodePool'),
          }),
        ),
      }),
    ),
    spec: object({
      kubelet: optional(kubeletSchema),
      nodeClassRef: nodeClassRefV1Beta1Schema,
      requirements: requirementsSchema('inNodePool'),
      resources: optional(object({ requests: optional(resourceMap('What a node must have at least.')) })),
      startupTaints: optional(taintsSchema('Taints that something else takes off once the node can be used.')),
      taints: optional(taintsSchema('Taints of the nodes.')),
    }),
  }),
  weight: optional(integer('int32', { minimum: 1, maximum: 100 })),
});

const statusSchema = object({
  conditions: optional(relaxedConditions),
  resources: optional(resourceMap('What the nodes of the pool have in all.')),
});

export type NodePoolSpecV1Beta1 = Infer<typeof nodePoolV1Beta1Schema>;

export const nodePoolV1Beta1: CustomResourceVersion = {
  name: 'v1beta1',
  served: true,
  storage: false,
  additionalPrinterColumns: [
    { jsonPath: '.spec.template.spec.nodeClassRef.name', name: 'NodeClass', type: 'string' },
    { jsonPath: '.spec.weight', name: 'Weight', priority: 1, type: 'string' },
  ],
  schema: {
    openAPIV3Schema: resourceSchema({
      description: 'A NodePool as it was written before v1.',
      spec: nodePoolV1Beta1Schema,
      status: statusSchema,
      required: ['spec'],
    }),
  },
  subresources: { status: {} },
};
