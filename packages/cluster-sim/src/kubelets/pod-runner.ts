import { instant, type Pod, pods, type PodStatus, type ResourceList, toTimestamp } from '@nodewright/apis';
import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';
import { keyOfMeta } from '../objects/object-key.ts';
import { indexByNode } from '../objects/pod-health.ts';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { retryUntilStopped } from '../control-plane/retrying.ts';
import type { Watched } from '../control-plane/watched.ts';
import type { BootedMachine } from '@nodewright/aws-endpoints';
import { EphemeralContainers } from './ephemeral-containers.ts';
import { failsContainers } from './node-behaviors.ts';
import { freePodAddress } from './pod-addresses.ts';
import type { PodEvents } from './pod-events.ts';
import { creatingStatus, failingStatus, type PodPlace, runningStatus } from './pod-status.ts';
import { PodResizes } from './pod-resizes.ts';
import { PodStatusKeeper } from './pod-status-keeper.ts';
import { wasShellLeft } from './container-end.ts';
import { PodWork } from './pod-work.ts';

export type PodRunnerDeps = {
  readonly clock: Clock;
  readonly client: KubernetesClient;
  readonly random: Random;
  readonly pods: Watched<Pod>;
  readonly podEvents: PodEvents;
};

/** Why a run ends, made once: it is not read, and an error that is made for each run costs its stack. */
const runIsOver = new Error('the pod does something else by now');

type Run = { readonly stage: 'starting' | 'working' | 'ending'; readonly stop: AbortController };

const startMs = { from: 1_000, spread: 2_000 };
const pullMs = { from: 500, spread: 3_000 };
const endMs = { from: 1_000, spread: 1_000 };

/** Moves the pods of one node through their phases. It reads all its state from the pods, so a restart loses nothing. */
export class PodRunner {
  readonly #deps: PodRunnerDeps;
  readonly #machine: BootedMachine;
  readonly #runs = new Map<string, Run>();
  readonly #pulled = new Set<string>();
  readonly #work: PodWork;
  readonly #keeper: PodStatusKeeper;
  readonly #ephemeral: EphemeralContainers;
  readonly #resizes: PodResizes;
  #networkIsUp = false;
  #stopped = false;

  /** @param allocatable what the node has for its pods */
  constructor(deps: PodRunnerDeps, machine: BootedMachine, allocatable: ResourceList) {
    this.#deps = deps;
    this.#machine = machine;
    this.#work = new PodWork(
      deps.clock,
      (pod, status) => this.#report(pod, status),
      (pod) => this.#latest(pod),
    );
    this.#ephemeral = new EphemeralContainers({
      clock: deps.clock,
      report: (pod, status) => this.#report(pod, status, pod.metadata.resourceVersion),
      latest: (pod) => this.#latest(pod),
    });
    this.#resizes = new PodResizes({
      clock: deps.clock,
      allocatable,
      podEvents: deps.podEvents,
      report: (pod, status) => this.#report(pod, status, pod.metadata.resourceVersion),
      latest: (pod) => this.#latest(pod),
      podsHere: () => deps.pods.by(indexByNode, machine.privateDnsName),
    });
    this.#keeper = new PodStatusKeeper({
      clock: deps.clock,
      write: async (pod, status) => void (await this.#report(pod, status, pod.metadata.resourceVersion)),
      latest: (pod) => this.#latest(pod),
    });
  }

  /** From now on pods that need a network of their own can start. */
  networkUp(waiting: readonly Pod[]): void {
    this.#networkIsUp = true;
    for (const pod of waiting) this.changed(pod);
  }

  /** Pods that need a network of their own do not start, and no probe reaches those that run. */
  networkDown(): void {
    this.#networkIsUp = false;
    this.#keeper.rest();
  }

  changed(pod: Pod): void {
    if (this.#stopped) return;
    const stage = this.#runs.get(uidOfRunPod(pod))?.stage;
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (stage !== 'ending') this.#begin(pod, 'ending', (signal) => this.#end(pod, signal));
    } else if (stage === undefined && this.#canStart(pod)) {
      this.#begin(pod, 'starting', (signal) => this.#start(pod, signal));
    } else if ((stage === undefined || wasShellLeft(pod)) && stage !== 'working' && this.#work.isAtWork(pod)) {
      this.#begin(pod, 'working', (signal) => this.#work.run(pod, signal));
    }
    this.#ephemeral.changed(pod);
    this.#resizes.changed(pod);
    if (this.#networkIsUp && pod.metadata.deletionTimestamp === undefined) this.#keeper.changed(pod);
  }

  gone(pod: Pod): void {
    this.#keeper.gone(pod);
    this.#ephemeral.gone(pod);
    this.#resizes.gone(pod);
    this.#runs.get(uidOfRunPod(pod))?.stop.abort(runIsOver);
    this.#runs.delete(uidOfRunPod(pod));
  }

  /** The machine is off, so its pods stay as they are. */
  stop(): void {
    this.#stopped = true;
    this.#keeper.rest();
    this.#ephemeral.stop();
    this.#resizes.stop();
    for (const run of this.#runs.values()) run.stop.abort(runIsOver);
    this.#runs.clear();
  }

  #canStart({ spec, status }: Pod): boolean {
    const isPending = status?.phase === undefined || status.phase === 'Pending';
    return isPending && (this.#networkIsUp || spec.hostNetwork === true);
  }

  #begin(pod: Pod, stage: Run['stage'], work: (signal: AbortSignal) => Promise<void>): void {
    this.#runs.get(uidOfRunPod(pod))?.stop.abort(runIsOver);
    const stop = new AbortController();
    this.#runs.set(uidOfRunPod(pod), { stage, stop });
    const { clock } = this.#deps;
    clock.at(clock.now(), () => void retryUntilStopped(clock, stop.signal, () => work(stop.signal)));
  }

  async #start(pod: Pod, signal: AbortSignal): Promise<void> {
    const { clock, random, pods: known } = this.#deps;
    const chance = random.fork(uidOfRunPod(pod));
    await this.#report(pod, creatingStatus(pod, this.#placeOf('')));
    const missing = this.#missingImages(pod);
    await clock.sleep(randomDelayMs(startMs, chance) + pullMsOf(missing, chance), signal);
    for (const image of missing) this.#pulled.add(image);
    const address = pod.spec.hostNetwork === true ? this.#machine.privateIp : freePodAddress(known, uidOfRunPod(pod));
    const now = this.#latest(pod);
    const place = this.#placeOf(address);
    if (failsContainers(this.#machine, now, chance)) return this.#fail(now, place);
    const begun = await this.#report(now, runningStatus(now, place));
    this.#deps.podEvents.started(now, missing);
    if (begun !== undefined && this.#work.ends(begun)) {
      this.#begin(begun, 'working', (following) => this.#work.run(begun, following));
    }
  }

  async #fail(pod: Pod, place: PodPlace): Promise<void> {
    await this.#report(pod, failingStatus(pod, place));
    this.#deps.podEvents.failed(pod);
  }

  async #end(pod: Pod, signal: AbortSignal): Promise<void> {
    const { clock, client, random, podEvents } = this.#deps;
    podEvents.ending(pod);
    const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000;
    const wanted = randomDelayMs(endMs, random.fork(uidOfRunPod(pod)));
    const due = instant(clock.now() + (this.#hasStarted(pod) ? Math.min(wanted, graceMs) : 0));
    await clock.sleep(due - clock.now(), signal);
    await this.#work.cutShort(this.#latest(pod));
    const options = { gracePeriodSeconds: 0, preconditions: { uid: uidOfRunPod(pod) } };
    await unlessRefusedAs('Conflict', unlessGone(client.delete(pods, keyOfMeta(pod.metadata), options)));
  }

  #hasStarted(pod: Pod): boolean {
    return this.#latest(pod).status?.phase === 'Running';
  }

  /** Images that are on the node already cost nothing. */
  #missingImages({ spec }: Pod): ReadonlySet<string> {
    return new Set(spec.containers.map(({ image }) => image ?? '').filter((image) => !this.#pulled.has(image)));
  }

  /** The pod as the watch shows it now: others write conditions, too. */
  #latest(pod: Pod): Pod {
    const { namespace, name } = pod.metadata;
    const latest = this.#deps.pods.get(`${namespace}/${name}`);
    return latest?.metadata.uid === pod.metadata.uid && latest !== undefined ? latest : pod;
  }

  #placeOf(podIP: string): PodPlace {
    return { hostIP: this.#machine.privateIp, podIP, at: toTimestamp(this.#deps.clock.now()) };
  }

  /** @param resourceVersion refuses the report when the pod has changed since */
  async #report(pod: Pod, status: PodStatus, resourceVersion?: string): Promise<Pod | undefined> {
    // The uid refuses the report when another pod has taken the name.
    const metadata = { uid: uidOfRunPod(pod), ...(resourceVersion !== undefined && { resourceVersion }) };
    const written = this.#deps.client.patch(
      pods,
      keyOfMeta(pod.metadata),
      { type: 'merge', patch: { metadata, status } },
      { subresource: 'status' },
    );
    const reported = await unlessRefusedAs('Conflict', unlessGone(written));
    if (reported !== undefined) this.#keeper.reported(reported);
    return reported;
  }
}

const pullMsOf = (images: ReadonlySet<string>, chance: Random): number =>
  [...images].reduce((sum) => sum + randomDelayMs(pullMs, chance), 0);

const uidOfRunPod = ({ metadata }: Pod): string => metadata.uid ?? '';

const randomDelayMs = ({ from, spread }: { from: number; spread: number }, chance: Random): number =>
  from + chance.integer(spread);
