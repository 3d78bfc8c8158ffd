import type { NodeClaim, Pod } from '@nodewright/apis';
import { isDaemonPod } from '@nodewright/engine';
import { parseKey, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { findClaimOfNode } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { planPodEvent } from './plan.ts';

type PodEventDeps = { readonly objects: Objects; readonly clock: Clock };

/**
 * `nodeclaim.podevents`: notes on a claim when a pod last came or went; `consolidateAfter` counts from there. Keys are
 * pods.
 */
export function podEventReconciler({ objects, clock }: PodEventDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    const claim = pod === undefined || isDaemonPod(pod) ? undefined : findClaimOfPod(objects, pod);
    if (pod === undefined || claim === undefined) return settled;
    const after = planPodEvent(claim, pod, clock.now());
    if (after !== claim) await objects.nodeClaims.save(claim, after);
    return settled;
  };
}

function findClaimOfPod(objects: Objects, { spec }: Pod): NodeClaim | undefined {
  const node = objects.nodes.get(spec.nodeName ?? '');
  return node && findClaimOfNode(objects, node);
}
