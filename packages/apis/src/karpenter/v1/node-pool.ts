import { choice, type Infer, integer, list, mapOf, object, optional, rule, text } from '../../schema/build.ts';
import {
  clusterScopedDefinition,
  type CustomResourceVersion,
  resourceSchema,
} from '../../schema/custom-resource-definition.ts';
import { fieldPatterns } from './patterns.ts';
import { labelMapRules } from './label-key-rules.ts';
import { requirementsSchema } from './requirement-schemas.ts';
import {
  expireAfterSchema,
  nodeClassRefSchema,
  resourceMap,
  strictConditions,
  taintsSchema,
  terminationGracePeriodSchema,
} from './shared-schemas.ts';

const sameAsBefore = [
  rule('group of the node class cannot change', 'self.group == oldSelf.group'),
  rule('kind of the node class cannot change', 'self.kind == oldSelf.kind'),
];

export const templateSchema = object(
  {
    metadata: optional(
      object({
        annotations: optional(mapOf(text(), { description: 'Annotations of the claims and nodes.' })),
        labels: optional(
          mapOf(text({ maxLength: 63, pattern: fieldPatterns.labelValue }), {
            description: 'Labels of the claims and nodes.',
            maxProperties: 100,
            mapType: 'atomic',
            rules: labelMapRules('inNodePool'),
          }),
        ),
      }),
    ),
    spec: object({
      expireAfter: optional(expireAfterSchema),
      nodeClassRef: nodeClassRefSchema(sameAsBefore),
      requirements: requirementsSchema('inNodePool'),
      startupTaints: optional(taintsSchema('Taints that something else takes off once the node can be used.')),
      taints: optional(taintsSchema('Taints of the nodes.')),
      terminationGracePeriod: optional(terminationGracePeriodSchema),
    }),
  },
  { description: 'What the claims of this pool look like.' },
);

export const budgetSchema = object({
  duration: optional(
    text({
      description: 'How long the budget is active after each start; hours and minutes.',
      pattern: fieldPatterns.budgetDuration,
    }),
  ),
  nodes: text({
    description: 'How many nodes may be disrupted at once: a number, or a percentage of the pool.',
    default: '10%',
    pattern: fieldPatterns.budgetNodes,
  }),
  reasons: optional(
    list(choice(['Underutilized', 'Empty', 'Drifted']), {
      description: 'The reasons that the budget is about; all, when left out.',
      maxItems: 50,
      listType: 'set',
    }),
  ),
  schedule: optional(
    text({
      description: 'When the budget becomes active, in cron form and UTC.',
      pattern: fieldPatterns.budgetSchedule,
    }),
  ),
});

const disruptionV1Schema = object(
  {
    budgets: optional(
      list(budgetSchema, {
        description: 'How many nodes may be disrupted at once; the strictest active budget counts.',
        default: [{ nodes: '10%' }],
        maxItems: 50,
        rules: [
          rule(
            'schedule and duration go together',
            'self.all(b, has(b.schedule) == has(b.duration))',
            "'the budget for ' + self.map(b, has(b.schedule) != has(b.duration), b.nodes)[0]",
          ),
        ],
      }),
    ),
    consolidateAfter: optional(
      text({
        description: 'How long a node must be without pods coming or going before it may be consolidated, or Never.',
        pattern: fieldPatterns.durationOrNever,
      }),
    ),
    consolidationPolicy: optional(
      choice(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'], {
        description: 'Which nodes may be consolidated.',
        default: 'WhenEmptyOrUnderutilized',
      }),
    ),
  },
  {
    description: 'When nodes may be replaced or removed.',
    default: { consolidateAfter: '0s' },
    required: ['consolidateAfter'],
  },
);

const nodePoolSpecSchema = object(
  {
    disruption: optional(disruptionV1Schema),
    limits: optional(resourceMap('How much the nodes of the pool may have in all; `nodes` limits their number.')),
    replicas: optional(
      integer('int64', { description: 'A fixed number of nodes, whatever pods there are.', minimum: 0 }),
    ),
    template: templateSchema,
    weight: optional(
      integer('int32', { description: 'Pools of higher weight are tried first.', minimum: 1, maximum: 100 }),
    ),
  },
  {
    rules: [
      rule(
        'a pool with replicas keeps them, one without cannot get them',
        'has(self.replicas) == has(oldSelf.replicas)',
      ),
      rule(
        'a pool with replicas can limit the number of nodes only',
        "!has(self.replicas) || !has(self.limits) || self.limits.all(key, key == 'nodes')",
      ),
      rule('a pool with replicas has no weight', '!(has(self.replicas) && has(self.weight))'),
    ],
  },
);

const nodePoolStatusSchema = object({
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
  nodeClassObservedGeneration: optional(
    integer('int64', { description: 'Generation of the node class when registrations were last judged.' }),
  ),
  nodes: optional(integer('int64', { description: 'How many nodes the pool has.', default: 0 })),
  resources: optional(resourceMap('What the nodes of the pool have in all.')),
});

export type NodePoolSpec = Infer<typeof nodePoolSpecSchema>;
export type NodePoolStatus = Infer<typeof nodePoolStatusSchema>;

export const nodePoolV1: CustomResourceVersion = {
  name: 'v1',
  served: true,
  storage: true,
  additionalPrinterColumns: [
    { jsonPath: '.spec.template.spec.nodeClassRef.name', name: 'NodeClass', type: 'string' },
    { jsonPath: '.status.nodes', name: 'Nodes', type: 'string' },
    { jsonPath: '.status.conditions[?(@.type=="Ready")].status', name: 'Ready', type: 'string' },
    { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
    { jsonPath: '.spec.weight', name: 'Weight', priority: 1, type: 'integer' },
    { jsonPath: '.status.resources.cpu', name: 'CPU', priority: 1, type: 'string' },
    { jsonPath: '.status.resources.memory', name: 'Memory', priority: 1, type: 'string' },
  ],
  schema: {
    openAPIV3Schema: resourceSchema({
      description: 'A NodePool says which nodes may be started for pods that have none, and when they may go again.',
      spec: nodePoolSpecSchema,
      status: nodePoolStatusSchema,
      required: ['spec'],
    }),
  },
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' }, status: {} },
};

export const nodePoolDefinition = (versions: readonly CustomResourceVersion[]) =>
  clusterScopedDefinition({ group: 'karpenter.sh', kind: 'NodePool', plural: 'nodepools', versions });
