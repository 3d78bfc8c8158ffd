import type { OutputFormat } from '../../terminal/output.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';

export type NodeGroupFlags = ClusterFlags & { readonly output?: OutputFormat };
/** How a group is to be updated that has no NodeGroup yet. */
export type NodeGroupTargetFlags = NodeGroupFlags & { readonly image?: string };
export type NodeGroupUpgradeFlags = NodeGroupTargetFlags & {
  readonly wait: boolean;
  readonly timeout: number;
};
