import { clusterScoped } from '../kubernetes/resource-types.ts';
import type { EC2NodeClass, NodeClaim, NodePool } from './types.ts';

export const nodePools = clusterScoped<NodePool>('karpenter.sh', 'v1', 'nodepools', 'NodePool');
export const nodeClaims = clusterScoped<NodeClaim>('karpenter.sh', 'v1', 'nodeclaims', 'NodeClaim');
export const ec2NodeClasses = clusterScoped<EC2NodeClass>('karpenter.k8s.aws', 'v1', 'ec2nodeclasses', 'EC2NodeClass');
