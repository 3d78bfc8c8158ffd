import type { Instant } from '@nodewright/apis';
import type { LaunchConfiguration, GroupLaunchTemplate } from './launch-configuration.ts';
import type { ScalingPolicy } from './scaling-policy.ts';
import type { ScheduledAction } from './scheduled-action.ts';
import type { InstanceRefresh } from './instance-refresh.ts';

/** As Auto Scaling spells them, as far as its instances go here. */
export type LifecycleState =
  | 'Pending'
  | 'Pending:Wait'
  | 'Pending:Proceed'
  | 'InService'
  | 'Standby'
  | 'Terminating'
  | 'Terminating:Wait'
  | 'Terminating:Proceed'
  | 'Terminated'
  | 'Warmed:Pending'
  | 'Warmed:Stopped'
  | 'Warmed:Running'
  | 'Warmed:Hibernated';

export type LifecycleTransition = 'autoscaling:EC2_INSTANCE_LAUNCHING' | 'autoscaling:EC2_INSTANCE_TERMINATING';

export type LifecycleHook = {
  readonly name: string;
  readonly transition: LifecycleTransition;
  readonly heartbeatSeconds: number;
  readonly defaultResult: 'CONTINUE' | 'ABANDON';
  readonly notificationTarget?: string;
  readonly roleArn?: string;
  readonly metadata?: string;
};

/** A lifecycle action that must be completed before an instance goes on. */
export type HookWait = {
  readonly hook: string;
  readonly token: string;
  readonly since: Instant;
  readonly due: Instant;
};

export type GroupInstance = {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly lifecycle: LifecycleState;
  readonly healthy: boolean;
  readonly protected: boolean;
  /** The version as a number in text, whatever alias the group names. */
  readonly template: GroupLaunchTemplate;
  readonly launchedAt: Instant;
  readonly activityId: string;
  /** One for each hook without an answer. */
  readonly waits?: readonly HookWait[];
};

export type Activity = {
  readonly id: string;
  readonly description: string;
  readonly cause: string;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  readonly status: 'InProgress' | 'Successful' | 'Failed' | 'Cancelled';
  readonly message?: string;
};

export type GroupTag = { readonly key: string; readonly value: string; readonly atLaunch: boolean };

/** Instances that are made ready in advance. */
export type WarmPool = {
  readonly min: number;
  /** How many there are in all, with those in service; as many as the group may have when left out. */
  readonly prepared?: number;
  readonly state: 'Stopped' | 'Running' | 'Hibernated';
  /** Whether what leaves service goes back. */
  readonly reuse: boolean;
};

/** One Auto Scaling group. */
export type AutoScalingGroupRecord = LaunchConfiguration & {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Instant;
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  readonly capacityRebalance: boolean;
  readonly subnetIds: readonly string[];
  readonly zones: readonly string[];
  readonly tags: readonly GroupTag[];
  readonly suspended: readonly string[];
  readonly hooks: readonly LifecycleHook[];
  readonly instances: readonly GroupInstance[];
  /** Newest first. */
  readonly activities: readonly Activity[];
  readonly refreshes: readonly InstanceRefresh[];
  readonly terminationPolicies: readonly string[];
  readonly healthCheckGraceSeconds: number;
  readonly cooldownSeconds: number;
  readonly protectNew: boolean;
  readonly serviceRole?: string;
  /** By name. */
  readonly policies?: readonly ScalingPolicy[];
  /** By name. */
  readonly schedule?: readonly ScheduledAction[];
  /** When a policy changed the capacity last. */
  readonly scaledAt?: Instant;
  readonly warmPool?: WarmPool | undefined;
  /** The instances in the warm pool. */
  readonly warm?: readonly GroupInstance[];
  /** Once true the group goes as soon as its last instance is gone. */
  readonly deleting: boolean;
};

export const isEnding = ({ lifecycle }: GroupInstance): boolean => lifecycle.startsWith('Terminat');

export const isStandby = ({ lifecycle }: GroupInstance): boolean => lifecycle === 'Standby';

/** Lists the instances that count against the desired capacity. */
export const activeOf = ({ instances }: AutoScalingGroupRecord): readonly GroupInstance[] =>
  instances.filter((instance) => !isEnding(instance) && !isStandby(instance));

export const runsProcess = ({ suspended }: AutoScalingGroupRecord, process: string): boolean =>
  !suspended.includes(process);
