import type { FailOn, ForecastGroupUpdate, ForecastRelease } from '@nodewright/forecast';
import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';

export type ForecastFormat = 'table' | 'json' | 'yaml' | 'html' | 'md';

export type ForecastFlags = ClusterFlags &
  SchedulingFlags & {
    readonly snapshot?: string;
    readonly file?: readonly string[];
    readonly release?: readonly ForecastRelease[];
    readonly updateGroup?: readonly ForecastGroupUpdate[];
    readonly kubernetesVersion?: string;
    /** Milliseconds since the epoch. */
    readonly at?: number;
    /** In milliseconds. */
    readonly for?: number;
    readonly seeds?: number;
    readonly output: ForecastFormat;
    readonly failOn?: readonly FailOn[];
  };
