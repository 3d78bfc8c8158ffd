import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { text } from '../../schema/build.ts';
import { type FieldComplaint, shapeComplaints } from './shape-complaints.ts';
import type { StructuralSchema } from '../../schema/structural.ts';
import { nodewrightAnnotations } from '../labels.ts';
import { ec2NodeClassV1 } from '../v1/ec2-node-class.ts';
import { nodeClaimV1 } from '../v1/node-claim.ts';
import { nodePoolV1 } from '../v1/node-pool.ts';
import { fieldPatterns } from '../v1/patterns.ts';
import { awsNodeTemplateSchema } from '../v1alpha/aws-node-template.ts';
import { provisionerSchema } from '../v1alpha/provisioner.ts';
import { ec2NodeClassV1Beta1 } from '../v1beta1/ec2-node-class.ts';
import { nodeClaimV1Beta1 } from '../v1beta1/node-claim.ts';
import { nodePoolV1Beta1 } from '../v1beta1/node-pool.ts';
import { amiFamilyComplaints } from './ami-family-complaints.ts';
import { droppedFieldRemedy } from './dropped-fields.ts';

const schemasByKind: ReadonlyMap<string, StructuralSchema> = new Map([
  ['NodePool karpenter.sh/v1', nodePoolV1.schema.openAPIV3Schema],
  ['NodePool karpenter.sh/v1beta1', nodePoolV1Beta1.schema.openAPIV3Schema],
  ['NodeClaim karpenter.sh/v1', nodeClaimV1.schema.openAPIV3Schema],
  ['NodeClaim karpenter.sh/v1beta1', nodeClaimV1Beta1.schema.openAPIV3Schema],
  ['EC2NodeClass karpenter.k8s.aws/v1', ec2NodeClassV1.schema.openAPIV3Schema],
  ['EC2NodeClass karpenter.k8s.aws/v1beta1', ec2NodeClassV1Beta1.schema.openAPIV3Schema],
  ['Provisioner karpenter.sh/v1alpha5', provisionerSchema],
  ['AWSNodeTemplate karpenter.k8s.aws/v1alpha1', awsNodeTemplateSchema],
]);

const schemaOfKind = ({ kind, apiVersion }: KubernetesObject): StructuralSchema | undefined =>
  schemasByKind.get(`${kind} ${apiVersion}`);

const groups: ReadonlySet<string | undefined> = new Set(['karpenter.sh', 'karpenter.k8s.aws']);

/**
 * What is wrong with the fields of a manifest of Karpenter; nothing for kinds of others.
 * Fields that were proposed once and dropped say what there is instead.
 */
export function manifestComplaints(object: KubernetesObject): readonly FieldComplaint[] {
  const schema = schemaOfKind(object);
  if (schema === undefined) return groups.has(object.apiVersion?.split('/')[0]) ? [unknownKindComplaint(object)] : [];
  const shape = shapeComplaints(schema, dropMetadata(object), '').map((complaint) => ({
    ...complaint,
    remedy: droppedFieldRemedy(complaint.field, object) ?? complaint.remedy,
  }));
  return [...shape, ...annotationComplaints(object), ...amiFamilyComplaints(object)];
}

const unknownKindComplaint = ({ kind, apiVersion }: KubernetesObject): FieldComplaint => ({
  field: 'kind',
  value: `${kind} ${apiVersion}`,
  remedy: `cannot be converted; what can is ${[...schemasByKind.keys()].join(', ')}`,
});

/** Metadata is the API server's to judge. */
const dropMetadata = (object: KubernetesObject): object => ({ ...object, metadata: {} });

const manifestAgeSchema = text({ pattern: fieldPatterns.age });

function annotationComplaints({ metadata }: KubernetesObject): readonly FieldComplaint[] {
  const key = nodewrightAnnotations.minimumAgeDuration;
  const value: unknown = metadata.annotations?.[key];
  return value === undefined ? [] : shapeComplaints(manifestAgeSchema, value, `metadata.annotations["${key}"]`);
}
