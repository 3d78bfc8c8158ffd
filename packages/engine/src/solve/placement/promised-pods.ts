import { byTextOf, type Pod } from '@nodewright/apis';
import type { NodeState } from '../../cluster/node-state.ts';
import { podName } from '../../pods/pod-state.ts';
import type { ExistingNode } from '../nodes/existing/existing-node.ts';
import type { RoundPlacement } from './placement.ts';
import type { ClassifiedPod, ClassifiedPods } from '../pods/pod-class.ts';
import type { ExistingPlacement } from '../problem.ts';

/** The result of placing pods on the nodes that are promised to them. */
export type KeptPromises = {
  /** The pods that still need a place. */
  readonly others: readonly ClassifiedPods[];
  /** Pods that stay with their node although it does not admit them as it is now. */
  readonly waiting: readonly ExistingPlacement[];
};

type KeptPod = ClassifiedPod & { readonly node: ExistingNode };

/**
 * Puts pods on the nodes that were launched for them, in the order of their names. A pod whose room others have taken is
 * left over like any other pod; rules about other pods are tried again as long as that brings a pod more to its node.
 */
export function placePromisedPods(
  classes: readonly ClassifiedPods[],
  promised: ReadonlyMap<Pod, NodeState> | undefined,
  placement: RoundPlacement,
): KeptPromises {
  if (promised === undefined || promised.size === 0) return { others: classes, waiting: [] };
  let open = promisesIn(classes, promised, placement);
  const settled = new Set<Pod>();
  const waiting = new Map<NodeState, Pod[]>();
  for (let before = Infinity; open.length < before;) {
    before = open.length;
    open = open.filter((promise) => {
      const outcome = placement.placeAsPromised(promise, promise.node);
      if (outcome === 'taken') return true;
      settled.add(promise.pod);
      if (outcome === 'notAdmitted') noteWaiting(waiting, promise);
      return false;
    });
  }
  return {
    others: classes
      .map(({ podClass, pods }) => ({ podClass, pods: pods.filter((pod) => !settled.has(pod)) }))
      .filter(({ pods }) => pods.length > 0),
    waiting: [...waiting].map(([node, pods]) => ({ node, pods })),
  };
}

const promisesIn = (
  classes: readonly ClassifiedPods[],
  promised: ReadonlyMap<Pod, NodeState>,
  { ground }: RoundPlacement,
): readonly KeptPod[] =>
  classes
    .flatMap(({ podClass, pods }) =>
      pods.flatMap((pod) => {
        const state = promised.get(pod);
        const node = state === undefined ? undefined : ground.existing.of(state);
        return node === undefined ? [] : { pod, podClass, node };
      }),
    )
    .toSorted(byTextOf(({ pod }) => podName(pod)));

function noteWaiting(waiting: Map<NodeState, Pod[]>, { pod, node }: KeptPod): void {
  const pods = waiting.get(node.state) ?? [];
  waiting.set(node.state, pods);
  pods.push(pod);
}
