import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { OutputFormat } from '../../terminal/output.ts';

export type CrdsFlags = ClusterFlags & { readonly upgradeCheck: boolean; readonly output?: OutputFormat };
