import {
  fromTimestamp,
  instant,
  type Instant,
  latest,
  minutes,
  type Pod,
  type PodStatus,
  seconds,
  toTimestamp,
} from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { type PodEnd, podEnd } from './container-end.ts';
import { crashedStatus, endedStatus, overdueStatus, restartedStatus } from './pod-status.ts';

const firstCrashBackoffMs = seconds(10);
const longestCrashBackoffMs = minutes(5);

/** Brings pods that do their work and stop to their end. Where a pod stands is read from its status alone. */
export class PodWork {
  readonly #clock: Clock;
  readonly #report: (pod: Pod, status: PodStatus) => Promise<Pod | undefined>;
  readonly #latest: (pod: Pod) => Pod;

  /**
   * @param report writes a status and gives the pod back, unless it is gone
   * @param latest the pod as it is known now
   */
  constructor(
    clock: Clock,
    report: (pod: Pod, status: PodStatus) => Promise<Pod | undefined>,
    latest: (pod: Pod) => Pod,
  ) {
    this.#clock = clock;
    this.#report = report;
    this.#latest = latest;
  }

  /** Whether the pod ends by itself. */
  ends(pod: Pod): boolean {
    return podEnd(pod) !== undefined;
  }

  isAtWork(pod: Pod): boolean {
    return pod.status?.phase === 'Running' && this.ends(pod);
  }

  /** Until the pod, given as it runs or waits to be started again, has ended. `OnFailure` starts its containers again, later each time. */
  async run(begun: Pod, signal: AbortSignal): Promise<void> {
    const end = podEnd(begun);
    if (end === undefined) return;
    let pod: Pod | undefined = begun;
    while (pod?.status?.phase === 'Running') {
      pod = crashTime(pod) === undefined ? await this.#work(pod, end, signal) : await this.#restart(pod, signal);
    }
  }

  /** Writes the end of a killed pod before it is deleted, so that its owner can count it. */
  async cutShort(pod: Pod): Promise<void> {
    if (!this.isAtWork(pod)) return;
    const terminated = new Map(pod.spec.containers.map(({ name }) => [name, 143] as const));
    await this.#report(pod, endedStatus(pod, terminated, toTimestamp(this.#clock.now())));
  }

  async #work(begun: Pod, { afterMs, exitCodes }: PodEnd, signal: AbortSignal): Promise<Pod | undefined> {
    const due = instant((startTime(begun) ?? this.#clock.now()) + afterMs);
    const deadline = activeDeadlineOf(begun) ?? due;
    const pod = await this.#at(instant(Math.min(due, deadline)), begun, signal);
    const at = toTimestamp(this.#clock.now());
    if (deadline < due) return this.#report(pod, overdueStatus(pod, at));
    const hasFailed = [...exitCodes.values()].some((code) => code !== 0);
    const isRestarted = hasFailed && pod.spec.restartPolicy === 'OnFailure';
    return this.#report(pod, isRestarted ? crashedStatus(pod, exitCodes, at) : endedStatus(pod, exitCodes, at));
  }

  async #restart(crashedPod: Pod, signal: AbortSignal): Promise<Pod | undefined> {
    const crashedAt = crashTime(crashedPod) ?? this.#clock.now();
    const pod = await this.#at(instant(crashedAt + backoffMs(crashedPod)), crashedPod, signal);
    return this.#report(pod, restartedStatus(pod, toTimestamp(this.#clock.now())));
  }

  /** The pod as it is then. */
  async #at(due: Instant, pod: Pod, signal: AbortSignal): Promise<Pod> {
    const now = this.#clock.now();
    if (due <= now) return pod;
    await this.#clock.sleep(due - now, signal);
    return this.#latest(pod);
  }
}

const timesOf = (pod: Pod, read: (status: NonNullable<PodStatus['containerStatuses']>[number]) => string | undefined) =>
  (pod.status?.containerStatuses ?? []).flatMap((status) => read(status) ?? []).map((time) => fromTimestamp(time));

const startTime = (pod: Pod): Instant | undefined => latest(...timesOf(pod, ({ state }) => state?.running?.startedAt));

const crashTime = (pod: Pod): Instant | undefined =>
  latest(
    ...timesOf(pod, ({ state, lastState }) =>
      state?.waiting?.reason === 'CrashLoopBackOff' ? lastState?.terminated?.finishedAt : undefined,
    ),
  );

const activeDeadlineOf = ({ spec, status }: Pod): Instant | undefined =>
  spec.activeDeadlineSeconds === undefined || status?.startTime === undefined
    ? undefined
    : instant(fromTimestamp(status.startTime) + spec.activeDeadlineSeconds * 1000);

function backoffMs({ status }: Pod): number {
  const restarts = Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
  return Math.min(longestCrashBackoffMs, firstCrashBackoffMs * 2 ** restarts);
}
