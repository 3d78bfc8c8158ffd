/**
 * What the operator needs from outside, in the operator's words. Outcomes that change what the
 * caller does next are values; everything else is a `CloudError`. It refuses to know any provider.
 */
export { CloudError } from './cloud.ts';
export type {
  AnswerChanges,
  Cloud,
  ControlPlanePort,
  FamilyReleases,
  FoundImage,
  FoundImages,
  FoundPlacementGroup,
  FoundReservation,
  FoundSubnet,
  ImageQuery,
  Instance,
  InstancePort,
  InstancePresence,
  InstanceTypePort,
  LaunchOutcome,
  LaunchWarning,
  LaunchRequest,
  LookupPace,
  NodeClassPort,
  ReservationPort,
  SoldInstanceType,
} from './cloud.ts';
export type { ParameterPort, StoredText } from './parameters.ts';
export type { BoughtKind, QuotaPort } from './quotas.ts';
export type {
  CapacityPort,
  HealthCategory,
  InstanceHealthPort,
  Interruption,
  InterruptionKind,
  InterruptionPort,
  NodeMemory,
  QueuedMessage,
  RepairPolicy,
  UnhealthyInstance,
} from './interruptions.ts';
export type {
  GroupIssue,
  GroupUpdateConfig,
  InstanceQuota,
  ManagedGroup,
  ManagedGroupPort,
  Market,
  ReleaseQuestion,
  ScalingGroup,
  ScalingGroupPort,
  ScalingHook,
  ScalingInstance,
  ScalingTemplate,
  SeenUpdate,
  StartOutcome,
  UpdateRequest,
  UpdateTarget,
} from './node-groups.ts';
