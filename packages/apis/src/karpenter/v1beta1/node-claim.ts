import { type Infer, object, optional } from '../../schema/build.ts';
import { type CustomResourceVersion, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { nodeClaimStatusSchema, nodeClaimV1 } from '../v1/node-claim.ts';
import { requirementsSchema } from '../v1/requirement-schemas.ts';
import { resourceMap, taintsSchema } from '../v1/shared-schemas.ts';
import { kubeletSchema, nodeClassRefV1Beta1Schema } from './node-pool.ts';

const nodeClaimV1Beta1Schema = object({
  kubelet: optional(kubeletSchema),
  nodeClassRef: nodeClassRefV1Beta1Schema,
  requirements: requirementsSchema('inNodeClaim'),
  resources: optional(object({ requests: optional(resourceMap('What the node must have at least.')) })),
  startupTaints: optional(taintsSchema('Taints that something else takes off once the node can be used.')),
  taints: optional(taintsSchema('Taints of the node.')),
});

export type NodeClaimSpecV1Beta1 = Infer<typeof nodeClaimV1Beta1Schema>;

export const nodeClaimV1Beta1: CustomResourceVersion = {
  name: 'v1beta1',
  served: true,
  storage: false,
  additionalPrinterColumns: nodeClaimV1.additionalPrinterColumns,
  schema: {
    openAPIV3Schema: resourceSchema({
      description: 'A NodeClaim as it was written before v1.',
      spec: nodeClaimV1Beta1Schema,
      status: nodeClaimStatusSchema,
      required: ['spec'],
    }),
  },
  subresources: { status: {} },
};
