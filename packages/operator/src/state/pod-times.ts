import type { Instant, Pod } from '@nodewright/apis';
import { podName } from '@nodewright/engine';

type Times = {
  /** When it was first seen to need a node. */
  readonly acknowledged: Instant;
  /** When a round first said whether there is a place for it. */
  decided?: Instant;
  /** Since when rounds have found a place for it, on what is known to become nodes. */
  schedulable?: Instant;
};

/** How far pods have come that were seen without a node. Only measurements rest on it: a restart begins anew. */
export class PodTimes {
  readonly #times = new Map<string, Times>();

  /** The first call counts. */
  acknowledge(pod: Pod, now: Instant): void {
    const key = podTimeKeyOf(pod);
    if (!this.#times.has(key)) this.#times.set(key, { acknowledged: now });
  }

  /**
   * What a round found. A place counts from the first round that finds one, as long as every later one does.
   * @returns how long the pod waited for its first decision; `undefined` when this is not the first
   */
  decide(pod: Pod, found: 'place' | 'doubtfulPlace' | 'nothing', now: Instant): number | undefined {
    this.acknowledge(pod, now);
    const times = this.#times.get(podTimeKeyOf(pod));
    if (times === undefined) return undefined;
    const isFirst = times.decided === undefined;
    times.decided ??= now;
    if (found === 'place') times.schedulable ??= now;
    else delete times.schedulable;
    return isFirst ? now - times.acknowledged : undefined;
  }

  /** Milliseconds since the pod was seen, while no round has decided on it. */
  undecidedMs(pod: Pod, now: Instant): number | undefined {
    const times = this.#times.get(podTimeKeyOf(pod));
    return times === undefined || times.decided !== undefined ? undefined : now - times.acknowledged;
  }

  /** Since when there has been a place for the pod. */
  schedulableSince(pod: Pod): Instant | undefined {
    return this.#times.get(podTimeKeyOf(pod))?.schedulable;
  }

  forget(pod: Pod): void {
    this.#times.delete(podTimeKeyOf(pod));
  }
}

const podTimeKeyOf = (pod: Pod): string => pod.metadata.uid ?? podName(pod);
