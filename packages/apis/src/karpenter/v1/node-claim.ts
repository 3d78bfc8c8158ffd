import { type Infer, object, optional, rule, text, timestamp } from '../../schema/build.ts';
import {
  clusterScopedDefinition,
  type CustomResourceVersion,
  resourceSchema,
} from '../../schema/custom-resource-definition.ts';
import { requirementsSchema } from './requirement-schemas.ts';
import {
  expireAfterSchema,
  nodeClassRefSchema,
  relaxedConditions,
  resourceMap,
  taintsSchema,
  terminationGracePeriodSchema,
} from './shared-schemas.ts';

const nodeClaimSpecSchema = object(
  {
    expireAfter: optional(expireAfterSchema),
    nodeClassRef: nodeClassRefSchema(),
    requirements: requirementsSchema('inNodeClaim'),
    resources: optional(
      object(
        { requests: optional(resourceMap('What the pods that the claim was made for ask for in all.')) },
        { description: 'What the node must have at least.' },
      ),
    ),
    startupTaints: optional(taintsSchema('Taints that something else takes off once the node can be used.')),
    taints: optional(taintsSchema('Taints of the node.')),
    terminationGracePeriod: optional(terminationGracePeriodSchema),
  },
  { rules: [rule('the spec of a claim cannot change', 'self == oldSelf')] },
);

export const nodeClaimStatusSchema = object({
  allocatable: optional(resourceMap('What pods can have of the node.')),
  capacity: optional(resourceMap('What the node has.')),
  conditions: optional(relaxedConditions),
  imageID: optional(text({ description: 'The machine image of the node.' })),
  lastPodEventTime: optional(timestamp({ description: 'When a pod last came to the node or left it.' })),
  nodeName: optional(text({ description: 'The node that came of the claim.' })),
  providerID: optional(text({ description: 'The machine behind the node, as the cloud provider names it.' })),
});

export type NodeClaimSpec = Infer<typeof nodeClaimSpecSchema>;
export type NodeClaimStatus = Infer<typeof nodeClaimStatusSchema>;

export const nodeClaimV1: CustomResourceVersion = {
  name: 'v1',
  served: true,
  storage: true,
  additionalPrinterColumns: [
    { jsonPath: '.metadata.labels.node\\.kubernetes\\.io/instance-type', name: 'Type', type: 'string' },
    { jsonPath: '.metadata.labels.karpenter\\.sh/capacity-type', name: 'Capacity', type: 'string' },
    { jsonPath: '.metadata.labels.topology\\.kubernetes\\.io/zone', name: 'Zone', type: 'string' },
    { jsonPath: '.status.nodeName', name: 'Node', type: 'string' },
    { jsonPath: '.status.conditions[?(@.type=="Ready")].status', name: 'Ready', type: 'string' },
    { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
    { jsonPath: '.status.imageID', name: 'ImageID', priority: 1, type: 'string' },
    { jsonPath: '.status.providerID', name: 'ID', priority: 1, type: 'string' },
    { jsonPath: '.metadata.labels.karpenter\\.sh/nodepool', name: 'NodePool', priority: 1, type: 'string' },
    { jsonPath: '.spec.nodeClassRef.name', name: 'NodeClass', priority: 1, type: 'string' },
    { jsonPath: '.status.conditions[?(@.type=="Drifted")].status', name: 'Drifted', priority: 1, type: 'string' },
  ],
  schema: {
    openAPIV3Schema: resourceSchema({
      description: 'A NodeClaim is the wish for one node, and the record of what became of it.',
      spec: nodeClaimSpecSchema,
      status: nodeClaimStatusSchema,
      required: ['spec'],
    }),
  },
  subresources: { status: {} },
};

export const nodeClaimDefinition = (versions: readonly CustomResourceVersion[]) =>
  clusterScopedDefinition({ group: 'karpenter.sh', kind: 'NodeClaim', plural: 'nodeclaims', versions });
