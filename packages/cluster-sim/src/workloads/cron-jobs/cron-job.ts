import type { KubernetesObject, ObjectMeta, ResourceType } from '@nodewright/apis';
import type { JobSpec } from '../jobs/job.ts';

export type CronJob = KubernetesObject & {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly suspend?: boolean;
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: { readonly metadata?: Partial<ObjectMeta>; readonly spec: JobSpec };
  };
  readonly status?: {
    readonly active?: readonly {
      readonly kind: string;
      readonly namespace?: string;
      readonly name: string;
      readonly uid?: string;
    }[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
};

export const cronJobs: ResourceType<CronJob> = {
  group: 'batch',
  version: 'v1',
  plural: 'cronjobs',
  kind: 'CronJob',
  namespaced: true,
};
