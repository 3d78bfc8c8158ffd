import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { OutputFormat } from '../../terminal/output.ts';

export type TakeoverFlags = ClusterFlags & {
  /** `NAMESPACE/NAME`. */
  readonly karpenter: string;
  readonly nodewright: string;
  readonly output?: OutputFormat;
};

export type TakeoverSwitchFlags = TakeoverFlags & { readonly timeout: number };
