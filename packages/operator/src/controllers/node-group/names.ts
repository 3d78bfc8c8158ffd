import type { Node, Taint } from '@nodewright/apis';

/** What EKS writes on the nodes of its groups. */
export const eksLabels = {
  nodeGroup: 'eks.amazonaws.com/nodegroup',
  image: 'eks.amazonaws.com/nodegroup-image',
} as const;

/** On nodes that EKS is about to replace. */
export const eksUpdateTaint = 'eks.amazonaws.com/nodegroup';

/** On nodes of an Auto Scaling group that we are about to replace. */
export const groupUpdateTaint: Taint = {
  key: 'nodewright.dev/nodegroup',
  value: 'unschedulable',
  effect: 'NoSchedule',
};

export const loadBalancerLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Keeps Cluster Autoscaler from ending new nodes while they are still empty. */
export const scaleDownDisabled = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
/** On nodes where the annotation above is ours. */
export const scaleDownDisabledByUs = 'nodewright.dev/scale-down-disabled';

/** `i-0123` of `aws:///us-east-1a/i-0123`. */
export const instanceIdOfNode = ({ spec }: Node): string => spec?.providerID?.split('/').at(-1) ?? '';
