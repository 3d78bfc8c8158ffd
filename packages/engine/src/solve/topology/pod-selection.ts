import { byTextOf, labelSelectorPredicate, ValueError, readOwn } from '@nodewright/apis';
import type { LabelSelector, Namespace, Pod, PodAffinityTerm, TopologySpreadConstraint } from '@nodewright/apis';

/** Which pods a topology term speaks about. */
export type PodSelection = {
  /** Equal for equal selections. */
  readonly identity: string;
  /** A label that every selected pod carries, if the selector names one. */
  readonly label?: { readonly key: string; readonly value: string };
  /** The selector to print. A combination of selections prints the first. */
  readonly selector?: LabelSelector;
  selects(pod: Pod): boolean;
};

const podNamespaceOf = (pod: Pod): string => pod.metadata.namespace ?? 'default';

/** A spread counts pods of its own namespace; each of `matchLabelKeys` that the pod carries narrows to pods of the same value. */
export const selectionOfSpread = (constraint: TopologySpreadConstraint, owner: Pod): PodSelection =>
  selection([podNamespaceOf(owner)], selectorWithKeys(constraint, owner));

/** An affinity speaks about the owner's namespace unless it lists or selects others; an empty selector selects all, known or not. */
export function selectionOfAffinity(term: PodAffinityTerm, owner: Pod, namespaces: readonly Namespace[]): PodSelection {
  const selector = selectorWithKeys(term, owner);
  const listed = term.namespaces ?? [];
  if (term.namespaceSelector === undefined) {
    return selection(listed.length === 0 ? [podNamespaceOf(owner)] : listed, selector);
  }
  if (isEmptySelector(term.namespaceSelector)) return selection('all', selector);
  const matches = selectorPredicate(term.namespaceSelector);
  const selected = namespaces.filter(({ metadata }) => matches(metadata.labels)).map(({ metadata }) => metadata.name);
  return selection([...listed, ...selected], selector);
}

const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

type WithLabelKeys = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

/**
 * The selector narrowed by the owner's own labels: the same value under each of `matchLabelKeys`, another one under each
 * of `mismatchLabelKeys`. Keys that the owner does not carry say nothing. API servers that have added these already
 * change nothing.
 */
function selectorWithKeys(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: WithLabelKeys,
  owner: Pod,
): LabelSelector | undefined {
  if (labelSelector === undefined || matchLabelKeys.length + mismatchLabelKeys.length === 0) return labelSelector;
  const narrowing = (keys: readonly string[], operator: 'In' | 'NotIn') =>
    keys.flatMap((key) => {
      const value = readOwn(owner.metadata.labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const added = [...narrowing(matchLabelKeys, 'In'), ...narrowing(mismatchLabelKeys, 'NotIn')];
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added] };
}

/** Pods that all of some selections select. */
export function selectedByAll([first, ...others]: readonly [PodSelection, ...PodSelection[]]): PodSelection {
  const different = others.filter(({ identity }) => identity !== first.identity);
  if (different.length === 0) return first;
  const all = [first, ...different];
  return {
    identity: JSON.stringify([...new Set(all.map(({ identity }) => identity))].toSorted()),
    ...(first.label === undefined ? {} : { label: first.label }),
    ...(first.selector === undefined ? {} : { selector: first.selector }),
    selects: (pod) => all.every((each) => each.selects(pod)),
  };
}

function selection(namespaces: readonly string[] | 'all', selector: LabelSelector | undefined): PodSelection {
  const inNamespaces = namespaces === 'all' ? undefined : new Set(namespaces);
  const matches = selectorPredicate(selector);
  return {
    identity: JSON.stringify([
      inNamespaces === undefined ? null : [...inNamespaces].toSorted(),
      canonicalSelector(selector),
    ]),
    ...labelOfPod(selector),
    ...(selector === undefined ? {} : { selector }),
    selects: (pod) => (inNamespaces?.has(podNamespaceOf(pod)) ?? true) && matches(pod.metadata.labels),
  };
}

function labelOfPod(selector: LabelSelector | undefined): Pick<PodSelection, 'label'> {
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) return { label: { key, value } };
  return {};
}

/** `app=db, tier In [a b]` */
export function printedSelection({ selector }: PodSelection): string {
  if (selector === undefined) return 'nothing';
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const others = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) =>
    [key, operator, ...(values.length === 0 ? [] : [`[${values.join(' ')}]`])].join(' '),
  );
  return [...labels, ...others].join(', ') || 'any label';
}

/** An absent or invalid selector matches nothing. */
function selectorPredicate(
  selector: LabelSelector | undefined,
): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  try {
    return labelSelectorPredicate(selector);
  } catch (error) {
    if (error instanceof ValueError) return () => false;
    throw error;
  }
}

const canonicalSelector = (selector: LabelSelector | undefined): unknown =>
  selector === undefined
    ? null
    : [
        Object.entries(selector.matchLabels ?? {}).toSorted(byTextOf(([name]) => name)),
        (selector.matchExpressions ?? [])
          .map(({ key, operator, values = [] }) => JSON.stringify([key, operator, values.toSorted()]))
          .toSorted(),
      ];
