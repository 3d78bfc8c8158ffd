import type { Pod } from '@nodewright/apis';
import { oldestFirst, smallestFirst, type Rank } from '../../pods/placement-queue.ts';
import type { Placement } from '../../placement/placement.ts';
import type { ClassifiedPods, PodClass, PodForm } from '../../pods/pod-class.ts';
import { priceWith } from '../../placement/node-choice.ts';

/**
 * Which classes of pods get their try before others; of those with the same rank the largest.
 * @param placement with nothing placed yet
 */
export type PodOrder = (classes: readonly ClassifiedPods[], placement: Placement) => Rank;

export const largestFirst: PodOrder = () => () => 0;

export const mostMemoryFirst: PodOrder =
  () =>
  ({ requests }) =>
    -(requests['memory'] ?? 0);

/** Those with the most rules about where other pods are: they have the fewest places to choose from. */
export const mostBoundFirst: PodOrder = () => (podClass) => -rulesOf(podClass);

/** Pods that can only be in one place settle where that is, before those join them that could be anywhere. */
export const leastBoundFirst: PodOrder = () => rulesOf;

const rulesOf = ({ forms }: PodClass): number => forms[0]?.stakes.length ?? 0;

/** Those that need the dearest nodes: others fit beside them that would have made cheap nodes dear. */
export function dearestFirst(classes: readonly ClassifiedPods[], placement: Placement): Rank {
  const prices = new Map(classes.map(({ podClass }) => [podClass, priceAlone(podClass, placement)]));
  return (podClass) => -(prices.get(podClass) ?? 0);
}

/** Pods of one kind after one another, the kind with the largest pod first. */
export function kindByKind(classes: readonly ClassifiedPods[]): Rank {
  const firsts = new Map<readonly PodForm[], ClassifiedPods>();
  for (const each of classes) {
    const { forms } = each.podClass;
    const first = firsts.get(forms);
    if (first === undefined || inOrder(each, first) < 0) firsts.set(forms, each);
  }
  const kinds = [...firsts].toSorted(([, a], [, b]) => inOrder(a, b));
  const ranks = new Map(kinds.map(([forms], rank) => [forms, rank]));
  return ({ forms }) => ranks.get(forms) ?? 0;
}

export function kindByKindReversed(classes: readonly ClassifiedPods[]): Rank {
  const rank = kindByKind(classes);
  return (podClass) => -rank(podClass);
}

const inOrder = (a: ClassifiedPods, b: ClassifiedPods): number =>
  smallestFirst(b, a) || oldestFirst(oldestOf(a), oldestOf(b));

const oldestOf = ({ pods }: ClassifiedPods): Pod => pods.toSorted(oldestFirst)[0] as Pod;

/** What a new node for one such pod costs at least; nothing where there is none. */
function priceAlone(podClass: PodClass, placement: Placement): number {
  const blank = placement.blankNodes();
  for (const form of podClass.forms) {
    const prices = blank.flatMap((node) => {
      const change = node.consider(podClass, form, 'BestEffort');
      return typeof change === 'string' ? [] : priceWith(node, change);
    });
    if (prices.length > 0) return Math.min(...prices);
  }
  return 0;
}
