import { days, type Instant, instant, type Pod } from '@nodewright/apis';
import { podName, type SchedulingOptions } from '@nodewright/engine';
import { logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { printSomeNames } from '../../reporting/some-of.ts';

const preferencesKeptMs = days(1);

/** Whom something was told of, for a day. */
export class ToldPods {
  readonly #until = new Map<string, Instant>();

  /** Those of the pods of whom it was not told yet; from now on it was. */
  untold(pods: readonly Pod[], now: Instant): readonly Pod[] {
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
    const untold = pods.filter((pod) => !this.#until.has(preferenceKeyOf(pod)));
    for (const pod of untold) this.#until.set(preferenceKeyOf(pod), instant(now + preferencesKeptMs));
    return untold;
  }
}

const preferenceKeyOf = (pod: Pod): string => pod.metadata.uid ?? podName(pod);

/** Pods whose preferences can keep nodes from being consolidated. */
export const listPreferringPods = (pending: readonly Pod[], options: SchedulingOptions): readonly Pod[] =>
  options.preferencePolicy === 'Ignore' ? [] : pending.filter((pod) => prefersApart(pod) || isLooselySpread(pod));

/** Preferences are met where they can be, at the price of nodes that cannot be emptied later: each pod is told of once. */
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

const prefersApart = ({ spec }: Pod): boolean =>
  (spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;

const isLooselySpread = ({ spec }: Pod): boolean =>
  (spec.topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
