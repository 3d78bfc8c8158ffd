import type { Pod } from '@nodewright/apis';
import { compareText } from '../control/object-key.ts';
import type { NodeState } from './cluster.ts';
import type { NodeFilter } from './filters/filter.ts';
import { hostPortFilter } from './filters/host-ports.ts';
import { selectionFilter } from './filters/node-selection.ts';
import {
  affinityFilter,
  antiAffinityFilter,
  existingAntiAffinityFilter,
  type Surroundings,
} from './filters/pod-affinity.ts';
import { resourceFilter } from './filters/resources.ts';
import { cordonFilter, taintFilter } from './filters/taints.ts';
import { spreadFilter } from './filters/topology-spread.ts';

export type Choice =
  | { readonly kind: 'node'; readonly name: string }
  /** `message` as kube-scheduler writes it into the pod's condition. */
  | { readonly kind: 'unschedulable'; readonly message: string };

/** The node for a pod: of those that pass every filter the least allocated, then the first by name. */
export function chooseNode(pod: Pod, around: Surroundings): Choice {
  const nodes = around.cluster.nodes();
  const filters = filtersFor(pod, around);
  const refusals = new Map<string, number>();
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const state of nodes) {
    const reasons = firstRefusal(state, filters);
    if (reasons.length === 0) best = better(best, { name: state.node.metadata.name, score: freeShare(state) });
    for (const reason of reasons) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  }
  if (best !== undefined) return { kind: 'node', name: best.name };
  return { kind: 'unschedulable', message: explain(refusals, nodes.length) };
}

/** In kube-scheduler's order: the first that refuses a node is the one that is named. */
function filtersFor(pod: Pod, around: Surroundings): readonly NodeFilter[] {
  return [
    cordonFilter(pod),
    taintFilter(pod),
    selectionFilter(pod),
    hostPortFilter(pod),
    resourceFilter(pod),
    spreadFilter(pod, around.cluster),
    existingAntiAffinityFilter(pod, around),
    affinityFilter(pod, around),
    antiAffinityFilter(pod, around),
  ];
}

function firstRefusal(state: NodeState, filters: readonly NodeFilter[]): readonly string[] {
  for (const filter of filters) {
    const reasons = filter(state);
    if (reasons.length > 0) return reasons;
  }
  return [];
}

type Scored = { readonly name: string; readonly score: number };

function better(best: Scored | undefined, candidate: Scored): Scored {
  if (best === undefined || candidate.score > best.score) return candidate;
  return candidate.score === best.score && compareText(candidate.name, best.name) < 0 ? candidate : best;
}

/** How much of cpu and memory is left, in hundredths, both weighing the same. */
function freeShare({ allocatable, requested }: NodeState): number {
  const shares = ['cpu', 'memory'].map((name) => {
    const all = allocatable.get(name) ?? 0;
    return all === 0 ? 0 : Math.floor(((all - (requested.get(name) ?? 0)) * 100) / all);
  });
  return shares.reduce((total, share) => total + share, 0);
}

function explain(refusals: ReadonlyMap<string, number>, total: number): string {
  if (total === 0) return 'no nodes available to schedule pods';
  const counted = [...refusals].map(([reason, count]) => `${count} ${reason}`).toSorted(compareText);
  return `0/${total} nodes are available: ${counted.join(', ')}.`;
}
