/**
 * What the pods of one owner have done on nodes of one variant, on one side.
 *
 * An owner is the object that made the pods, together with the revision of their template: a new version of an
 * application is compared with itself. Each pod counts at most once in each counter.
 */
export type OwnerCounters = {
  readonly variant: string;
  /** Peers in the time of the wave, and in the seven days before the rollout. */
  readonly side: 'members' | 'peers' | 'peersBefore';
  readonly owner: string;
  /** Starts of pods, and failed starts: retries of a pod are the same start. */
  readonly starts: number;
  readonly failedStarts: number;
  readonly podSeconds: number;
  /** Pods whose containers restarted. */
  readonly restartedPods: number;
  /** Pods that had time to become Ready, and pods that did not become Ready in it. */
  readonly duePods: number;
  readonly unreadyPods: number;
};

export type ComparedSignal = 'containerStarts' | 'restarts' | 'podsReady';

export const comparedSignals: readonly ComparedSignal[] = ['containerStarts', 'restarts', 'podsReady'];

/** Events and the exposure in which they happened: starts, pods, or seconds of pods. */
export type ExposedEvents = { readonly events: number; readonly exposure: number };

export function eventsOfSignal(counters: OwnerCounters, signal: ComparedSignal): ExposedEvents {
  switch (signal) {
    case 'containerStarts':
      return { events: counters.failedStarts, exposure: counters.starts };
    case 'restarts':
      return { events: counters.restartedPods, exposure: counters.podSeconds };
    case 'podsReady':
      return { events: counters.unreadyPods, exposure: counters.duePods };
  }
}
