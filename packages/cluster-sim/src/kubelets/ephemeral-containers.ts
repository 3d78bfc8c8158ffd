import {
  type Container,
  type ContainerStatus,
  fromTimestamp,
  instant,
  type Instant,
  type Pod,
  type PodStatus,
  toTimestamp,
  byNumberOf,
} from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { isEndedPod } from '../objects/pod-health.ts';
import { endOfContainer } from './container-end.ts';
import { startedContainer, terminatedContainer } from './pod-status.ts';

type EphemeralDeps = {
  readonly clock: Clock;
  readonly report: (pod: Pod, status: PodStatus) => Promise<unknown>;
  /** The pod as it is known now. */
  readonly latest: (pod: Pod) => Pod;
};

/**
 * Starts the ephemeral containers of running pods, as `kubectl debug` makes them, and ends them once. Where one stands is
 * read from the status of its pod alone.
 */
export class EphemeralContainers {
  readonly #deps: EphemeralDeps;
  readonly #timers = new Map<string, { cancel(): void }>();

  constructor(deps: EphemeralDeps) {
    this.#deps = deps;
  }

  changed(pod: Pod): void {
    if (pod.spec.ephemeralContainers === undefined) return;
    this.gone(pod);
    const { clock } = this.#deps;
    const next = nextEphemeralStatus(pod, clock.now());
    if (next === undefined) return;
    const due = instant(Math.max(next.at, clock.now()));
    this.#timers.set(
      pod.metadata.uid ?? '',
      clock.at(due, () => void this.#step(pod)),
    );
  }

  gone({ metadata }: Pod): void {
    this.#timers.get(metadata.uid ?? '')?.cancel();
    this.#timers.delete(metadata.uid ?? '');
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** The report changes the pod, and the change leads to the next step. */
  async #step(pod: Pod): Promise<void> {
    const found = this.#deps.latest(pod);
    const next = nextEphemeralStatus(found, this.#deps.clock.now());
    if (next !== undefined && next.at <= this.#deps.clock.now()) await this.#deps.report(found, next.status);
  }
}

type EphemeralStep = { readonly at: Instant; readonly status: PodStatus };

/** The next change of the status of an ephemeral container of a running pod: it starts, or it ends. */
export function nextEphemeralStatus(pod: Pod, now: Instant): EphemeralStep | undefined {
  const { metadata, spec, status } = pod;
  if (status?.phase !== 'Running' || isEndedPod(pod) || metadata.deletionTimestamp !== undefined) return undefined;
  const known = status.ephemeralContainerStatuses ?? [];
  const steps = (spec.ephemeralContainers ?? []).flatMap((container) => {
    const next = nextContainerStatus(pod, container, { known, now });
    if (next === undefined) return [];
    return [
      { at: next.at, status: { ...status, ephemeralContainerStatuses: inSpecOrder(pod, [...known, next.status]) } },
    ];
  });
  return steps.toSorted(byNumberOf(({ at }) => at))[0];
}

/** The last status of each ephemeral container. */
const inSpecOrder = ({ spec }: Pod, statuses: readonly ContainerStatus[]): readonly ContainerStatus[] =>
  (spec.ephemeralContainers ?? []).flatMap(({ name }) => statuses.findLast((status) => status.name === name) ?? []);

function nextContainerStatus(
  pod: Pod,
  container: Container,
  { known, now }: { readonly known: readonly ContainerStatus[]; readonly now: Instant },
): { readonly at: Instant; readonly status: ContainerStatus } | undefined {
  const found = known.find(({ name }) => name === container.name);
  if (found === undefined) return { at: now, status: startedEphemeral(pod, container, now) };
  const startedAt = found.state?.running?.startedAt;
  const end = endOfContainer(pod, container);
  if (startedAt === undefined || end === undefined) return undefined;
  const at = instant(Math.max(now, fromTimestamp(startedAt) + end.afterMs));
  return { at, status: terminatedContainer(found, end.exitCode, toTimestamp(at)) };
}

/** Ephemeral containers have no probes, so none of them is ready. */
const startedEphemeral = (pod: Pod, container: Container, at: Instant): ContainerStatus => ({
  ...startedContainer(pod, container, toTimestamp(at)),
  ready: false,
  started: false,
});
