import type { Pod } from '@nodewright/apis';
import { podName } from '@nodewright/engine';
import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { printSomeNames } from '../../reporting/some-of.ts';
import { isLooselySpread, prefersApart } from './preferences.ts';

/** Preferences are met where they can be, at the price of nodes that cannot be emptied later. Each pod is reported once. */
export const reportPreferences = (untold: readonly Pod[]): readonly ReportEntry[] => [
  ...reportNames(
    'pod(s) have a preferred pod anti-affinity, which can keep nodes from being consolidated',
    untold.filter(prefersApart),
  ),
  ...reportNames(
    'pod(s) have a ScheduleAnyway topology spread, which can keep nodes from being consolidated',
    untold.filter(isLooselySpread),
  ),
];

const reportNames = (message: string, pods: readonly Pod[]): readonly ReportEntry[] =>
  pods.length === 0 ? [] : [logEntry('info', message, { Pods: printSomeNames(pods.map(podName).toSorted()) })];
