import {
  earliest,
  fromTimestamp,
  instant,
  type Instant,
  type Node,
  type Pod,
  seconds,
  type Taint,
  type Toleration,
} from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { toleratesTaint } from '../../placement/tolerations.ts';

export type TaintEvictionSnapshot = { readonly pod: Pod; readonly node: Node; readonly now: Instant };

/** Deletes a pod when the first of its tolerations for the node's NoExecute taints is over. */
export function plan({ pod, node, now }: TaintEvictionSnapshot): ControllerPlan<'evict'> {
  const due = earliest(...listNoExecuteTaints(node).map((taint) => toleratedUntil(taint, pod)));
  return due !== undefined && due <= now ? { actions: ['evict'] } : { actions: [], recheckAt: due };
}

export const listNoExecuteTaints = (node: Node | undefined): readonly Taint[] =>
  (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** When the pod has to leave because of the taint; undefined when it tolerates the taint for ever. */
function toleratedUntil(taint: Taint, { metadata, spec }: Pod): Instant | undefined {
  const suitable = withDefaults(spec.tolerations ?? []).filter((toleration) => toleratesTaint(toleration, taint));
  if (suitable.length === 0) return instant(0);
  const limits = suitable.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  if (limits.length === 0) return undefined;
  const since = taint.timeAdded ?? metadata.creationTimestamp;
  return instant((since === undefined ? 0 : fromTimestamp(since)) + seconds(Math.max(0, Math.min(...limits))));
}

/** Admission gives every pod five minutes on a node that is not ready or unreachable, unless the pod says otherwise. */
function withDefaults(tolerations: readonly Toleration[]): readonly Toleration[] {
  const defaults = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key): Toleration => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  const missing = defaults.filter(({ key = '' }) => {
    return !tolerations.some((toleration) => toleratesTaint(toleration, { key, effect: 'NoExecute' }));
  });
  return [...tolerations, ...missing];
}
