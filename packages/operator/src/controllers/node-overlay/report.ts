import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { OverlayEvaluationRound } from './evaluate.ts';

export const reportEvaluation = ({ standing, verdicts, failed }: OverlayEvaluationRound): readonly ReportEntry[] => [
  logEntry('debug', 'evaluated node overlays', { overlays: verdicts.size, accepted: standing.accepted.length }),
  ...failed.map(({ nodePool, error }) =>
    logEntry('error', 'skipping, unable to resolve instance types', {
      NodePool: { name: nodePool.metadata.name },
      error,
    }),
  ),
];
