import {
  byTextOf,
  type LabelSelector,
  labelSelectorPredicate,
  type LabelSelectorRequirement,
  mergeRecords,
  type Pod,
  type Service,
  type TopologySpreadConstraint,
} from '@nodewright/apis';

/** A spread without a word on which pods it counts: that is deduced. */
export type DefaultSpreadConstraint = Omit<TopologySpreadConstraint, 'labelSelector' | 'matchLabelKeys'>;

/** The selectors of the workloads that a pod belongs to. */
export type WorkloadSelectors = {
  /** Services of the pod's namespace, in any order. */
  readonly services: readonly Service[];
  /** Of the ReplicationController that controls the pod. */
  readonly replicationController?: Readonly<Record<string, string>>;
  /** Of the ReplicaSet or StatefulSet that controls the pod. */
  readonly replicas?: LabelSelector;
};

/**
 * How a pod without a spread of its own is spread: by the constraints, over the pods that belong
 * together with it. `undefined` when it states a spread or belongs to no workload.
 */
export function defaultSpreadOf(
  pod: Pod,
  constraints: readonly DefaultSpreadConstraint[],
  around: WorkloadSelectors,
): readonly TopologySpreadConstraint[] | undefined {
  if (constraints.length === 0 || (pod.spec.topologySpreadConstraints ?? []).length > 0) return undefined;
  const labelSelector = deducedSelector(pod, around);
  return labelSelector === undefined ? undefined : constraints.map((constraint) => ({ ...constraint, labelSelector }));
}

/**
 * As kube-scheduler deduces it: labels of all services that select the pod, of which the last by
 * name wins, then those of its ReplicationController; and beside them what its ReplicaSet or StatefulSet selects.
 */
function deducedSelector(
  pod: Pod,
  { services, replicationController, replicas }: WorkloadSelectors,
): LabelSelector | undefined {
  const labels = pod.metadata.labels ?? {};
  const selecting = services
    .map(({ metadata, spec }) => ({ name: metadata.name, selector: spec?.selector }))
    .filter(({ selector }) => selector !== undefined && labelSelectorPredicate({ matchLabels: selector })(labels))
    .toSorted(byTextOf(({ name }) => name));
  const matchLabels = mergeRecords([...selecting.map(({ selector }) => selector), replicationController]);
  const matchExpressions = replicas === undefined ? [] : expressionsOf(replicas);
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) return undefined;
  return { matchLabels, matchExpressions };
}

/** A selector as expressions, so that it can stand beside labels on the same keys. */
const expressionsOf = ({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): readonly LabelSelectorRequirement[] => [
  ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })),
  ...matchExpressions,
];
