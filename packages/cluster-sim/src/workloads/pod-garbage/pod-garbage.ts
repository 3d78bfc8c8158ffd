import { type Condition, instant, type Node, nodes, type Pod, pods, toTimestamp } from '@nodewright/apis';
import { mergeConditions } from '../../objects/conditions.ts';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { indexByNode } from '../../objects/pod-health.ts';

/** A node that is not there gets this long to appear. */
const quarantineMs = 40_000;

/** Deletes pods that are bound to nodes that do not exist. */
export function runPodGarbage(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const known = watches.of(nodes);
  const allPods = watches.of(pods);

  const reconcile = async (nodeName: string): Promise<Recheck> => {
    const lost = allPods.by(indexByNode, nodeName);
    if (known.get(nodeName) !== undefined || lost.length === 0) return undefined;
    if ((await client.get(nodes, { name: nodeName })) !== undefined) return undefined;
    for (const pod of lost) await discard(pod);
    return undefined;
  };

  const discard = async (pod: Pod): Promise<void> => {
    const key = keyOfMeta(pod.metadata);
    const failed = { metadata: { uid: pod.metadata.uid }, status: failedStatus(pod) };
    const patched = client.patch(pods, key, { type: 'merge', patch: failed }, { subresource: 'status' });
    await unlessRefusedAs('Conflict', unlessGone(patched));
    const { uid } = pod.metadata;
    const force = { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { preconditions: { uid } }) };
    await unlessRefusedAs('Conflict', unlessGone(client.delete(pods, key, force)));
  };

  const failedStatus = ({ status }: Pod): object => {
    const condition: Condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
    };
    return { phase: 'Failed', conditions: mergeConditions(status?.conditions, [condition], toTimestamp(clock.now())) };
  };

  const keys = control.controller('pod garbage', reconcile);
  const suspect = (nodeName: string): void => keys.addAt(nodeName, instant(clock.now() + quarantineMs));
  known.onChange((before, after) => {
    if (after === undefined) suspect((before as Node).metadata.name);
  });
  allPods.onChange((before, after) => {
    const nodeName = after?.spec.nodeName;
    if (nodeName === undefined || before?.spec.nodeName !== undefined) return;
    if (known.get(nodeName) === undefined) suspect(nodeName);
  });
}
