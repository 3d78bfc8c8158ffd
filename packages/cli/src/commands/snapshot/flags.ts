import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';

export type SnapshotFlags = ClusterFlags &
  SchedulingFlags & {
    readonly output?: string;
    readonly redact: boolean;
  };
