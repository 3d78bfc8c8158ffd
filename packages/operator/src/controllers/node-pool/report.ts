import { nodePools } from '@nodewright/apis';
import { eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { PoolSnapshot } from './plan.ts';

/** Karpenter gives this event no reason. */
export const reportUnresolvedClass = ({ nodePool, nodeClass }: PoolSnapshot): readonly ReportEntry[] =>
  nodePool.metadata.deletionTimestamp !== undefined || isResolved(nodeClass)
    ? []
    : [
        eventEntry({
          kind: nodePools,
          about: nodePool,
          type: 'Warning',
          reason: '',
          message: `Failed resolving NodeClass ${nodePool.spec.template.spec.nodeClassRef.name}`,
          dedupe: ['unresolved', nodePool.metadata.uid ?? nodePool.metadata.name],
        }),
      ];

const isResolved = (nodeClass: PoolSnapshot['nodeClass']): boolean =>
  nodeClass !== undefined && nodeClass.metadata.deletionTimestamp === undefined;
