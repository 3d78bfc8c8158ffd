import { type LabelSelector, labelSelectorPredicate, type Pod, type PodAffinityTerm, readOwn } from '@nodewright/apis';
import type { SchedulerCluster, SchedulerNode, PlacedPod } from '../cluster.ts';
import { noRefusal, type SchedulerFilter } from './filter.ts';

/** The labels of a namespace, for terms that choose namespaces by them. */
type NamespaceLabels = ReadonlyMap<string, Readonly<Record<string, string>>>;

export type AffinitySurroundings = { readonly cluster: SchedulerCluster; readonly namespaces: NamespaceLabels };

/** Whether a term of this pod selects another pod. */
type TermPredicate = (other: Pod) => boolean;

type Domains = ReadonlySet<string>;

/** Passes nodes in a domain with a pod that the required affinity asks for. */
export function affinityFilter(pod: Pod, around: AffinitySurroundings): SchedulerFilter {
  const terms = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (terms.length === 0) return () => noRefusal;
  const predicates = terms.map((term) => predicateOfTerm(term, pod, around));
  // Of several terms, each counts only pods that belong to all of them.
  const belongs: TermPredicate = (other) => predicates.every((each) => each(other));
  const domains = terms.map((term) => domainsOfTerm(term, belongs, pod, around));
  // The first pod of a group that wants to be together has no pod to join yet.
  const isFirst = domains.every(({ size }) => size === 0) && belongs(pod);
  return ({ node }) => {
    const labels = node.metadata.labels ?? {};
    const joins = terms.every(({ topologyKey }, index) => {
      const value = readOwn(labels, topologyKey);
      return value !== undefined && (isFirst || domains[index]?.has(value) === true);
    });
    return joins ? noRefusal : ["node(s) didn't match pod affinity rules"];
  };
}

/** Passes nodes whose domains hold no pod that the required anti-affinity keeps away from. */
export function antiAffinityFilter(pod: Pod, around: AffinitySurroundings): SchedulerFilter {
  const terms = antiTerms(pod);
  const avoided = terms.map((term) => ({
    key: term.topologyKey,
    domains: domainsOfTerm(term, predicateOfTerm(term, pod, around), pod, around),
  }));
  return ({ node }) => {
    const labels = node.metadata.labels ?? {};
    const meets = avoided.some(({ key, domains }) => domains.has(readOwn(labels, key) ?? absentDomain));
    return meets ? ["node(s) didn't match pod anti-affinity rules"] : noRefusal;
  };
}

/** Passes nodes whose domains hold no pod that wants to be away from this one. */
export function existingAntiAffinityFilter(pod: Pod, around: AffinitySurroundings): SchedulerFilter {
  const forbidden = around.cluster.podsWithAntiAffinity().flatMap((placed) => domainsClosedBy(placed, pod, around));
  if (forbidden.length === 0) return () => noRefusal;
  const closed = new Set(forbidden);
  const keys = [...new Set(forbidden.map((domain) => domain.slice(0, domain.indexOf('='))))];
  return ({ node }) => {
    const labels = node.metadata.labels ?? {};
    const meets = keys.some((key) => closed.has(`${key}=${readOwn(labels, key) ?? absentDomain}`));
    return meets ? ["node(s) didn't satisfy existing pods anti-affinity rules"] : noRefusal;
  };
}

/** No label value: values never hold this. */
const absentDomain = '\0';

const antiTerms = ({ spec }: Pod): readonly PodAffinityTerm[] =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

function domainsClosedBy(placed: PlacedPod, pod: Pod, around: AffinitySurroundings): readonly string[] {
  const labels = labelsAt(placed, around.cluster);
  return antiTerms(placed.pod)
    .filter((term) => predicateOfTerm(term, placed.pod, around)(pod))
    .flatMap(({ topologyKey }) => {
      const value = readOwn(labels, topologyKey);
      return value === undefined ? [] : [`${topologyKey}=${value}`];
    });
}

/** The domains of a term's key in which a pod that belongs to the term runs. */
function domainsOfTerm(term: PodAffinityTerm, belongs: TermPredicate, pod: Pod, around: AffinitySurroundings): Domains {
  const { cluster } = around;
  const others = namespacesOfTerm(term, pod, around).flatMap((namespace) => cluster.podsIn(namespace));
  const values = others
    .filter((placed) => belongs(placed.pod))
    .flatMap((placed) => readOwn(labelsAt(placed, cluster), term.topologyKey) ?? []);
  return new Set(values);
}

const labelsAt = ({ nodeName }: PlacedPod, cluster: SchedulerCluster): Readonly<Record<string, string>> =>
  (cluster.node(nodeName) satisfies SchedulerNode | undefined)?.node.metadata.labels ?? {};

function predicateOfTerm(term: PodAffinityTerm, pod: Pod, around: AffinitySurroundings): TermPredicate {
  const selects = labelSelectorPredicate(selectorOfTerm(term, pod));
  const namespaces = new Set(namespacesOfTerm(term, pod, around));
  return ({ metadata }) => namespaces.has(metadata.namespace ?? '') && selects(metadata.labels);
}

/** As API servers add them to a new pod's selector: its own labels, which pods of the term share, or do not share. */
function selectorOfTerm(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: PodAffinityTerm,
  { metadata }: Pod,
): LabelSelector | undefined {
  if (labelSelector === undefined) return undefined;
  const compared = (keys: readonly string[], operator: 'In' | 'NotIn') =>
    keys.flatMap((key) => {
      const value = readOwn(metadata.labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const added = [...compared(matchLabelKeys, 'In'), ...compared(mismatchLabelKeys, 'NotIn')];
  return added.length === 0
    ? labelSelector
    : { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added] };
}

/** A term without namespaces is about the pod's own; an empty selector is about all. */
function namespacesOfTerm(
  { namespaces = [], namespaceSelector }: PodAffinityTerm,
  pod: Pod,
  around: AffinitySurroundings,
): readonly string[] {
  if (namespaceSelector === undefined && namespaces.length === 0) return [pod.metadata.namespace ?? ''];
  const selected = namespaceSelector === undefined ? [] : namespacesSelectedBy(namespaceSelector, around);
  return [...new Set([...namespaces, ...selected])];
}

function namespacesSelectedBy(selector: LabelSelector, { namespaces }: AffinitySurroundings): readonly string[] {
  const selects = labelSelectorPredicate(selector);
  return [...namespaces].filter(([, labels]) => selects(labels)).map(([name]) => name);
}
