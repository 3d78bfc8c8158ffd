import { pods, type Pod } from '@nodewright/apis';
import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';
import { recorderOf } from '../control-plane/recorder.ts';
import { ClusterWatches } from '../control-plane/watches.ts';
import type { BootedMachine, MachineListener, NodeBehavior } from '@nodewright/aws-endpoints';
import { forgetNodeLater } from './cloud-node-lifecycle.ts';
import { Kubelet, type KubeletDeps } from './kubelet.ts';
import { PodEvents } from './pod-events.ts';
import { isBootstrap } from './user-data/bootstrap.ts';
import { readUserData } from './user-data/read.ts';

export type KubeletsOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  /** Machines whose user data names another cluster never join. */
  readonly clusterName: string;
  /** For readers from outside: how often leases show that they are renewed [never; in the cluster's time at least 10 s]. */
  readonly writeLeasesEveryMs?: number;
  /** The time of those readers: when the cluster's is advanced by days, nobody reads in between. The cluster's when left out. */
  readonly readersClock?: Clock;
  /** A line of the machine's console: why it does not join. */
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
};

export type Kubelets = MachineListener & { stop(): void };

type RunningMachine = { readonly machine: BootedMachine; readonly kubelet: Kubelet | undefined };

/** A kubelet on every machine that EC2 launches, and the part of the cloud controller that forgets nodes without a machine. */
export function createKubelets(options: KubeletsOptions): Kubelets {
  const { clock, client, random } = options;
  const ending = new AbortController();
  const watches = new ClusterWatches(options);
  const known = watches.of(pods);
  const recorder = recorderOf(options, 'kubelet');
  const deps: KubeletDeps = {
    clock,
    client,
    random,
    pods: known,
    podEvents: new PodEvents(recorder),
    recorder,
    signal: ending.signal,
    writeLeasesEveryMs: options.writeLeasesEveryMs,
    readersClock: options.readersClock,
  };
  const machines = new Map<string, RunningMachine>();
  const kubeletOf = new Map<string, Kubelet>();

  const start = (machine: BootedMachine, behavior: NodeBehavior, isReboot = false): void => {
    const kubelet = kubeletOn({ ...machine, behavior }, options, deps);
    machines.set(machine.instanceId, { machine, kubelet });
    if (kubelet === undefined) return;
    kubeletOf.set(machine.privateDnsName, kubelet);
    kubelet.boot({ isReboot });
  };

  const launched = (machine: BootedMachine): void => start(machine, machine.behavior);

  const stopping = (instanceId: string): void => {
    const running = machines.get(instanceId);
    if (running === undefined) return;
    machines.delete(instanceId);
    running.kubelet?.stop();
    if (kubeletOf.get(running.machine.privateDnsName) === running.kubelet)
      kubeletOf.delete(running.machine.privateDnsName);
    forgetNodeLater({ clock, client, signal: ending.signal }, running.machine);
  };

  /** A kubelet that begins to fail does so at once; one that recovers is another, as after a restart of the machine. */
  const behaves = (instanceId: string, behavior?: NodeBehavior): void => {
    const running = machines.get(instanceId);
    if (running === undefined) return;
    if (behavior === 'notReady') return running.kubelet?.becomeNotReady();
    running.kubelet?.stop();
    if (behavior !== 'stopsRenewing') start(running.machine, behavior ?? running.machine.behavior, true);
  };

  const stop = (): void => {
    ending.abort();
    watches.stop();
    void recorder.stop();
    for (const { kubelet } of machines.values()) kubelet?.stop();
  };

  known.onChange((before, after) => {
    if (after !== undefined) kubeletOf.get(nodeNameOfPod(after))?.podChanged(after);
    else if (before !== undefined) kubeletOf.get(nodeNameOfPod(before))?.podGone(before);
  });
  return { launched, stopping, behaves, stop };
}

const nodeNameOfPod = ({ spec }: Pod): string => spec.nodeName ?? '';

/** None when the machine can never join. */
function kubeletOn(
  machine: BootedMachine,
  { clusterName, log }: KubeletsOptions,
  deps: KubeletDeps,
): Kubelet | undefined {
  const { instanceId, behavior } = machine;
  const found = readUserData(machine);
  const because = isBootstrap(found) ? reasonToStayOut(found.clusterName, clusterName) : found.because;
  if (because !== undefined) log?.('machine does not join', { instance: instanceId, because });
  if (because !== undefined || !isBootstrap(found) || behavior === 'neverJoins') return undefined;
  return new Kubelet(deps, machine, found);
}

const reasonToStayOut = (named: string, clusterName: string): string | undefined =>
  named === clusterName ? undefined : `the user data names cluster '${named}', this is '${clusterName}'`;
