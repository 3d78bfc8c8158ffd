import type { VcpuRoom } from '@nodewright/apis';

/** A kind of node: `m5.large`, bought `on-demand`. */
export type BoughtKind = VcpuRoom['counted'][number];

/**
 * Limits of the account on running instances.
 *
 * Guarantees: each limit comes once, by code, with the asked kinds of nodes that count against it. Kinds that count against
 * none, and limits whose value cannot be told, are left out. What runs is counted over the whole account, at most a minute
 * ago.
 *
 * Errors: a `CloudError` when AWS cannot be asked. Nothing depends on the answer.
 *
 * `describeAccountContract` of the testkit has this as tests.
 */
export interface QuotaPort {
  roomFor(kinds: readonly BoughtKind[], signal: AbortSignal): Promise<readonly VcpuRoom[]>;
}
