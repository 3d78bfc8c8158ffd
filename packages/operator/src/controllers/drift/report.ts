import { isConditionTrue, type NodeClaim } from '@nodewright/apis';
import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { ClaimMarksPlan } from './plan.ts';

export function reportClaimMarks(claim: NodeClaim, { drift, after }: ClaimMarksPlan): readonly ReportEntry[] {
  const NodeClaim = { name: claim.metadata.name };
  const isMarkedNow = after !== drift.after && isConditionTrue(after, 'Consolidatable');
  return [
    ...(drift.after === claim ? [] : [logEntry('debug', 'marking drifted', { NodeClaim, reason: drift.because })]),
    ...(isMarkedNow ? [logEntry('debug', 'marking consolidatable', { NodeClaim })] : []),
  ];
}
