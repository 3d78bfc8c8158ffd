import {
  type LabelSelector,
  labelSelectorPredicate,
  type Pod,
  readOwn,
  type TopologySpreadConstraint,
} from '@nodewright/apis';
import type { SchedulerCluster, SchedulerNode } from '../cluster.ts';
import { noRefusal, type SchedulerFilter } from './filter.ts';
import { isSelected } from '../../placement/node-selection.ts';
import { firstUntolerated } from '../../placement/tolerations.ts';

type Spread = {
  readonly constraint: TopologySpreadConstraint;
  readonly counts: ReadonlyMap<string, number>;
  readonly fewest: number;
  readonly countsItself: boolean;
};

/** Passes nodes whose domain may take one more without being more than `maxSkew` ahead of the emptiest. */
export function spreadFilter(pod: Pod, cluster: SchedulerCluster): SchedulerFilter {
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  if (hard.length === 0) return () => noRefusal;
  const nodes = cluster.nodes().filter(({ node }) => hard.every(({ topologyKey }) => hasLabel(node, topologyKey)));
  const spreads = hard.map((constraint) => spreadOf(constraint, pod, nodes));
  return (state) => {
    const labels = state.node.metadata.labels ?? {};
    if (spreads.some(({ constraint }) => readOwn(labels, constraint.topologyKey) === undefined)) {
      return ["node(s) didn't match pod topology spread constraints (missing required label)"];
    }
    return spreads.every((spread) => admitsSpread(spread, labels))
      ? noRefusal
      : ["node(s) didn't match pod topology spread constraints"];
  };
}

function spreadOf(constraint: TopologySpreadConstraint, pod: Pod, nodes: readonly SchedulerNode[]): Spread {
  const selects = labelSelectorPredicate(selectorOfConstraint(constraint, pod));
  const counts = new Map<string, number>();
  for (const state of nodes.filter((candidate) => takesPart(candidate, constraint, pod))) {
    const domain = readOwn(state.node.metadata.labels, constraint.topologyKey) ?? '';
    counts.set(domain, (counts.get(domain) ?? 0) + countOn(state, pod, selects));
  }
  const isShort = counts.size < (constraint.minDomains ?? 1);
  const fewest = isShort ? 0 : Math.min(...counts.values());
  return { constraint, counts, fewest, countsItself: selects(pod.metadata.labels) };
}

function admitsSpread(
  { constraint, counts, fewest, countsItself }: Spread,
  labels: Readonly<Record<string, string>>,
): boolean {
  const here = counts.get(readOwn(labels, constraint.topologyKey) ?? '') ?? 0;
  return here + (countsItself ? 1 : 0) - fewest <= constraint.maxSkew;
}

function takesPart({ node }: SchedulerNode, constraint: TopologySpreadConstraint, pod: Pod): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !isSelected(node, pod)) return false;
  return (
    constraint.nodeTaintsPolicy !== 'Honor' || firstUntolerated(node.spec?.taints, pod.spec.tolerations) === undefined
  );
}

/** Pods that are being deleted do not count. */
function countOn(
  { pods }: SchedulerNode,
  pod: Pod,
  selects: (labels?: Readonly<Record<string, string>>) => boolean,
): number {
  const counted = [...pods.values()].filter(
    ({ pod: { metadata } }) =>
      metadata.namespace === pod.metadata.namespace &&
      metadata.deletionTimestamp === undefined &&
      selects(metadata.labels),
  );
  return counted.length;
}

function selectorOfConstraint(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  pod: Pod,
): LabelSelector | undefined {
  const labels = pod.metadata.labels ?? {};
  const same = matchLabelKeys.flatMap((key) => {
    const value = readOwn(labels, key);
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] } as const];
  });
  if (same.length === 0 || labelSelector === undefined) return labelSelector;
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...same] };
}

const hasLabel = ({ metadata }: SchedulerNode['node'], key: string): boolean =>
  readOwn(metadata.labels, key) !== undefined;
