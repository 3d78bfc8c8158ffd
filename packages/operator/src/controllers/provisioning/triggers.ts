import { disruptedTaint, seconds } from '@nodewright/apis';
import { isProvisionable } from '@nodewright/engine';
import { parseKey, requeueAfter, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import { hasTaint } from '../../state/taints.ts';
import type { BatchWindow } from './batch-window.ts';

const triggerAgainMs = seconds(10);

type TriggerDeps = { readonly objects: Objects; readonly window: BatchWindow };
type PodTriggerDeps = TriggerDeps & { readonly podTimes: PodTimes; readonly clock: Clock };

/** `provisioner.trigger.pod`: a pod without a place asks for a round, again and again while it has none. Keys are pods. */
export function podTrigger({ objects, window, podTimes, clock }: PodTriggerDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    if (pod === undefined || !isProvisionable(pod)) return settled;
    podTimes.acknowledge(pod, clock.now());
    window.trigger(pod.metadata.uid ?? key);
    return requeueAfter(triggerAgainMs);
  };
}

/** `provisioner.trigger.node`: the pods of a node that is to go need a place. Keys are node names. */
export function nodeTrigger({ objects, window }: TriggerDeps): Reconciler {
  return async (name) => {
    const node = objects.nodes.get(name);
    if (node === undefined || !hasTaint(node.spec?.taints, disruptedTaint)) return settled;
    window.trigger(node.metadata.uid ?? name);
    return requeueAfter(triggerAgainMs);
  };
}
