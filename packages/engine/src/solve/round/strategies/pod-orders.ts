import { type Pod, byValueOf } from '@nodewright/apis';
import { oldestPodFirst, smallestClassFirst, type PodRank } from '../../pods/placement-queue.ts';
import type { RoundPlacement } from '../../placement/placement.ts';
import type { ClassifiedPods, PodClass, PodForm } from '../../pods/pod-class.ts';
import { priceWith } from '../../placement/node-choice.ts';

/**
 * Ranks classes of pods. Lower ranks are tried first; of equal ranks the largest pods.
 * @param placement with nothing placed yet
 */
export type PodOrder = (classes: readonly ClassifiedPods[], placement: RoundPlacement) => PodRank;

export const largestFirst: PodOrder = () => () => 0;

export const mostMemoryFirst: PodOrder =
  () =>
  ({ requests }) =>
    -(requests['memory'] ?? 0);

/** Classes with the most topology rules first, because they have the fewest places. */
export const mostBoundFirst: PodOrder = () => (podClass) => -topologyRulesOf(podClass);

/** Classes with the fewest topology rules first. */
export const leastBoundFirst: PodOrder = () => topologyRulesOf;

const topologyRulesOf = ({ forms }: PodClass): number => forms[0]?.stakes.length ?? 0;

/** Classes that need the dearest nodes first. Other pods then fit beside them. */
export function dearestFirst(classes: readonly ClassifiedPods[], placement: RoundPlacement): PodRank {
  const prices = new Map(classes.map(({ podClass }) => [podClass, priceAlone(podClass, placement)]));
  return (podClass) => -(prices.get(podClass) ?? 0);
}

/** Pods of one kind together, the kind with the largest pod first. */
export function kindByKind(classes: readonly ClassifiedPods[]): PodRank {
  const firsts = new Map<readonly PodForm[], ClassifiedPods>();
  for (const each of classes) {
    const { forms } = each.podClass;
    const first = firsts.get(forms);
    if (first === undefined || compareClasses(each, first) < 0) firsts.set(forms, each);
  }
  const kinds = [...firsts].toSorted(byValueOf(([, first]) => first, compareClasses));
  const ranks = new Map(kinds.map(([forms], rank) => [forms, rank]));
  return ({ forms }) => ranks.get(forms) ?? 0;
}

export function kindByKindReversed(classes: readonly ClassifiedPods[]): PodRank {
  const rank = kindByKind(classes);
  return (podClass) => -rank(podClass);
}

const compareClasses = (a: ClassifiedPods, b: ClassifiedPods): number =>
  smallestClassFirst(b, a) || oldestPodFirst(oldestOf(a), oldestOf(b));

const oldestOf = ({ pods }: ClassifiedPods): Pod => pods.toSorted(oldestPodFirst)[0] as Pod;

/** The lowest price of a new node for one such pod; zero where there is none. */
function priceAlone(podClass: PodClass, placement: RoundPlacement): number {
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
