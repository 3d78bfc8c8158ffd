/**
 * What every other package agrees on: the objects of Kubernetes and Karpenter as types and
 * schemas, the grammar of the values inside them, and the names of labels and annotations.
 * It imports nothing of the product and decides nothing.
 */
export type {
  Instant,
  OwnerReference,
  ObjectMeta,
  KubernetesObject,
  ObjectList,
  ConditionStatus,
  Condition,
  LabelSelectorRequirement,
  LabelSelector,
} from './kubernetes/meta.ts';
export { instant, toTimestamp, toMicroTimestamp, fromTimestamp } from './kubernetes/meta.ts';
export type {
  ResourceList,
  TaintEffect,
  Taint,
  Toleration,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  Affinity,
  TopologySpreadConstraint,
  ContainerPort,
  Container,
  PodSpec,
  ContainerStatus,
  PodStatus,
  Pod,
  NodeAddress,
  Node,
  Namespace,
  ConfigMap,
  Service,
  PodTemplateSpec,
  Event,
} from './kubernetes/core.ts';
export type {
  IntOrString,
  Deployment,
  ReplicaSet,
  DaemonSet,
  PodDisruptionBudget,
  Lease,
  VolumeAttachment,
} from './kubernetes/workloads.ts';
export type { ResourceType } from './kubernetes/resource-types.ts';
export {
  nodes,
  namespaces,
  pods,
  services,
  configMaps,
  events,
  deployments,
  replicaSets,
  daemonSets,
  podDisruptionBudgets,
  leases,
  volumeAttachments,
  nodePools,
  nodeClaims,
  ec2NodeClasses,
  apiVersionOf,
} from './kubernetes/resource-types.ts';
export type {
  NodeClassReference,
  RequirementWithMinValues,
  DisruptionReason,
  Budget,
  NodeClaimTemplate,
  NodePool,
  NodeClaim,
  SelectorTerm,
  AmiSelectorTerm,
  BlockDeviceMapping,
  AmiFamily,
  StatusAmi,
  EC2NodeClass,
} from './karpenter/types.ts';
