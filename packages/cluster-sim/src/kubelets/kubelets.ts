import { nodes, pods, type Pod } from '@nodewright/apis';
import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';
import { recorderOf } from '../control-plane/recorder.ts';
import { ClusterWatches } from '../control-plane/watches.ts';
import type { BootedMachine, MachineBehavior, MachineListener } from '@nodewright/aws-endpoints';
import type { SeenBootTimes } from './boot-times.ts';
import { forgetNodeLater } from './cloud-node-lifecycle.ts';
import { Kubelet, type KubeletDeps } from './kubelet.ts';
import { combineBehaviors, hasBehavior } from './node-behaviors.ts';
import { PodEvents } from './pod-events.ts';
import { isBootstrap } from './user-data/bootstrap.ts';
import { readUserData } from './user-data/read.ts';

export type KubeletsOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  /** The client of one node's kubelet [`client`]. */
  readonly clientOf?: ((nodeName: string) => KubernetesClient) | undefined;
  /** Machines whose user data names another cluster never join. */
  readonly clusterName: string;
  /** For readers from outside: how often leases show that they are renewed [never; in the cluster's time at least 10 s]. */
  readonly writeLeasesEveryMs?: number;
  /** The clock of these readers, who read nothing while the cluster's clock jumps ahead [the cluster's clock]. */
  readonly readersClock?: Clock;
  /** How long machines of this cluster were seen to take [what is usual for their images]. */
  readonly seenBootTimes?: SeenBootTimes;
  /** A line of the machine's console: why it does not join. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
};

export type Kubelets = MachineListener & { stop(): void };

type RunningMachine = {
  readonly machine: BootedMachine;
  readonly kubelet: Kubelet | undefined;
  /** How it behaves besides what the machine says. */
  readonly imposed: readonly MachineBehavior[];
};

/** A kubelet on every machine that EC2 launches, and the part of the cloud controller that forgets nodes without a machine. */
export const createKubelets = (options: KubeletsOptions): Kubelets => new RunningKubelets(options);

class RunningKubelets implements Kubelets {
  readonly #options: KubeletsOptions;
  readonly #deps: KubeletDeps;
  readonly #watches: ClusterWatches;
  readonly #ending = new AbortController();
  readonly #machines = new Map<string, RunningMachine>();
  readonly #kubeletOf = new Map<string, Kubelet>();

  constructor(options: KubeletsOptions) {
    const { clock, client, random, writeLeasesEveryMs, readersClock, seenBootTimes } = options;
    const recorder = recorderOf(options, 'kubelet');
    this.#options = options;
    this.#watches = new ClusterWatches(options);
    this.#deps = {
      clock,
      client,
      random,
      pods: this.#watches.of(pods),
      podEvents: new PodEvents(recorder),
      recorder,
      signal: this.#ending.signal,
      writeLeasesEveryMs,
      readersClock,
      seenBootTimes,
    };
    this.#deps.pods.onChange((before, after) => {
      if (after !== undefined) this.#kubeletOf.get(nodeNameOfPod(after))?.podChanged(after);
      else if (before !== undefined) this.#kubeletOf.get(nodeNameOfPod(before))?.podGone(before);
    });
    this.#watches.of(nodes).onChange((_, after) => {
      if (after !== undefined) this.#kubeletOf.get(after.metadata.name)?.nodeChanged(after);
    });
  }

  launched(machine: BootedMachine): void {
    this.#start(machine, [], false);
  }

  stopping(instanceId: string): void {
    const running = this.#machines.get(instanceId);
    if (running === undefined) return;
    const { machine, kubelet } = running;
    this.#machines.delete(instanceId);
    kubelet?.stop();
    if (this.#kubeletOf.get(machine.privateDnsName) === kubelet) this.#kubeletOf.delete(machine.privateDnsName);
    forgetNodeLater({ ...this.#options, signal: this.#ending.signal }, machine);
  }

  /** A kubelet fails at once. A kubelet that recovers is a new one, as after a restart of the machine. */
  behaves(instanceId: string, imposed: readonly MachineBehavior[]): void {
    const running = this.#machines.get(instanceId);
    if (running === undefined) return;
    const { machine, kubelet, imposed: before } = running;
    const onlyAdds = imposed.length === before.length + 1 && !isDead(before);
    if (onlyAdds && imposed.at(-1)?.behavior === 'notReady') {
      this.#machines.set(instanceId, { ...running, imposed });
      return kubelet?.becomeNotReady();
    }
    kubelet?.stop();
    if (isDead(imposed)) this.#machines.set(instanceId, { ...running, imposed });
    else this.#start(machine, imposed, true);
  }

  stop(): void {
    this.#ending.abort();
    this.#watches.stop();
    void this.#deps.recorder.stop();
    for (const { kubelet } of this.#machines.values()) kubelet?.stop();
  }

  #start(machine: BootedMachine, imposed: readonly MachineBehavior[], isReboot: boolean): void {
    const client = this.#options.clientOf?.(machine.privateDnsName) ?? this.#deps.client;
    const behaviors = combineBehaviors([...machine.behaviors, ...imposed]);
    const kubelet = kubeletOn({ ...machine, behaviors }, this.#options, { ...this.#deps, client });
    this.#machines.set(machine.instanceId, { machine, kubelet, imposed });
    if (kubelet === undefined) return;
    this.#kubeletOf.set(machine.privateDnsName, kubelet);
    kubelet.boot({ isReboot });
  }
}

/** A kubelet that is made to stop renewing dies at once; that of an image dies after a while. */
const isDead = (imposed: readonly MachineBehavior[]): boolean =>
  hasBehavior({ behaviors: combineBehaviors(imposed) }, 'stopsRenewing');

const nodeNameOfPod = ({ spec }: Pod): string => spec.nodeName ?? '';

/** Undefined when the machine can never join. */
function kubeletOn(
  machine: BootedMachine,
  { clusterName, log }: KubeletsOptions,
  deps: KubeletDeps,
): Kubelet | undefined {
  const { instanceId } = machine;
  const found = readUserData(machine);
  const because = isBootstrap(found) ? reasonToStayOut(found.clusterName, clusterName) : found.because;
  if (because !== undefined) log?.('machine does not join', { instance: instanceId, because });
  if (because !== undefined || !isBootstrap(found) || hasBehavior(machine, 'neverJoins')) return undefined;
  return new Kubelet(deps, machine, found);
}

const reasonToStayOut = (named: string, clusterName: string): string | undefined =>
  named === clusterName ? undefined : `the user data names cluster '${named}', this is '${clusterName}'`;
