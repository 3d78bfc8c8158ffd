import { nodePools, type DisruptionReason, type NodePool } from '@nodewright/apis';
import type { MinValuesShortfall } from '@nodewright/requirements';
import type { EventReport } from '@nodewright/runtime';

const oneMinuteMs = 60_000;

/** @param short the minimum counts that its types do not meet; none when it has no types at all */
export const noCompatibleInstanceTypes = (pool: NodePool, short: readonly MinValuesShortfall[]): EventReport => ({
  kind: nodePools,
  about: pool,
  type: 'Warning',
  reason: 'NoCompatibleInstanceTypes',
  message:
    short.length === 0
      ? 'The requirements of the NodePool leave no instance type that can be launched'
      : `The requirements of the NodePool leave too few instance types for its minValues: ${short.map(({ key, wanted, found }) => `${key} has ${found} of ${wanted}`).join(', ')}`,
  dedupe: [pool.metadata.uid ?? pool.metadata.name],
  windowMs: oneMinuteMs,
});

export const blockedByBudget = (pool: NodePool, reason: DisruptionReason): EventReport => ({
  kind: nodePools,
  about: pool,
  type: 'Normal',
  reason: 'DisruptionBlocked',
  message: `No allowed disruptions for disruption reason ${reason} due to blocking budget`,
  dedupe: [pool.metadata.uid ?? pool.metadata.name, reason],
  windowMs: oneMinuteMs,
});
