import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { OutputFormat } from '../../terminal/output.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';

export type ExplainFlags = ClusterFlags & SchedulingFlags & { readonly output?: OutputFormat };
export type ExplainPodFlags = ExplainFlags & { readonly namespace?: string };
