import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { TopView } from './top-lines.ts';

export type TopFlags = ClusterFlags & SchedulingFlags & { readonly once: boolean; readonly view: TopView };
