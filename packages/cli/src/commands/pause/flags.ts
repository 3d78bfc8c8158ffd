import type { PausedReason } from '@nodewright/apis';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { OutputFormat } from '../../terminal/output.ts';

/** What a pause is about. Everything, when nothing is given. */
export type PauseScopeFlags = {
  readonly nodepool?: readonly string[];
  readonly nodegroup?: readonly string[];
  /** `tier=production,team in (a,b)`. */
  readonly selector?: string;
};

export type PauseFlags = ClusterFlags &
  PauseScopeFlags & {
    readonly output?: OutputFormat;
    readonly reason: string;
    /** In milliseconds. */
    readonly for?: number;
    readonly only?: readonly PausedReason[];
    readonly inFlight: 'Finish' | 'Revert';
  };

export type ResumeFlags = ClusterFlags & PauseScopeFlags & { readonly output?: OutputFormat; readonly all: boolean };
