import { disruptedTaint, type Node } from '@nodewright/apis';
import { isProvisionable } from '@nodewright/engine';
import { parseKey, requeueAfter, restAndPoll, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import { pollAtOrAfter } from '../../state/poll-times.ts';
import { hasTaint } from '../../state/taints.ts';
import type { BatchWindow } from './batch-window.ts';
import { askAgainMs, type RoundPauses } from './round-pauses.ts';

type TriggerDeps = { readonly objects: Objects; readonly window: BatchWindow };
type PodTriggerDeps = TriggerDeps & {
  readonly podTimes: PodTimes;
  readonly clock: Clock;
  readonly pauses: Pick<RoundPauses, 'restsUntil'>;
};

/**
 * `provisioner.trigger.pod`: a pod without a place asks for a round, again and again while it has none, and ever more
 * rarely while the answer can only be the same. Keys are pods.
 */
export function podTrigger({ objects, window, podTimes, clock, pauses }: PodTriggerDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    if (pod === undefined || !isProvisionable(pod)) return settled;
    const now = clock.now();
    podTimes.acknowledge(pod, now);
    const uid = pod.metadata.uid ?? key;
    const restsUntil = pauses.restsUntil(uid, now);
    if (restsUntil !== undefined)
      return restAndPoll(askAgainMs, pollAtOrAfter(restsUntil, { now, everyMs: askAgainMs }));
    window.trigger(uid);
    return requeueAfter(askAgainMs);
  };
}

/** `provisioner.trigger.node`: the pods of a node that is to go need a place. Keys are node names. */
export function nodeTrigger({ objects, window }: TriggerDeps): Reconciler {
  return async (name) => {
    const node = objects.nodes.get(name);
    if (node === undefined || !isNodeToGo(node)) return settled;
    window.trigger(node.metadata.uid ?? name);
    return requeueAfter(askAgainMs);
  };
}

/** Whether the pods of a node need a place elsewhere. */
export const isNodeToGo = ({ spec }: Node): boolean => hasTaint(spec?.taints, disruptedTaint);
