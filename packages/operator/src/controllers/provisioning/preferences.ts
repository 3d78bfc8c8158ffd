import { days, type Instant, instant, type Pod } from '@nodewright/apis';
import { podName, type SchedulingOptions } from '@nodewright/engine';

const preferencesKeptMs = days(1);

/** The pods whose preferences were reported, each for a day. */
export class ToldPods {
  readonly #until = new Map<string, Instant>();

  /** The pods that were not reported yet. From now on they count as reported. */
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

export const prefersApart = ({ spec }: Pod): boolean =>
  (spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;

export const isLooselySpread = ({ spec }: Pod): boolean =>
  (spec.topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
