import {
  fromTimestamp,
  instant,
  type Instant,
  type Node,
  nodes,
  type Pod,
  pods,
  type Taint,
  type Toleration,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { indexByNode } from '../../objects/pod-health.ts';
import { toleratesTaint } from '../../placement/tolerations.ts';

/** Deletes pods from nodes with a NoExecute taint that they do not tolerate, or not any longer. */
export function runTaintEviction(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const events = recorderOf(options, 'taint-eviction-controller');

  const reconcile = async (key: string): Promise<Recheck> => {
    const pod = watches.of(pods).get(key);
    const node = watches.of(nodes).get(pod?.spec.nodeName ?? '');
    if (pod === undefined || node === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
    const due = evictionDue(pod, node);
    if (due === undefined || due > clock.now()) return due;
    const message = `Marking for deletion Pod ${key}`;
    events.publish({ kind: pods, about: pod, type: 'Normal', reason: 'TaintManagerEviction', message });
    const options = pod.metadata.uid === undefined ? {} : { preconditions: { uid: pod.metadata.uid } };
    await unlessRefusedAs('Conflict', unlessGone(client.delete(pods, keyOfMeta(pod.metadata), options)));
    return undefined;
  };

  const keys = control.controller('taint eviction', reconcile);
  watches.of(pods).onChange((before, after) => {
    if (after?.spec.nodeName !== undefined && before?.spec.nodeName === undefined) keys.add(objectKeyText(after));
  });
  watches.of(nodes).onChange((before, after) => {
    if (after === undefined || JSON.stringify(noExecute(before)) === JSON.stringify(noExecute(after))) return;
    for (const pod of watches.of(pods).by(indexByNode, after.metadata.name)) keys.add(objectKeyText(pod));
  });
}

/** When the pod has to go; never when it tolerates all for ever. */
function evictionDue(pod: Pod, node: Node): Instant | undefined {
  const dues = noExecute(node).flatMap((taint) => dueFor(taint, pod) ?? []);
  return dues.length === 0 ? undefined : instant(Math.min(...dues));
}

function dueFor(taint: Taint, { metadata, spec }: Pod): Instant | undefined {
  const suitable = withDefaults(spec.tolerations ?? []).filter((toleration) => toleratesTaint(toleration, taint));
  if (suitable.length === 0) return instant(0);
  const seconds = suitable.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  if (seconds.length < suitable.length && seconds.length === 0) return undefined;
  const since = taint.timeAdded ?? metadata.creationTimestamp;
  return instant((since === undefined ? 0 : fromTimestamp(since)) + Math.max(0, Math.min(...seconds)) * 1000);
}

const noExecute = (node: Node | undefined): readonly Taint[] =>
  (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** Admission gives every pod five minutes on a node that is not well, unless the pod says otherwise. */
function withDefaults(tolerations: readonly Toleration[]): readonly Toleration[] {
  const usual = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key): Toleration => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  const missing = usual.filter(({ key = '' }) => {
    return !tolerations.some((toleration) => toleratesTaint(toleration, { key, effect: 'NoExecute' }));
  });
  return [...tolerations, ...missing];
}
