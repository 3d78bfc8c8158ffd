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
export { partitionOfRegion } from './values/aws-partition.ts';
export { oncePerObject, oncePerPair } from './values/derived.ts';
export { latestPerObject } from './values/latest-per-object.ts';
export { filterPerItem, latestPerItem, oncePerItem } from './values/once-per-item.ts';
export { ObjectNotes } from './values/object-notes.ts';
export { sealSharedObjectsWith, shareObject } from './values/shared-objects.ts';
export { byNumber, byNumberOf, byText, byTextOf, byValueOf, inOrder, inReverse } from './values/order.ts';
export { days, earliest, hours, latest, minutes, seconds } from './values/time.ts';
export { instant, toTimestamp, toMicroTimestamp, fromTimestamp } from './kubernetes/meta.ts';
export type {
  ConfigMap,
  ResourceList,
  TaintEffect,
  Taint,
  Toleration,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  Affinity,
  TopologySpreadConstraint,
  Container,
  PodSpec,
  ContainerStatus,
  PodStatus,
  PodResourceClaim,
  Pod,
  NodeAddress,
  Node,
  Namespace,
  EndpointSlice,
  Secret,
  Service,
  PodTemplate,
  PodTemplateSpec,
  Event,
} from './kubernetes/core.ts';
export type {
  IntOrString,
  Deployment,
  ReplicaSet,
  ReplicationController,
  ControllerRevision,
  StatefulSet,
  BatchJob,
  DaemonSet,
  PodDisruptionBudget,
  Lease,
  VolumeAttachment,
} from './kubernetes/workloads.ts';
export type { CSINode, PersistentVolume, PersistentVolumeClaim, StorageClass } from './kubernetes/storage.ts';
export type {
  AllocatedDevice,
  ClaimConsumer,
  Device,
  DeviceAllocation,
  DeviceClass,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceSlice,
} from './kubernetes/devices.ts';
export type { Quantity } from './values/quantity.ts';
export type { ReviewedUser } from './kubernetes/reviews.ts';
export type { ResourceType } from './kubernetes/resource-types.ts';
export {
  apiVersionOf,
  batchJobs,
  configMaps,
  controllerRevisions,
  csiNodes,
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
  daemonSets,
  deployments,
  endpointSlices,
  events,
  leases,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  podTemplates,
  replicaSets,
  replicationControllers,
  secrets,
  services,
  selfSubjectAccessReviews,
  statefulSets,
  storageClasses,
  subjectAccessReviews,
  tokenReviews,
  volumeAttachments,
} from './kubernetes/resource-types.ts';
export type {
  NodeClassReference,
  RequirementWithMinValues,
  DisruptionReason,
  Budget,
  NodeClaimTemplate,
  NodePool,
  NodeClaim,
  AmiSelectorTerm,
  BlockDeviceMapping,
  AmiFamily,
  StatusAmi,
  EC2NodeClass,
} from './karpenter/types.ts';
export type { NodeOverlay } from './karpenter/v1alpha1/node-overlay.ts';
export { isRestrictedResource, nodeOverlays } from './karpenter/v1alpha1/node-overlay.ts';
export type { CapacityBuffer } from './autoscaling/capacity-buffer.ts';
export { capacityBuffers } from './autoscaling/capacity-buffer.ts';
export { amiSelectorTermsOf } from './karpenter/ami-selector-terms.ts';
export {
  awsAnnotations,
  awsLabels,
  awsTags,
  disruptedTaint,
  finalizers,
  isRestrictedLabel,
  karpenterAnnotations,
  karpenterLabels,
  knownEphemeralTaints,
  kubernetesLabels,
  nodewrightAnnotations,
  normalizedLabels,
  readinessTaintPrefix,
  unregisteredTaint,
  wellKnownLabels,
} from './karpenter/labels.ts';
export type { Conditioned, ConditionUpdate } from './karpenter/conditions.ts';
export {
  conditionFalse,
  conditionOf,
  conditionTrue,
  conditionUnknown,
  ec2NodeClassConditions,
  isConditionFalse,
  isConditionTrue,
  nodeClaimConditions,
  nodeOverlayConditions,
  nodePoolConditions,
  withCondition,
  withInitialConditions,
  withLoneCondition,
  withoutCondition,
} from './karpenter/conditions.ts';
export { mergeRecords, readOwn, writeOwn } from './values/own-property.ts';
export { yamlComplaint } from './values/yaml-complaint.ts';
export { ValueError } from './values/value-error.ts';
export {
  compareQuantities,
  formatQuantity,
  isQuantity,
  millisOf,
  parseQuantity,
  quantityOfMillis,
  quantityOfUnits,
  quantityUnits,
} from './values/quantity.ts';
export { formatDuration, isAge, parseAge, parseDuration, parseDurationOrNever } from './values/duration.ts';
export type { IntOrPercent } from './values/int-or-percent.ts';
export { parseIntOrPercent, resolveIntOrPercent } from './values/int-or-percent.ts';
export { labelValueComplaint, qualifiedNameComplaint } from './values/label-syntax.ts';
export type { LabelPredicate, LabelTerm } from './values/label-selector.ts';
export { labelSelectorPredicate, matchesAll, printLabelTerms, termsOfSelector } from './values/label-selector.ts';
export {
  conversionEndpoint,
  type ConversionService,
  convertedDefinitionNames,
  karpenterCustomResources,
  listConvertedCrds,
  listKarpenterCrds,
  printYaml,
} from './custom-resources/karpenter.ts';
export { type DefinitionObject, definitionObjects } from './custom-resources/definition-objects.ts';
export type { CustomResourceDefinition } from './schema/custom-resource-definition.ts';
export type { StructuralSchema } from './schema/structural.ts';
export { convertToVersion } from './karpenter/convert.ts';
export { convertManifest } from './karpenter/written-manifest.ts';
export { answerConversionReview } from './karpenter/lossless/conversion-review.ts';
export { droppedFieldRemedy } from './karpenter/rewrite/dropped-fields.ts';
export type { FieldComplaint } from './karpenter/rewrite/shape-complaints.ts';
export type { MovedFields } from './karpenter/rewrite/moved-fields.ts';
export { movedFields } from './karpenter/rewrite/moved-fields.ts';
export { presentName } from './karpenter/rewrite/renamed-keys.ts';
export type { RewriteOptions } from './karpenter/rewrite/rewrite-to-v1.ts';
export { judgeOldKind } from './karpenter/rewrite/judge-old-kind.ts';
export { rewriteToV1 } from './karpenter/rewrite/rewrite-to-v1.ts';
export { awsNodeTemplates, listOldKindCrds, provisioners } from './karpenter/v1alpha/old-kinds.ts';
export type { RefusedManifest, Rewritten } from './karpenter/rewrite/rewritten.ts';
export type { FinishedUpdate, NodeGroup, NodeGroupBlocker, NodeGroupUpdate } from './nodewright/node-group.ts';
export { nodeGroupConditions, nodeGroups } from './nodewright/node-group.ts';
export type { VariantImage, RolloutCause } from './nodewright/rollouts/variant-image.ts';
export type { ImageRule } from './nodewright/rollouts/image-rule.ts';
export { imageRules } from './nodewright/rollouts/image-rule.ts';
export type { DisruptionPause, PausedReason } from './nodewright/rollouts/disruption-pause.ts';
export { disruptionPauses } from './nodewright/rollouts/disruption-pause.ts';
export type {
  AdmittedNode,
  BegunReplacement,
  NodeRolloutPolicy,
  ParkedNode,
  PromotionSettings,
  RolloutBlackout,
  RolloutWindow,
} from './nodewright/rollouts/node-rollout-policy.ts';
export type { NodeRolloutPolicySpec } from './nodewright/rollouts/rollout-policy-spec.ts';
export { nodeRolloutPolicies } from './nodewright/rollouts/node-rollout-policy.ts';
export type {
  NodeRollout,
  NodeRolloutSpec,
  RolloutEvidence,
  RolloutFailure,
  RolloutHalt,
  RolloutLogEntry,
  RolloutLook,
  RolloutSeat,
  RolloutWaveStatus,
} from './nodewright/rollouts/node-rollout.ts';
export { nodeRollouts } from './nodewright/rollouts/node-rollout.ts';
export type { NodeRolloutStatus } from './nodewright/rollouts/node-rollout-status.ts';
export type { NodeRolloutPolicyStatus, VcpuRoom } from './nodewright/rollouts/rollout-policy-status.ts';
export { resourceNameLabel, selectableLabels } from './nodewright/rollouts/selectable-labels.ts';
export type { CheckResult, RolloutCheck } from './nodewright/rollouts/rollout-health.ts';
export type {
  ReceiverTrouble,
  RolloutMessage,
  RolloutMessageEvent,
  RolloutReceiver,
} from './nodewright/rollouts/rollout-messages.ts';
export type { RolloutRequestKind } from './nodewright/rollouts/rollout-requests.ts';
export { rolloutRequestAnnotation, rolloutRequestKinds } from './nodewright/rollouts/rollout-requests.ts';
export type { RolloutPresetName } from './nodewright/rollouts/rollout-presets.ts';
export { presetDefault, rolloutDefaults } from './nodewright/rollouts/rollout-presets.ts';
export { jsonAnnotation, withAnnotations } from './karpenter/annotations.ts';
export type { OutOfCapacity } from './nodewright/out-of-capacity.ts';
export { outOfCapacityOn, outOfCapacityText } from './nodewright/out-of-capacity.ts';
export { nodewrightCustomResources, ownCrds } from './custom-resources/nodewright.ts';
export { ec2NodeClasses, nodeClaims, nodePools } from './karpenter/resource-types.ts';
