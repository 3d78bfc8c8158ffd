import type { NodeGroup } from '@nodewright/apis';

/** That the group is not there, in words. */
export const absenceOf = ({ spec }: NodeGroup): string =>
  spec.eks === undefined
    ? `there is no Auto Scaling group "${spec.autoScalingGroup?.name ?? ''}"`
    : `there is no managed node group "${spec.eks.name}" in this cluster`;
