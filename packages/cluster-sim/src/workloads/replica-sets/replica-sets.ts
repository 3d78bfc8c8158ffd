import { oncePerObject, type Pod, pods, type ReplicaSet, replicaSets } from '@nodewright/apis';
import { ApiError, type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import { countsTerminating } from '../../control-plane/controller-options.ts';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import type { CountedBy } from '../../control-plane/watched.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { isActive, isEndedPod, readySince } from '../../objects/pod-health.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { PodControl } from '../pod-control.ts';
import { failedCreateStatus, plan, type ReplicaSetAction, type ReplicaSetSnapshot } from './plan.ts';

/** Keeps as many pods as a ReplicaSet asks for. */
export function runReplicaSets(control: ClusterControlPlane): void {
  const podControl = new PodControl(control, replicaSets);
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'replica sets',
    gapMs: countingGapMs,
    observe: (key) => observe(control, podControl, key),
    plan,
    perform: (action, snapshot) => perform(action, snapshot, { client, podControl }),
  });
  watchReplicaSets(control, keys);
}

function observe(
  { watches, options }: ClusterControlPlane,
  podControl: PodControl,
  key: string,
): ReplicaSetSnapshot | undefined {
  const set = watches.of(replicaSets).get(key);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
  const { uid = '' } = set.metadata;
  const alike = (set.spec.minReadySeconds ?? 0) === 0 ? byReadiness : byReadyTime;
  const counted = watches.of(pods).counted(alike, uid);
  return {
    set,
    active: counted.filter(({ one }) => isActive(one)),
    terminating: countsTerminating(options) ? counted.filter(({ one }) => isTerminating(one)) : undefined,
    listActive: () => watches.of(pods).by(byController, uid).filter(isActive),
    heldUntil: podControl.heldUntil(key),
    now: options.clock.now(),
  };
}

/** The pod is being deleted and has not ended. */
const isTerminating = (pod: Pod): boolean => !isActive(pod) && !isEndedPod(pod);

/** All that a set without a time of readiness counts its pods by. */
const byReadiness: CountedBy<Pod> = {
  index: byController,
  likeness: (pod) => `${isActive(pod)} ${isEndedPod(pod)} ${readySince(pod) !== undefined} ${textOfLabels(pod)}`,
};

/** As `byReadiness`, for a set whose pods count some time after they are ready. */
const byReadyTime: CountedBy<Pod> = {
  index: byController,
  likeness: (pod) => `${isActive(pod)} ${isEndedPod(pod)} ${readySince(pod)} ${textOfLabels(pod)}`,
};

const noLabels: Readonly<Record<string, string>> = {};

const textOfLabels = ({ metadata }: Pod): string => printLabels(metadata.labels ?? noLabels);

const printLabels = oncePerObject((labels: Readonly<Record<string, string>>): string => JSON.stringify(labels));

type Writers = { readonly client: KubernetesClient; readonly podControl: PodControl };

function perform(action: ReplicaSetAction, snapshot: ReplicaSetSnapshot, writers: Writers): Promise<void> {
  const { set } = snapshot;
  const { client, podControl } = writers;
  switch (action.kind) {
    case 'createPod':
      return createOrTell(action.pod, snapshot, writers);
    case 'deletePod':
      return podControl.delete(set, action.pod);
    case 'writeStatus':
      return patchStatus(client, replicaSets, set, action.status);
  }
}

/** A pod that cannot be made shows in the status of its set. */
async function createOrTell(pod: Pod, snapshot: ReplicaSetSnapshot, { client, podControl }: Writers): Promise<void> {
  const { set } = snapshot;
  try {
    await podControl.create(set, pod);
  } catch (error) {
    const status = error instanceof ApiError ? failedCreateStatus(snapshot, error.message) : undefined;
    if (status !== undefined && differsFromPatch(set.status, status))
      await patchStatus(client, replicaSets, set, status);
    throw error;
  }
}

/** A set is looked at when it changes, and when a pod that it controls or controlled changes. */
function watchReplicaSets({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(replicaSets).onChange((before, after) => keys.add(objectKeyText((after ?? before) as ReplicaSet)));
  watches.of(pods).onChange((before, after) => {
    for (const pod of [before, after]) {
      const owner = pod === undefined ? undefined : controllerKey(pod, 'ReplicaSet');
      if (owner !== undefined) keys.add(owner);
    }
  });
}
