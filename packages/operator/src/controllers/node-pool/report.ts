import { conditionOf, fromTimestamp, nodePools, type Instant } from '@nodewright/apis';
import { eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { isPoolWithoutClass, type PoolSnapshot, toleratedUnresolvedMs } from './plan.ts';

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
