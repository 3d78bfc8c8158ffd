import { hours, instant, type Node, nodes, type Pod } from '@nodewright/apis';
import type { Clock, EventRecorder } from '@nodewright/runtime';
import { retryUntilStopped } from '../control-plane/retrying.ts';
import { indexByNode } from '../objects/pod-health.ts';
import type { BootedMachine } from '@nodewright/aws-endpoints';
import { bootTimes, type SeenBootTimes } from './boot-times.ts';
import { nodeResources } from './capacity.ts';
import { registerStorage } from './csi-node.ts';
import { Heartbeat } from './heartbeat.ts';
import { hasBehavior } from './node-behaviors.ts';
import { nodeConditions, nodeStatus } from './node-object.ts';
import { NodeStatusKeeper } from './node-status-keeper.ts';
import { PodRunner, type PodRunnerDeps } from './pod-runner.ts';
import { registerMachine, reportNotReady, reportReady, reportRepaired, stayReady } from './registration.ts';
import type { Bootstrap } from './user-data/bootstrap.ts';

export type KubeletDeps = PodRunnerDeps & {
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
  readonly writeLeasesEveryMs: number | undefined;
  readonly readersClock: Clock | undefined;
  readonly recorder: EventRecorder;
  readonly seenBootTimes: SeenBootTimes | undefined;
};

/** How long the kubelet of an image that stops renewing works. */
const wellForMs = hours(2);

/** The kubelet of one machine, from boot until the machine goes off. */
export class Kubelet {
  readonly #deps: KubeletDeps;
  readonly #machine: BootedMachine;
  readonly #bootstrap: Bootstrap;
  readonly #pods: PodRunner;
  readonly #keeper: NodeStatusKeeper;
  readonly #off = new AbortController();
  #heartbeat: Heartbeat | undefined;
  #isReady = false;
  #isReboot = false;
  #isUnwell: boolean;

  constructor(deps: KubeletDeps, machine: BootedMachine, bootstrap: Bootstrap) {
    this.#deps = deps;
    this.#machine = machine;
    this.#isUnwell = hasBehavior(machine, 'notReady');
    this.#bootstrap = bootstrap;
    this.#pods = new PodRunner(deps, machine, nodeResources(machine, bootstrap).allocatable);
    this.#keeper = new NodeStatusKeeper(deps, this.#off.signal, (at) => {
      const readiness = this.#isReady && !this.#isUnwell ? 'ready' : 'notReady';
      return nodeStatus(machine, bootstrap, nodeConditions(readiness, at));
    });
  }

  /** @param isReboot the machine ran before, so the monitoring agent reports its hardware healthy again */
  boot({ isReboot }: { readonly isReboot: boolean }): void {
    this.#isReboot = isReboot;
    const { clock, random, seenBootTimes } = this.#deps;
    const { instanceId, launchedAt, panicsAt } = this.#machine;
    const { registersAfterMs, readyAfterMs } = bootTimes(this.#machine, random.fork(instanceId), seenBootTimes);
    const due = instant(launchedAt + registersAfterMs);
    clock.at(due, () => void this.#persist(() => this.#join(readyAfterMs)));
    if (panicsAt !== undefined && !isReboot) clock.at(panicsAt, () => this.stop());
  }

  nodeChanged(node: Node): void {
    if (this.#heartbeat !== undefined && node.spec?.providerID === this.#machine.providerId) this.#keeper.changed(node);
  }

  podChanged(pod: Pod): void {
    if (this.#heartbeat !== undefined) this.#pods.changed(pod);
  }

  podGone(pod: Pod): void {
    this.#pods.gone(pod);
  }

  /** The machine goes off, or its kubelet dies. */
  stop(): void {
    this.#off.abort();
    this.#heartbeat?.end();
    this.#pods.stop();
  }

  /** The container network goes down. Containers that run go on running. */
  becomeNotReady(): void {
    this.#isUnwell = true;
    this.#pods.networkDown();
    void this.#persist(() => reportNotReady(this.#deps, this.#machine.privateDnsName));
  }

  async #join(readyAfterMs: number): Promise<void> {
    const { clock, client, signal, writeLeasesEveryMs: writeEveryMs, readersClock } = this.#deps;
    const node = await registerMachine(this.#deps, this.#machine, this.#bootstrap);
    const onBeat = async (): Promise<void> => {
      if (this.#isReady && !this.#isUnwell) await stayReady(this.#deps, node.metadata.name);
    };
    const heartbeat = new Heartbeat(
      { clock, client, signal, writeEveryMs, readersClock, onBeat },
      identityOfNode(node),
    );
    await heartbeat.begin();
    if (this.#off.signal.aborted) return heartbeat.end();
    this.#heartbeat = heartbeat;
    this.#tell(node, 'Starting', 'Starting kubelet.');
    for (const pod of this.#podsHere()) this.#pods.changed(pod);
    clock.at(instant(clock.now() + readyAfterMs), () => void this.#persist(() => this.#becomeReady(node)));
    if (hasBehavior(this.#machine, 'stopsRenewing')) {
      clock.at(instant(clock.now() + wellForMs), () => this.stop());
    }
  }

  async #becomeReady(node: Node): Promise<void> {
    if (this.#isUnwell) return this.#isReboot ? reportNotReady(this.#deps, this.#machine.privateDnsName) : undefined;
    await registerStorage(this.#deps.client, { machine: this.#machine, node, pods: this.#podsHere() });
    await reportReady(this.#deps, this.#machine.privateDnsName);
    if (this.#isReboot) await reportRepaired(this.#deps, this.#machine.privateDnsName);
    this.#isReady = true;
    this.#tell(node, 'NodeReady', `Node ${node.metadata.name} status is now: NodeReady`);
    this.#pods.networkUp(this.#podsHere());
  }

  #tell(node: Node, reason: string, message: string): void {
    this.#deps.recorder.publish({ kind: nodes, about: node, type: 'Normal', reason, message });
  }

  #podsHere(): readonly Pod[] {
    return this.#deps.pods.by(indexByNode, this.#machine.privateDnsName);
  }

  #persist(work: () => Promise<void>): Promise<void> {
    return retryUntilStopped(this.#deps.clock, this.#off.signal, work);
  }
}

const identityOfNode = ({ metadata }: Node): { name: string; uid: string } => ({
  name: metadata.name,
  uid: metadata.uid ?? '',
});
