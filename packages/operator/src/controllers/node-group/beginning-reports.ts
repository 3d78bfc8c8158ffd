import type { EventReport } from '@nodewright/runtime';
import * as reports from './report.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { listGroupWarnings } from './warnings.ts';

/** That an update begins, and what a person should know of it by now. */
export const beginningReports = (seen: NodeGroupSnapshot, target: string): readonly EventReport[] => [
  reports.updateStarted(seen.nodeGroup, target),
  ...listGroupWarnings(seen).map((warning) => reports.updateWarned(seen.nodeGroup, warning)),
];
