import { type Pod, pods, readOwn, type ReplicaSet, replicaSets } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Recheck } from '../../control-plane/control-plane.ts';
import { compareText, keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { PodControl } from '../pod-control.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { isActive, isAvailable, isReadyWorkloadPod, nextAvailable } from '../../objects/pod-health.ts';
import { differsFromPatch, withoutZeros } from '../../objects/status-patch.ts';

/** Keeps as many pods as a ReplicaSet asks for. */
export function runReplicaSets(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const sets = watches.of(replicaSets);
  const podControl = new PodControl(control, replicaSets);

  const reconcile = async (key: string): Promise<Recheck> => {
    const set = sets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const owned = watches
      .of(pods)
      .by(byController, set.metadata.uid ?? '')
      .filter(isActive);
    const held = podControl.heldUntil(key);
    if (held === undefined) await level(set, owned);
    await report(set, owned);
    return held ?? nextAvailable(owned, set.spec.minReadySeconds ?? 0, options.clock.now());
  };

  const level = async (set: ReplicaSet, owned: readonly Pod[]): Promise<void> => {
    const missing = (set.spec.replicas ?? 1) - owned.length;
    const { template } = set.spec;
    if (template === undefined) return;
    for (let count = 0; count < missing; count += 1) {
      await podControl.create(set, podFromTemplate(template, { type: replicaSets, object: set }));
    }
    const surplus = missing < 0 ? owned.toSorted(leastWorthFirst).slice(0, -missing) : [];
    for (const pod of surplus) {
      await podControl.delete(set, pod);
    }
  };

  const report = async (set: ReplicaSet, owned: readonly Pod[]): Promise<void> => {
    const now = options.clock.now();
    const minReadySeconds = set.spec.minReadySeconds ?? 0;
    const labels = Object.entries(set.spec.template?.metadata?.labels ?? {});
    const isLabeled = ({ metadata }: Pod): boolean =>
      labels.every(([name, value]) => readOwn(metadata.labels, name) === value);
    const status = withoutZeros({
      fullyLabeledReplicas: owned.filter(isLabeled).length,
      readyReplicas: owned.filter(isReadyWorkloadPod).length,
      availableReplicas: owned.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: set.metadata.generation ?? 0,
    });
    const patch = { status: { replicas: owned.length, ...status } };
    if (!differsFromPatch(set.status, patch.status)) return;
    const key = keyOfMeta(set.metadata);
    await unlessGone(options.client.patch(replicaSets, key, { type: 'merge', patch }, { subresource: 'status' }));
  };

  const keys = control.controller('replica sets', reconcile, countingGapMs);
  sets.onChange((before, after) => keys.add(objectKeyText((after ?? before) as ReplicaSet)));
  watches.of(pods).onChange((before, after) => {
    for (const pod of [before, after]) {
      const owner = pod === undefined ? undefined : controllerKey(pod, 'ReplicaSet');
      if (owner !== undefined) keys.add(owner);
    }
  });
}

/** Without a node first, then not ready, then the youngest. */
function leastWorthFirst(a: Pod, b: Pod): number {
  const worth = rank(a) - rank(b);
  const age = compareText(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '');
  return worth || age || compareText(objectKeyText(a), objectKeyText(b));
}

const rank = (pod: Pod): number => (pod.spec.nodeName === undefined ? 0 : 1) + (isReadyWorkloadPod(pod) ? 1 : 0);
