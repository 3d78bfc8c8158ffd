import type { PodTemplateSpec } from './core.ts';
import type { Condition, KubernetesObject, LabelSelector } from './meta.ts';
import type { PersistentVolumeClaim } from './storage.ts';

export type IntOrString = number | string;

export type BatchJob = KubernetesObject & {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly startTime?: string;
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly conditions?: readonly Condition[];
  };
};

export type Deployment = KubernetesObject & {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly paused?: boolean;
    readonly minReadySeconds?: number;
    readonly progressDeadlineSeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate';
      readonly rollingUpdate?: { readonly maxSurge?: IntOrString; readonly maxUnavailable?: IntOrString };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
};

export type ReplicaSet = KubernetesObject & {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: {
    readonly replicas: number;
    readonly fullyLabeledReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
};

export type StatefulSet = KubernetesObject & {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly serviceName?: string;
    readonly template?: PodTemplateSpec;
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly ordinals?: { readonly start?: number };
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: { readonly partition?: number };
    };
    readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: 'Retain' | 'Delete';
      readonly whenScaled?: 'Retain' | 'Delete';
    };
  };
  readonly status?: {
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly observedGeneration?: number;
  };
};

/** A template that a DaemonSet or a StatefulSet has, or had. */
export type ControllerRevision = KubernetesObject & {
  /** The greatest is the present one. */
  readonly revision: number;
  /** A strategic merge patch that brings the template back. */
  readonly data?: { readonly spec: { readonly template: PodTemplateSpec } };
};

export type ReplicationController = KubernetesObject & {
  readonly spec?: { readonly replicas?: number; readonly selector?: Readonly<Record<string, string>> };
};

export type DaemonSet = KubernetesObject & {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly updateStrategy?: Readonly<Record<string, unknown>>;
  };
  readonly status?: {
    readonly currentNumberScheduled: number;
    readonly desiredNumberScheduled: number;
    readonly numberAvailable?: number;
    readonly numberMisscheduled: number;
    readonly numberReady: number;
    readonly numberUnavailable?: number;
    readonly updatedNumberScheduled?: number;
    readonly observedGeneration?: number;
  };
};

export type PodDisruptionBudget = KubernetesObject & {
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: IntOrString;
    readonly maxUnavailable?: IntOrString;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly expectedPods: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
};

export type Lease = KubernetesObject & {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
};

export type VolumeAttachment = KubernetesObject & {
  readonly spec: {
    readonly nodeName: string;
    readonly attacher: string;
    readonly source: { readonly persistentVolumeName?: string };
  };
  readonly status?: { readonly attached: boolean };
};
