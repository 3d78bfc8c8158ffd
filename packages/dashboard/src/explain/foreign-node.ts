import { karpenterLabels, readOwn } from '@nodewright/apis';
import { nodeLabelsOf, type NodeState } from '@nodewright/engine';

/** An Auto Scaling group that no NodeGroup keeps, as AWS tells of it. */
export type UnkeptGroup = {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  /** What it launches from; absent for a group without a launch template. */
  readonly template?: { readonly id: string; readonly version: string; readonly imageId: string };
};

/** What a node is that no NodeClaim and no NodeGroup stands behind, as its labels tell: a clause. */
export function describeForeignNode(state: NodeState): string {
  const labels = nodeLabelsOf(state);
  const group = readOwn(labels, 'eks.amazonaws.com/nodegroup');
  if (group !== undefined) return `it is of the managed node group ${group}, which no NodeGroup keeps`;
  const computeType = readOwn(labels, 'eks.amazonaws.com/compute-type') ?? '';
  const words = readOwn(computeTypeWords, computeType);
  if (words !== undefined) return words;
  const pool = readOwn(labels, karpenterLabels.nodePool);
  if (pool !== undefined) return `it has the label of NodePool ${pool}, and no NodeClaim stands behind it`;
  return 'no NodePool and no NodeGroup keeps it';
}

const computeTypeWords = {
  fargate: 'it runs on Fargate, and goes with its pod',
  auto: 'EKS Auto Mode keeps it',
  hybrid: 'it is a hybrid node, which is no instance of EC2',
};

/** Who decides when such a node goes, and what has Nodewright keep it. */
export function listForeignFacts(state: NodeState, group: UnkeptGroup | undefined): readonly string[] {
  if (group !== undefined) return factsOfUnkeptGroup(group);
  const labels = nodeLabelsOf(state);
  const managed = readOwn(labels, 'eks.amazonaws.com/nodegroup');
  if (managed !== undefined)
    return [
      `EKS replaces it when the group is updated; a NodeGroup with spec.eks.name: ${managed} would keep the group`,
    ];
  if (readOwn(labels, 'eks.amazonaws.com/compute-type') !== undefined) return [];
  const instance = state.node?.spec?.providerID?.split('/').at(-1) ?? '';
  return instance.startsWith('i-')
    ? [
        `its instance ${instance} stands alone, or is of an Auto Scaling group; \`nodewright nodegroup list\` has the groups of the cluster`,
      ]
    : [];
}

const factsOfUnkeptGroup = ({ name, min, max, desired, template }: UnkeptGroup): readonly string[] => [
  `it is of the Auto Scaling group ${name}, which has ${desired} of ${min} to ${max} instances: the group alone decides when it goes`,
  ...(template === undefined
    ? []
    : [`new instances of the group get image ${template.imageId}, by version ${template.version} of ${template.id}`]),
  `a NodeGroup with spec.autoScalingGroup.name: ${name} would keep the group`,
];
