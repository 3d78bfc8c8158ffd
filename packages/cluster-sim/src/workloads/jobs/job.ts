import type { Condition, KubernetesObject, LabelSelector, PodTemplateSpec, ResourceType } from '@nodewright/apis';

export type PodFailureRule = {
  readonly action: 'FailJob' | 'Ignore' | 'Count' | 'FailIndex';
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: 'In' | 'NotIn';
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
};

export type JobSpec = {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: 'NonIndexed' | 'Indexed';
  readonly backoffLimit?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly selector?: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly podFailurePolicy?: { readonly rules: readonly PodFailureRule[] };
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
};

export type JobStatus = {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  /** `0,2-4`: indexes that have succeeded. */
  readonly completedIndexes?: string;
  readonly conditions?: readonly Condition[];
  /** Ended pods that are not in the numbers yet. */
  readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
};

export type Job = KubernetesObject & { readonly spec: JobSpec; readonly status?: JobStatus };

export const jobs: ResourceType<Job> = {
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  kind: 'Job',
  namespaced: true,
};

/** Holds a pod that has ended until it is counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** The label and annotation of a pod's index in an indexed job. */
export const indexKey = 'batch.kubernetes.io/job-completion-index';

export const finishedCondition = ({ status }: Job): Condition | undefined =>
  status?.conditions?.find(({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True');
