import type { ConditionSet } from '../karpenter/conditions.ts';
import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { ResourceType } from '../kubernetes/resource-types.ts';
import { clusterScopedDefinition, resourceSchema } from '../schema/custom-resource-definition.ts';
import { type NodeGroupSpec, nodeGroupSpecSchema } from './node-group-spec.ts';
import { type NodeGroupStatus, nodeGroupStatusSchema } from './node-group-status.ts';

/** A node group that Nodewright keeps on the right image: one of EKS, or a plain Auto Scaling group. */
export type NodeGroup = KubernetesObject & { readonly spec: NodeGroupSpec; readonly status?: NodeGroupStatus };

export type NodeGroupUpdate = NonNullable<NodeGroupStatus['update']>;
export type NodeGroupBlocker = NonNullable<NodeGroupStatus['blockedBy']>[number];
export type FinishedUpdate = NonNullable<NodeGroupStatus['history']>[number];

/** Ready sums up: every node on the target, nothing in the way. */
export const nodeGroupConditions: ConditionSet = {
  root: 'Ready',
  dependents: ['GroupFound', 'ImageReady', 'UpToDate'],
};

export const nodeGroups: ResourceType<NodeGroup> = {
  group: 'nodewright.dev',
  version: 'v1alpha1',
  plural: 'nodegroups',
  kind: 'NodeGroup',
  namespaced: false,
};

export const nodeGroupDefinition = () =>
  clusterScopedDefinition({
    group: nodeGroups.group,
    kind: nodeGroups.kind,
    plural: nodeGroups.plural,
    category: 'nodewright',
    versions: [
      {
        name: nodeGroups.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { jsonPath: '.status.phase', name: 'Phase', type: 'string' },
          { jsonPath: '.status.nodes.updated', name: 'Updated', type: 'integer' },
          { jsonPath: '.status.nodes.total', name: 'Nodes', type: 'integer' },
          { jsonPath: '.status.target.image', name: 'Image', type: 'string' },
          { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
          { jsonPath: '.status.reason', name: 'Reason', priority: 1, type: 'string' },
        ],
        schema: {
          openAPIV3Schema: resourceSchema({
            description: 'A NodeGroup says which image a managed node group or an Auto Scaling group is kept on.',
            spec: nodeGroupSpecSchema,
            status: nodeGroupStatusSchema,
            required: ['spec'],
          }),
        },
        subresources: { status: {} },
      },
    ],
  });
