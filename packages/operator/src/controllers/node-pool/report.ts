import { conditionOf, fromTimestamp, minutes, nodePools, type Instant } from '@nodewright/apis';
import { eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { PoolSnapshot } from './plan.ts';

/** How long a class may be missing before it is told, and how often it is told again at most: a pool may come before its class. */
export const toleratedUnresolvedMs = minutes(1);

/** Whether the pool refers to a class that is not there, or is going. */
export const isPoolWithoutClass = ({ nodePool, nodeClass }: PoolSnapshot): boolean =>
  nodePool.metadata.deletionTimestamp === undefined &&
  (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined);

/** Karpenter gives this event no reason. */
export function reportUnresolvedClass(seen: PoolSnapshot, now: Instant): readonly ReportEntry[] {
  const { nodePool } = seen;
  const since = conditionOf(nodePool, 'NodeClassReady')?.lastTransitionTime;
  if (!isPoolWithoutClass(seen) || since === undefined || now < fromTimestamp(since) + toleratedUnresolvedMs) return [];
  return [
    eventEntry({
      kind: nodePools,
      about: nodePool,
      type: 'Warning',
      reason: '',
      message: `Failed resolving NodeClass ${nodePool.spec.template.spec.nodeClassRef.name}`,
      dedupe: ['unresolved', nodePool.metadata.uid ?? nodePool.metadata.name],
    }),
  ];
}
