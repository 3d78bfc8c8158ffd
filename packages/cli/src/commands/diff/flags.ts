import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { OutputFormat } from '../../terminal/output.ts';

export type DiffFlags = ClusterFlags &
  SchedulingFlags & {
    readonly file?: readonly string[];
    readonly output?: OutputFormat;
  };
