import { byText, labelSelectorPredicate, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { passesFilters, type SchedulingSurroundings } from './choose.ts';
import type { PlacedPod } from './cluster.ts';

/** A node, and the pods that have to leave it for another one of higher priority. */
export type Preemption = { readonly nodeName: string; readonly victims: readonly Pod[] };

type PreemptionCandidate = Preemption & {
  /** How many victims a disruption budget would have protected. */
  readonly violations: number;
};

export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

const mayPreempt = ({ spec }: Pod): boolean => spec.preemptionPolicy !== 'Never';

/**
 * The node on which room for the pod costs least, when only pods of lower priority keep the pod from a node. As few
 * pods as possible leave, and pods in a disruption budget leave last.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
 */
export function choosePreemption(
  pod: Pod,
  around: SchedulingSurroundings,
  budgets: readonly PodDisruptionBudget[],
): Preemption | undefined {
  if (!mayPreempt(pod) || around.cluster.lowestPriority >= priorityOf(pod)) return undefined;
  const candidates = around.cluster.nodes().flatMap(({ node, pods }) => {
    const lesser = [...pods.values()].filter((placed) => priorityOf(placed.pod) < priorityOf(pod));
    return lesser.length === 0 ? [] : (candidateOn(node.metadata.name, pod, lesser, { around, budgets }) ?? []);
  });
  return candidates.toSorted(leastHarm)[0];
}

function candidateOn(
  nodeName: string,
  pod: Pod,
  lesser: readonly PlacedPod[],
  { around, budgets }: { readonly around: SchedulingSurroundings; readonly budgets: readonly PodDisruptionBudget[] },
): PreemptionCandidate | undefined {
  const { cluster } = around;
  return cluster.without(lesser, () => {
    if (!passesFilters(pod, nodeName, around)) return undefined;
    const { covered, others } = splitByBudget(lesser.map((placed) => placed.pod).toSorted(mostImportantFirst), budgets);
    const leave = (candidates: readonly Pod[]) => candidates.filter((other) => !stays(other, nodeName, pod, around));
    // Pods in budgets come back first, while there is most room.
    const violating = leave(covered);
    const victims = [...violating, ...leave(others)].toSorted(mostImportantFirst);
    return victims.length === 0 ? undefined : { nodeName, victims, violations: violating.length };
  });
}

/** Puts a pod back on its node; takes it off again if the other one does not fit beside it. */
function stays(other: Pod, nodeName: string, pod: Pod, around: SchedulingSurroundings): boolean {
  around.cluster.place(other, nodeName);
  if (passesFilters(pod, nodeName, around)) return true;
  around.cluster.remove(objectKeyText(other));
  return false;
}

/** Each pod that may go takes one disruption from the budgets that select it; the pods for which one has none left are covered. */
function splitByBudget(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]) {
  const left = budgets.map(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    selects: spec?.selector === undefined ? () => false : labelSelectorPredicate(spec.selector),
    allowed: status?.disruptionsAllowed ?? 0,
  }));
  const covered: Pod[] = [];
  const others: Pod[] = [];
  for (const pod of pods) {
    const about = left.filter(
      ({ namespace, selects }) => namespace === pod.metadata.namespace && selects(pod.metadata.labels),
    );
    for (const budget of about) budget.allowed -= 1;
    (about.some(({ allowed }) => allowed < 0) ? covered : others).push(pod);
  }
  return { covered, others };
}

const startTimeOf = ({ metadata, status }: Pod): string => status?.startTime ?? metadata.creationTimestamp ?? '';

const mostImportantFirst = (a: Pod, b: Pod): number =>
  priorityOf(b) - priorityOf(a) || byText(startTimeOf(a), startTimeOf(b)) || byText(objectKeyText(a), objectKeyText(b));

/** Fewest broken budgets; then the least priority of the highest victim; then the fewest victims, of the least priority in all; then the youngest. */
const leastHarm = (a: PreemptionCandidate, b: PreemptionCandidate): number =>
  a.violations - b.violations ||
  highest(a) - highest(b) ||
  a.victims.length - b.victims.length ||
  sumOfPriorities(a) - sumOfPriorities(b) ||
  byText(startOfHighest(b), startOfHighest(a)) ||
  byText(a.nodeName, b.nodeName);

const highest = ({ victims: [first] }: PreemptionCandidate): number =>
  first === undefined ? -Infinity : priorityOf(first);

const sumOfPriorities = ({ victims }: PreemptionCandidate): number =>
  victims.reduce((sum, pod) => sum + priorityOf(pod), 0);

const startOfHighest = ({ victims: [first] }: PreemptionCandidate): string =>
  first === undefined ? '' : startTimeOf(first);
