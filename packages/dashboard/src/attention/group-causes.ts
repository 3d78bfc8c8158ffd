import { byNumberOf, byTextOf, inOrder, inReverse } from '@nodewright/apis';
import type { BlockerCause, BlockerRow } from '../rows/dashboard-rows.ts';

/** One object that holds nodes, for one cause. */
export type CauseGroup = {
  readonly cause: BlockerCause;
  /** Each once. */
  readonly messages: readonly string[];
  readonly nodes: readonly BlockerRow[];
};

/** The objects that hold most nodes come first. Causes without an object are told apart by their words. */
export function groupCauses(blockers: readonly BlockerRow[]): readonly CauseGroup[] {
  const groups = new Map<
    string,
    { readonly cause: BlockerCause; readonly messages: Set<string>; readonly nodes: Set<BlockerRow> }
  >();
  for (const row of blockers) {
    for (const cause of row.causes) {
      const { kind = '', name = cause.message } = cause.object ?? {};
      const key = [cause.cause, kind, name].join('\n');
      const group = groups.get(key) ?? { cause, messages: new Set(), nodes: new Set() };
      group.messages.add(cause.message);
      group.nodes.add(row);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .map(({ cause, messages, nodes }) => ({ cause, messages: [...messages], nodes: [...nodes] }))
    .toSorted(
      inOrder(
        inReverse(byNumberOf(({ nodes }) => nodes.length)),
        byTextOf(({ cause }) => cause.message),
      ),
    );
}

/** What a person can do about a cause; `undefined` where waiting is the only thing, or the message says it. */
export function adviseOnCause({ cause, object, isLasting = false }: BlockerCause): string | undefined {
  const name = object?.name ?? '';
  switch (cause) {
    case 'eviction':
      return `have PodDisruptionBudget ${name} allow an eviction, or run more replicas`;
    case 'protectedPod':
      return `wait for the end of pod ${name}, or take its annotation do-not-disrupt away`;
    case 'doNotDisruptNode':
      return 'take the annotation do-not-disrupt of the node away when its reason is over';
    case 'budget':
      return isLasting
        ? `widen the disruption budgets of NodePool ${name}: no schedule opens them`
        : `widen the disruption budgets of NodePool ${name}, or wait`;
    case 'paused':
      return `delete DisruptionPause ${name} when its reason is over`;
    case 'nodeLimit':
      return `raise the limits of NodePool ${name}`;
    case 'noInstanceTypes':
      return `see which requirements of NodePool ${name} leave no instance type`;
    case 'nodePoolNotFound':
      return `see what keeps NodePool ${name} from launching: nodewright explain nodepool ${name}`;
    case 'unschedulablePods':
      return 'see what keeps those pods from every other node';
    default:
      return undefined;
  }
}
