import { type Instant, instant, type Pod } from '@nodewright/apis';
import { podName, type SchedulingOptions } from '@nodewright/engine';
import type { Clock, Logger } from '@nodewright/runtime';
import { printSomeNames } from '../../reporting/some-of.ts';

const preferencesKeptMs = 24 * 3_600_000;

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

export type PreferenceDeps = {
  readonly log: Logger;
  readonly clock: Clock;
  readonly options: SchedulingOptions;
  readonly toldOf: ToldPods;
};

/** Preferences are met where they can be, at the price of nodes that cannot be emptied later: once per pod somebody should hear of it. */
export function tellOfPreferences({ log, clock, options, toldOf }: PreferenceDeps, pending: readonly Pod[]): void {
  if (options.preferencePolicy === 'Ignore') return;
  const untold = toldOf.untold(
    pending.filter((pod) => prefersApart(pod) || isLooselySpread(pod)),
    clock.now(),
  );
  const tell = (message: string, pods: readonly Pod[]): void => {
    if (pods.length > 0) log.info(message, { Pods: printSomeNames(pods.map(podName).toSorted()) });
  };
  tell(
    'pod(s) have a preferred pod anti-affinity, which can keep nodes from being consolidated',
    untold.filter(prefersApart),
  );
  tell(
    'pod(s) have a ScheduleAnyway topology spread, which can keep nodes from being consolidated',
    untold.filter(isLooselySpread),
  );
}

const prefersApart = ({ spec }: Pod): boolean =>
  (spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;

const isLooselySpread = ({ spec }: Pod): boolean =>
  (spec.topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
