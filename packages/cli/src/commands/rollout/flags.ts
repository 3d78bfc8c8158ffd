import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { OutputFormat } from '../../terminal/output.ts';

export type RolloutFlags = ClusterFlags & { readonly output?: OutputFormat };
/** A request is answered by the controller; `timeout` in milliseconds is how long that is waited for. */
export type RolloutRequestFlags = RolloutFlags & { readonly reason: string; readonly timeout: number };
export type RolloutApprovalFlags = RolloutRequestFlags & { readonly wave?: string; readonly unexpectedDrift: boolean };
export type RolloutSkipSoakFlags = RolloutRequestFlags & { readonly wave?: string };
export type RolloutWatchFlags = RolloutFlags & { readonly timeout: number };
export type RolloutRollbackFlags = RolloutRequestFlags & { readonly to?: string };
