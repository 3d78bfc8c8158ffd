import type { NodeClaim } from '@nodewright/apis';
import { warnAboutClaim } from '../../reporting/claim-events.ts';
import { eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { ConsistencyPlan } from './plan.ts';

/** An event and a line for each problem of the node. */
export const reportConsistency = (claim: NodeClaim, { problems }: ConsistencyPlan): readonly ReportEntry[] =>
  problems.flatMap((problem) => [
    logEntry('info', 'failed consistency check', { NodeClaim: { name: claim.metadata.name }, issue: problem }),
    eventEntry({
      ...warnAboutClaim(claim, 'FailedConsistencyCheck', problem),
      dedupe: [claim.metadata.uid ?? claim.metadata.name, problem],
    }),
  ]);
