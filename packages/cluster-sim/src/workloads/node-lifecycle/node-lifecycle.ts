import { type Lease, leases, type Node, nodes, pods } from '@nodewright/apis';
import type { EventRecorder, KubernetesClient } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { leaseNamespace } from '../../kubelets/lease-object.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { indexByNode, isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { readyOf } from './health.ts';
import { type NodeLifecycleAction, type NodeLifecycleSnapshot, plan } from './plan.ts';

/** Turns the conditions of silent nodes to Unknown, and conditions into taints. */
export function runNodeLifecycle(control: ClusterControlPlane): void {
  const { client } = control.options;
  const events = recorderOf(control.options, 'node-controller');
  const keys = startPlannedController(control, {
    name: 'node lifecycle',
    observe: (name) => observe(control, name),
    plan,
    perform: (action, { node }) => perform(action, node, { client, events }),
  });
  watchNodeHealth(control, keys);
}

function observe({ watches, options }: ClusterControlPlane, name: string): NodeLifecycleSnapshot | undefined {
  const node = watches.of(nodes).get(name);
  if (node === undefined) return undefined;
  const isReady = readyOf(node)?.status === 'True';
  return {
    node,
    lease: watches.of(leases).get(`${leaseNamespace}/${name}`),
    readyPods: isReady ? [] : watches.of(pods).by(indexByNode, name).filter(isReadyWorkloadPod),
    now: options.clock.now(),
  };
}

type NodeLifecycleWriters = { readonly client: KubernetesClient; readonly events: EventRecorder };

async function perform(
  action: NodeLifecycleAction,
  node: Node,
  { client, events }: NodeLifecycleWriters,
): Promise<void> {
  const { name, resourceVersion } = node.metadata;
  switch (action.kind) {
    case 'markUnknown': {
      const patch = { metadata: { resourceVersion }, status: { conditions: action.conditions } };
      await client.patch(nodes, { name }, { type: 'merge', patch }, { subresource: 'status' });
      const message = `Node ${name} status is now: NodeNotReady`;
      return events.publish({ kind: nodes, about: node, type: 'Normal', reason: 'NodeNotReady', message });
    }
    case 'writeTaints': {
      const patch = { metadata: { resourceVersion }, spec: { taints: action.taints } };
      await client.patch(nodes, { name }, { type: 'merge', patch });
      return;
    }
    case 'markPodNotReady': {
      const { metadata } = action.pod;
      const patch = { metadata: { uid: metadata.uid }, status: { conditions: action.conditions } };
      await unlessGone(client.patch(pods, keyOfMeta(metadata), { type: 'merge', patch }, { subresource: 'status' }));
    }
  }
}

/** A node is looked at when it or its lease changes. */
function watchNodeHealth({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(pods);
  watches.of(nodes).onChange((before, after) => keys.add(((after ?? before) as Node).metadata.name));
  watches.of(leases).onChange((before, after) => {
    const { namespace, name } = ((after ?? before) as Lease).metadata;
    if (namespace === leaseNamespace) keys.add(name);
  });
}
