import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { OverlaySnapshot } from './observe.ts';
import type { OverlayPlan } from './plan.ts';

export const reportEvaluation = (
  { standing, verdicts }: OverlayPlan,
  failed: OverlaySnapshot['failed'],
): readonly ReportEntry[] => [
  logEntry('debug', 'evaluated node overlays', { overlays: verdicts.size, accepted: standing.accepted.length }),
  ...failed.map(({ nodePool, error }) =>
    logEntry('error', 'skipping, unable to resolve instance types', {
      NodePool: { name: nodePool.metadata.name },
      error,
    }),
  ),
];
