import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { Infer } from '../schema/build.ts';
import type { amiTermSchema, subnetTermsSchema } from './v1/ec2-node-class-terms.ts';
import type { EC2NodeClassStatus } from './v1/ec2-node-class-status.ts';
import type { amiFamilies, EC2NodeClassSpec } from './v1/ec2-node-class.ts';
import type { NodeClaimSpec, NodeClaimStatus } from './v1/node-claim.ts';
import type { budgetSchema, NodePoolSpec, NodePoolStatus, templateSchema } from './v1/node-pool.ts';

export type NodePool = KubernetesObject & { readonly spec: NodePoolSpec; readonly status?: NodePoolStatus };
export type NodeClaim = KubernetesObject & { readonly spec: NodeClaimSpec; readonly status?: NodeClaimStatus };
export type EC2NodeClass = KubernetesObject & { readonly spec: EC2NodeClassSpec; readonly status?: EC2NodeClassStatus };

export type NodeClassReference = NodeClaimSpec['nodeClassRef'];
export type RequirementWithMinValues = NodeClaimSpec['requirements'][number];
export type NodeClaimTemplate = Infer<typeof templateSchema>;
export type Budget = Infer<typeof budgetSchema>;
export type DisruptionReason = NonNullable<Budget['reasons']>[number];

export type SelectorTerm = Infer<typeof subnetTermsSchema>[number];
export type AmiSelectorTerm = Infer<typeof amiTermSchema>;
export type BlockDeviceMapping = NonNullable<EC2NodeClassSpec['blockDeviceMappings']>[number];
export type AmiFamily = (typeof amiFamilies)[number];
export type StatusAmi = NonNullable<EC2NodeClassStatus['amis']>[number];
