import { type Lease, leases, type Node, nodes, type Pod, pods, toTimestamp } from '@nodewright/apis';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { mergeConditions } from '../../objects/conditions.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { indexByNode } from '../../objects/pod-health.ts';
import { leaseNamespace } from '../../kubelets/lease-object.ts';
import { isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { readyOf, silentFrom, unknownConditions } from './health.ts';
import { correctedTaints } from './taints.ts';

/** Stops believing nodes that are no longer heard of, and turns conditions into taints. */
export function runNodeLifecycle(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const events = recorderOf(options, 'node-controller');
  const known = watches.of(nodes);
  const heartbeats = watches.of(leases);

  const reconcile = async (name: string): Promise<Recheck> => {
    const node = known.get(name);
    if (node === undefined) return undefined;
    const silent = silentFrom(node, heartbeats.get(`${leaseNamespace}/${name}`));
    const isSilent = silent !== undefined && silent <= clock.now();
    if (isSilent && readyOf(node)?.status !== 'Unknown') return giveUp(node);
    await correct(node);
    if (readyOf(node)?.status !== 'True') await markPodsNotReady(name);
    return isSilent ? undefined : silent;
  };

  /** What follows from it is done when the watch shows it. */
  const giveUp = async (node: Node): Promise<undefined> => {
    const at = toTimestamp(clock.now());
    const conditions = mergeConditions(node.status?.conditions, unknownConditions(node), at);
    const patch = { metadata: { resourceVersion: node.metadata.resourceVersion }, status: { conditions } };
    await client.patch(nodes, keyOfMeta(node.metadata), { type: 'merge', patch }, { subresource: 'status' });
    tell(node, 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`);
  };

  const tell = (about: Node, reason: string, message: string): void =>
    events.publish({ kind: nodes, about, type: 'Normal', reason, message });

  const correct = async (node: Node): Promise<void> => {
    const taints = correctedTaints(node, toTimestamp(clock.now()));
    if (taints === undefined) return;
    const patch = { metadata: { resourceVersion: node.metadata.resourceVersion }, spec: { taints } };
    await client.patch(nodes, keyOfMeta(node.metadata), { type: 'merge', patch });
  };

  const markPodsNotReady = async (nodeName: string): Promise<void> => {
    for (const pod of watches.of(pods).by(indexByNode, nodeName).filter(isReadyWorkloadPod)) await markNotReady(pod);
  };

  const markNotReady = async ({ metadata, status }: Pod): Promise<void> => {
    const at = toTimestamp(clock.now());
    const conditions = mergeConditions(status?.conditions, [{ type: 'Ready', status: 'False' }], at);
    const patch = { metadata: { uid: metadata.uid }, status: { conditions } };
    await unlessGone(client.patch(pods, keyOfMeta(metadata), { type: 'merge', patch }, { subresource: 'status' }));
  };

  const keys = control.controller('node lifecycle', reconcile);
  known.onChange((before, after) => keys.add(((after ?? before) as Node).metadata.name));
  heartbeats.onChange((before, after) => {
    const { namespace, name } = ((after ?? before) as Lease).metadata;
    if (namespace === leaseNamespace) keys.add(name);
  });
}
