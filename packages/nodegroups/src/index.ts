/**
 * What happens next in the update of a node group: observed group, instances, nodes and pods in,
 * actions and reasons out. The sandbox's EKS runs it as AWS would, the operator runs it for plain
 * Auto Scaling groups. It refuses to know who asks.
 */
export type Placeholder = never;
