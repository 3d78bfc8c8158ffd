import { byText, type Pod } from '@nodewright/apis';
import type { SchedulerNode } from './cluster.ts';
import { matchesTerm } from '../placement/node-selection.ts';
import { isTolerated } from '../placement/tolerations.ts';

/** How much each wish weighs, as in kube-scheduler. */
const weights = { avoidsTaints: 3, prefersNode: 2, leavesRoom: 1 };

/** The best of nodes that all can take the pod; the first by name among equals. */
export function bestNode(pod: Pod, nodes: readonly SchedulerNode[]): string | undefined {
  const taints = normalized(nodes.map((state) => softTaints(pod, state)));
  const wishes = normalized(nodes.map((state) => nodeWishes(pod, state)));
  const scored = nodes.map((state, index) => ({
    name: state.node.metadata.name,
    score:
      weights.avoidsTaints * (100 - (taints[index] ?? 0)) +
      weights.prefersNode * (wishes[index] ?? 0) +
      weights.leavesRoom * freeShare(state),
  }));
  return scored.reduce<Scored | undefined>(better, undefined)?.name;
}

type Scored = { readonly name: string; readonly score: number };

function better(best: Scored | undefined, candidate: Scored): Scored {
  if (best === undefined || candidate.score > best.score) return candidate;
  return candidate.score === best.score && byText(candidate.name, best.name) < 0 ? candidate : best;
}

/** The largest becomes 100. */
function normalized(counts: readonly number[]): readonly number[] {
  const largest = Math.max(0, ...counts);
  return largest === 0 ? counts : counts.map((count) => Math.floor((count * 100) / largest));
}

const softTaints = ({ spec }: Pod, { node }: SchedulerNode): number =>
  (node.spec?.taints ?? []).filter(
    (taint) => taint.effect === 'PreferNoSchedule' && !isTolerated(taint, spec.tolerations),
  ).length;

function nodeWishes({ spec }: Pod, { node }: SchedulerNode): number {
  const wishes = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const granted = wishes.filter(({ preference }) => matchesTerm(node, preference));
  return granted.reduce((sum, { weight }) => sum + weight, 0);
}

/** How much of cpu and memory is left on average, in hundredths. */
export function freeShare({ allocatable, requested }: SchedulerNode): number {
  const shares = ['cpu', 'memory'].map((name) => {
    const all = allocatable.get(name) ?? 0;
    return all === 0 ? 0 : ((all - (requested.get(name) ?? 0)) * 100) / all;
  });
  return Math.floor(shares.reduce((sum, share) => sum + share, 0) / shares.length);
}
