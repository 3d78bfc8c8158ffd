import { nodes, type Pod, pods } from '@nodewright/apis';
import { type EventRecorder, type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { deleteSameObject } from '../../control-plane/writes.ts';
import { indexByNode } from '../../objects/pod-health.ts';
import { listNoExecuteTaints, plan, type TaintEvictionSnapshot } from './plan.ts';

/** Deletes pods from nodes with a NoExecute taint that the pods do not tolerate, or do not tolerate any longer. */
export function runTaintEviction(control: ClusterControlPlane): void {
  const { client } = control.options;
  const events = recorderOf(control.options, 'taint-eviction-controller');
  const keys = startPlannedController(control, {
    name: 'taint eviction',
    observe: (key) => observe(control, key),
    plan,
    perform: (_, { pod }) => evictTaintedPod(pod, client, events),
  });
  watchTaints(control, keys);
}

function observe({ watches, options }: ClusterControlPlane, key: string): TaintEvictionSnapshot | undefined {
  const pod = watches.of(pods).get(key);
  const node = watches.of(nodes).get(pod?.spec.nodeName ?? '');
  if (pod === undefined || node === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
  return { pod, node, now: options.clock.now() };
}

async function evictTaintedPod(pod: Pod, client: KubernetesClient, events: EventRecorder): Promise<void> {
  const message = `Marking for deletion Pod ${objectKeyText(pod)}`;
  events.publish({ kind: pods, about: pod, type: 'Normal', reason: 'TaintManagerEviction', message });
  await deleteSameObject(client, pods, pod);
}

/** A pod is looked at when it gets its node, and when the NoExecute taints of its node change. */
function watchTaints({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(pods).onChange((before, after) => {
    if (after?.spec.nodeName !== undefined && before?.spec.nodeName === undefined) keys.add(objectKeyText(after));
  });
  watches.of(nodes).onChange((before, after) => {
    if (after === undefined) return;
    if (JSON.stringify(listNoExecuteTaints(before)) === JSON.stringify(listNoExecuteTaints(after))) return;
    for (const pod of watches.of(pods).by(indexByNode, after.metadata.name)) keys.add(objectKeyText(pod));
  });
}
