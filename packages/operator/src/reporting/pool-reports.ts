import { nodePools, type DisruptionReason, type NodePool } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

const oneMinuteMs = 60_000;

export const noCompatibleInstanceTypes = (pool: NodePool): EventReport => ({
  kind: nodePools,
  about: pool,
  type: 'Warning',
  reason: 'NoCompatibleInstanceTypes',
  message: 'The requirements of the NodePool leave no instance type that can be launched',
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
