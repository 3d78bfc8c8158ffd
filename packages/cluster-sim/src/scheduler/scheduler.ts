import {
  type Condition,
  namespaces,
  type Node,
  nodes,
  persistentVolumeClaims,
  type PersistentVolumeClaim,
  type Pod,
  podDisruptionBudgets,
  pods,
  toTimestamp,
} from '@nodewright/apis';
import { type EventRecorder, objectKeyText } from '@nodewright/runtime';
import { mergeConditions } from '../objects/conditions.ts';
import type { ClusterControllerOptions, Stoppable } from '../control-plane/controller-options.ts';
import { recorderOf } from '../control-plane/recorder.ts';
import { keyOfMeta } from '../objects/object-key.ts';
import { takesRoom } from '../objects/pod-health.ts';
import { isRefusedAs, unlessGone } from '../control-plane/refusals.ts';
import { deleteSameObject, patchPodStatus } from '../control-plane/writes.ts';
import { ClusterWatches } from '../control-plane/watches.ts';
import { usesClaimsOfDevices } from '../devices/claims-of-pod.ts';
import { selectedNodeKey } from '../volumes/claims/claim-step.ts';
import { admitsPod, chooseNode, type SchedulingSurroundings } from './choose.ts';
import { SchedulerCluster, type Assigned } from './cluster.ts';
import { Nominations } from './nominations.ts';
import { choosePreemption, type Preemption } from './preemption.ts';
import { NodeRankings } from './node-rankings.ts';
import { SchedulingQueue } from './queue.ts';
import type { SchedulingChoice } from './scheduling-choice.ts';
import { SchedulerDevices } from './devices.ts';
import { SchedulerVolumes } from './storage.ts';
import { awaitsNode, equivalenceClassOfPod, isHelpedByPods, scheduledBy } from './relevance.ts';

/** A scheduler with kube-scheduler's filters: finds a node for every pod that awaits one, or says why there is none. */
export function startScheduler(options: ClusterControllerOptions): Stoppable {
  const scheduler = new Scheduler(options);
  scheduler.start();
  return scheduler;
}

class Scheduler implements Stoppable {
  readonly #options: ClusterControllerOptions;
  readonly #watches: ClusterWatches;
  readonly #events: EventRecorder;
  readonly #queue: SchedulingQueue;
  readonly #cluster = new SchedulerCluster();
  readonly #rankings = new NodeRankings(this.#cluster);
  readonly #namespaces = new Map<string, Readonly<Record<string, string>>>();
  readonly #storage: SchedulerVolumes;
  readonly #devices: SchedulerDevices;
  /** Pods whose node is chosen and whose claims wait for their volumes there. */
  readonly #awaiting = new Map<string, Assigned>();
  readonly #nominations = new Nominations();
  readonly #refused = new Map<string, SchedulingChoice>();
  #refusedAt = 0;
  #running = false;
  #stopped = false;

  constructor(options: ClusterControllerOptions) {
    this.#options = options;
    this.#watches = new ClusterWatches(options);
    this.#storage = new SchedulerVolumes(this.#watches);
    this.#devices = new SchedulerDevices(this.#watches, options.client, {
      select: options.selectDevice ?? (() => false),
      onChange: () => this.#devicesChanged(),
    });
    this.#events = recorderOf(options, 'default-scheduler');
    this.#queue = new SchedulingQueue(options.clock, () => this.#wake());
  }

  start(): void {
    this.#watches.of(namespaces).onChange((before, now) => {
      if (now === undefined) this.#namespaces.delete(before?.metadata.name ?? '');
      else this.#namespaces.set(now.metadata.name, now.metadata.labels ?? {});
    });
    this.#watches.of(nodes).onChange((before, now) => this.#nodeChanged(before, now));
    this.#watches.of(pods).onChange((before, now) => this.#podChanged(before, now));
    this.#watches.of(podDisruptionBudgets);
    this.#storage.onChange((helps) => this.#storageChanged(helps));
    void this.#watches.whenSynced().then(() => this.#wake());
  }

  stop(): void {
    this.#stopped = true;
    void this.#events.stop();
    this.#watches.stop();
  }

  #nodeChanged(before: Node | undefined, now: Node | undefined): void {
    if (now === undefined) {
      this.#cluster.removeNode(before?.metadata.name ?? '');
      return this.#retryAwaiting(({ nodeName }) => nodeName === before?.metadata.name);
    }
    if (before !== undefined && scheduledBy(before) === scheduledBy(now)) return;
    this.#cluster.setNode(now);
    const state = this.#cluster.node(now.metadata.name);
    if (state !== undefined) this.#queue.changed((pod) => isHelpedByPods(pod) || admitsPod(state, pod));
  }

  #storageChanged(helps: (pod: Pod) => boolean): void {
    this.#refused.clear();
    this.#queue.changed(helps);
    this.#retryAwaiting(({ pod }) => helps(pod));
  }

  /** A pod whose claims have been made is tried again. */
  #claimsMade(before: Pod | undefined, { metadata, status }: Pod): void {
    const [was, is] = [before?.status, status].map((each) => JSON.stringify(each?.resourceClaimStatuses ?? []));
    if (before === undefined || was === is) return;
    this.#refused.clear();
    this.#queue.changed((pod) => pod.metadata.uid === metadata.uid);
  }

  #devicesChanged(): void {
    this.#refused.clear();
    this.#queue.changed(usesClaimsOfDevices);
  }

  #retryAwaiting(concerns: (awaiting: Assigned) => boolean): void {
    for (const awaiting of [...this.#awaiting.values()].filter(concerns)) {
      void this.#bindWithVolumes(awaiting).catch((error: unknown) => this.#failed(awaiting.pod, error));
    }
  }

  #podChanged(before: Pod | undefined, now: Pod | undefined): void {
    const key = objectKeyText((now ?? before) as Pod);
    const placed = this.#cluster.placement(key);
    if (now !== undefined && awaitsNode(now)) {
      const isAssumed = placed?.pod.metadata.uid === now.metadata.uid;
      if (isAssumed) return;
      this.#nominations.see(now);
      this.#queue.put(now);
      return this.#claimsMade(before, now);
    }
    this.#queue.remove(key);
    this.#nominations.end(key);
    this.#awaiting.delete(key);
    if (now !== undefined && takesRoom(now)) return this.#placed(now, placed?.pod);
    if (placed === undefined) return;
    this.#cluster.remove(key);
    this.#queue.changed(() => true);
  }

  #placed(now: Pod, before: Pod | undefined): void {
    const isSame =
      before?.spec.nodeName === now.spec.nodeName &&
      before !== undefined &&
      equivalenceClassOfPod(before) === equivalenceClassOfPod(now);
    if (isSame && before.metadata.deletionTimestamp === now.metadata.deletionTimestamp) return;
    this.#cluster.place(now, now.spec.nodeName ?? '');
    this.#queue.changed(isHelpedByPods);
  }

  /** Starts with the whole picture only: a pod bound on half of it might be on the wrong node. */
  #wake(): void {
    if (this.#running || !this.#watches.synced || this.#stopped) return;
    this.#running = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (let pod = this.#queue.next(); pod !== undefined && !this.#stopped; pod = this.#queue.next()) {
      await this.#schedule(pod).catch((error: unknown) => this.#failed(pod, error));
    }
    this.#running = false;
  }

  async #schedule(pod: Pod): Promise<void> {
    await this.#devices.prepare(pod);
    const choice = this.#choose(pod);
    if (choice.kind === 'node') return this.#bind(pod, choice.name);
    const preemption = this.#preemption(pod);
    this.#queue.park(objectKeyText(pod));
    await this.#report(pod, choice.message);
    if (preemption === 'underWay') return;
    if (preemption !== undefined) await this.#makeRoom(pod, preemption);
    else if (this.#nominations.end(objectKeyText(pod))) await this.#nominate(pod, null);
  }

  get #around(): SchedulingSurroundings {
    return {
      cluster: this.#cluster,
      namespaces: this.#namespaces,
      storage: this.#storage,
      devices: this.#devices,
      rankings: this.#rankings,
    };
  }

  #preemption(pod: Pod): Preemption | 'underWay' | undefined {
    if (this.#nominations.isRoomBeingMade(pod, this.#cluster)) return 'underWay';
    const rivals = this.#nominations.before(pod);
    const budgets = [...this.#watches.of(podDisruptionBudgets).all()];
    return this.#cluster.beside(rivals, () => choosePreemption(pod, this.#around, budgets));
  }

  /** The pod keeps the room on its node until its victims are gone and it comes to its turn. */
  async #makeRoom(pod: Pod, { nodeName, victims }: Preemption): Promise<void> {
    this.#nominations.begin({ pod, nodeName });
    for (const key of this.#nominations.endLesser(pod, nodeName)) {
      const other = this.#watches.of(pods).get(key);
      if (other !== undefined) await this.#nominate(other, null);
    }
    await this.#nominate(pod, nodeName);
    for (const victim of victims) await this.#remove(victim, pod, nodeName);
  }

  async #nominate(pod: Pod, nominatedNodeName: string | null): Promise<void> {
    await patchPodStatus(this.#options.client, pod, { nominatedNodeName });
  }

  async #remove(victim: Pod, pod: Pod, nodeName: string): Promise<void> {
    if (victim.metadata.deletionTimestamp !== undefined) return;
    const { client, clock } = this.#options;
    const conditions = mergeConditions(victim.status?.conditions, [preempted], toTimestamp(clock.now()));
    await patchPodStatus(client, victim, { conditions });
    await deleteSameObject(client, pods, victim);
    const message = `Preempted by pod ${pod.metadata.uid ?? objectKeyText(pod)} on node ${nodeName}`;
    this.#events.publish({ kind: pods, about: victim, type: 'Normal', reason: 'Preempted', message });
  }

  /** Of equal pods in an unchanged cluster one is looked at. */
  #choose(pod: Pod): SchedulingChoice {
    if (this.#refusedAt !== this.#cluster.generation) this.#refused.clear();
    this.#refusedAt = this.#cluster.generation;
    const name = equivalenceClassOfPod(pod);
    const known = this.#refused.get(name);
    if (known !== undefined) return known;
    const choice = this.#cluster.beside(this.#nominations.before(pod), () => chooseNode(pod, this.#around));
    if (choice.kind === 'unschedulable') this.#refused.set(name, choice);
    return choice;
  }

  async #bind(pod: Pod, nodeName: string): Promise<void> {
    // Counted before the API knows: the next choice must not take the same room.
    this.#cluster.place({ ...pod, spec: { ...pod.spec, nodeName } }, nodeName);
    this.#queue.remove(objectKeyText(pod));
    this.#nominations.end(objectKeyText(pod));
    const unbound = this.#storage.unbound(pod);
    if (unbound.length === 0) return this.#assign(pod, nodeName);
    this.#awaiting.set(objectKeyText(pod), { pod, nodeName });
    try {
      for (const claim of unbound) await this.#chooseVolume(claim, nodeName);
    } catch (error) {
      // No watch event comes for a claim that was not written: the pod gets another turn.
      this.#awaiting.delete(objectKeyText(pod));
      this.#takeBack(pod);
      throw error;
    }
  }

  /** Whoever makes volumes makes this one where the node can reach it. */
  async #chooseVolume({ metadata }: PersistentVolumeClaim, nodeName: string): Promise<void> {
    const patch = { metadata: { annotations: { [selectedNodeKey]: nodeName } } };
    await unlessGone(this.#options.client.patch(persistentVolumeClaims, keyOfMeta(metadata), { type: 'merge', patch }));
  }

  /** Once all volumes are there; chooses anew when one of them cannot be made, or the node is gone. */
  async #bindWithVolumes({ pod, nodeName }: Assigned): Promise<void> {
    const unbound = this.#storage.unbound(pod);
    const isGivenUp = this.#storage.refusal(pod) !== undefined || this.#cluster.node(nodeName) === undefined;
    if (unbound.length > 0 && !isGivenUp) return;
    this.#awaiting.delete(objectKeyText(pod));
    if (isGivenUp) this.#takeBack(pod);
    else await this.#assign(pod, nodeName);
  }

  async #assign(pod: Pod, nodeName: string): Promise<void> {
    const key = objectKeyText(pod);
    try {
      await this.#devices.reserve(pod, this.#cluster.node(nodeName)?.node);
      await this.#options.client.bind(keyOfMeta(pod.metadata), nodeName);
    } catch (error) {
      this.#takeBack(pod);
      if (isRefusedAs(error, 'NotFound')) return;
      throw error;
    }
    const message = `Successfully assigned ${key} to ${nodeName}`;
    this.#events.publish({ kind: pods, about: pod, type: 'Normal', reason: 'Scheduled', message });
  }

  #takeBack(pod: Pod): void {
    const seen = this.#watches.of(pods).get(objectKeyText(pod));
    this.#cluster.remove(objectKeyText(pod));
    if (seen !== undefined && takesRoom(seen)) this.#cluster.place(seen, seen.spec.nodeName ?? '');
    if (seen !== undefined && awaitsNode(seen)) this.#queue.put(seen);
  }

  #failed(pod: Pod, error: unknown): void {
    this.#queue.backOff(objectKeyText(pod));
    if (!this.#stopped) this.#options.log?.('scheduling failed', { pod: objectKeyText(pod), error: String(error) });
  }

  async #report(pod: Pod, message: string): Promise<void> {
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.reason === 'Unschedulable' && known.message === message) return;
    const condition: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    const conditions = mergeConditions(pod.status?.conditions, [condition], toTimestamp(this.#options.clock.now()));
    await patchPodStatus(this.#options.client, pod, { conditions });
    this.#events.publish({ kind: pods, about: pod, type: 'Warning', reason: 'FailedScheduling', message });
  }
}

const preempted: Condition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'PreemptionByScheduler',
  message: 'default-scheduler: preempting to accommodate a higher priority pod',
};
