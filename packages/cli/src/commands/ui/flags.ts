import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';

export type UiFlags = ClusterFlags &
  SchedulingFlags & { readonly port: number; readonly allowedHosts?: readonly string[]; readonly forecast?: string };
