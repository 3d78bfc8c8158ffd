import { instant, type Pod, type PodStatus, seconds, toTimestamp } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { retryUntilStopped } from '../control-plane/retrying.ts';
import { restoredStatus } from './restored-status.ts';

export type PodStatusKeeperDeps = {
  readonly clock: Clock;
  /** Writes a status on top of the very version of the pod that is given. */
  readonly write: (pod: Pod, status: PodStatus) => Promise<void>;
  /** The pod as it is known now. */
  readonly latest: (pod: Pod) => Pod;
};

/** How often a kubelet compares what it knows with what the API server tells. */
const comparedEveryMs = seconds(10);

/** How soon it answers a change of a readiness gate. */
const gatesEveryMs = seconds(1);

/**
 * Tells the API server again what a kubelet knows of its running pods when another client has written something different:
 * the control plane turns `Ready` off while a node is silent, and only the kubelet turns it on again.
 */
export class PodStatusKeeper {
  readonly #deps: PodStatusKeeperDeps;
  readonly #reported = new Map<string, PodStatus>();
  readonly #due = new Map<string, AbortController>();

  constructor(deps: PodStatusKeeperDeps) {
    this.#deps = deps;
  }

  /** Remembers what was reported of a pod. */
  reported({ metadata, status }: Pod): void {
    if (status !== undefined) this.#reported.set(metadata.uid ?? '', status);
  }

  changed(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    if (this.#due.has(uid) || this.#restored(pod) === undefined) return;
    const stop = new AbortController();
    this.#due.set(uid, stop);
    const { clock } = this.#deps;
    const waitMs = pod.spec.readinessGates === undefined ? comparedEveryMs : gatesEveryMs;
    const timer = clock.at(instant(clock.now() + waitMs), () => void this.#restore(pod, stop));
    stop.signal.addEventListener('abort', () => timer.cancel());
  }

  gone({ metadata }: Pod): void {
    const uid = metadata.uid ?? '';
    this.#reported.delete(uid);
    this.#due.get(uid)?.abort();
    this.#due.delete(uid);
  }

  /** From now on nothing is written; what was reported is still known. */
  rest(): void {
    for (const stop of this.#due.values()) stop.abort();
    this.#due.clear();
  }

  #restored(pod: Pod): PodStatus | undefined {
    const at = toTimestamp(this.#deps.clock.now());
    return restoredStatus(pod, this.#reported.get(pod.metadata.uid ?? ''), at);
  }

  async #restore(pod: Pod, stop: AbortController): Promise<void> {
    const { clock, latest, write } = this.#deps;
    await retryUntilStopped(clock, stop.signal, async () => {
      const found = latest(pod);
      const status = this.#restored(found);
      if (status !== undefined && found.metadata.deletionTimestamp === undefined) await write(found, status);
    });
    if (stop.signal.aborted) return;
    this.#due.delete(pod.metadata.uid ?? '');
    this.changed(latest(pod));
  }
}
