import { type DaemonSet, type IntOrString, parseIntOrPercent, type Pod, resolveIntOrPercent } from '@nodewright/apis';
import { isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { withoutZeros } from '../../objects/status-patch.ts';
import type { DaemonNodes } from './daemon-tally.ts';

/** The pods that a DaemonSet lacks and those it has too many, and its counts. */
export type DaemonPlan = {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  /** As a merge patch: counts that are left out while they are zero are null then. */
  readonly status: Readonly<Record<DaemonCount, number | null>>;
};

type DaemonCount =
  | 'currentNumberScheduled'
  | 'desiredNumberScheduled'
  | 'numberMisscheduled'
  | 'numberReady'
  | 'numberAvailable'
  | 'numberUnavailable'
  | 'updatedNumberScheduled';

/** Pods are created in the order of the nodes. */
export const planDaemons = (set: DaemonSet, nodes: DaemonNodes): DaemonPlan => ({
  create: nodes.lacking(),
  remove: [...nodes.superfluous(), ...nodes.stranded(), ...listOutdated(set, nodes)],
  status: statusOfDaemonSet(nodes),
});

/** Pods of an earlier template, as many as may be missing at once. */
function listOutdated(set: DaemonSet, nodes: DaemonNodes): readonly Pod[] {
  if (set.spec.updateStrategy?.['type'] === 'OnDelete') return [];
  const { wanted, ready } = nodes.counts;
  const old = nodes.outdated();
  const broken = old.filter((pod) => !isReadyWorkloadPod(pod));
  const allowed = Math.max(0, unavailableAllowed(set, wanted) - (wanted - ready));
  return [...broken, ...old.filter(isReadyWorkloadPod).slice(0, allowed)];
}

function unavailableAllowed({ spec }: DaemonSet, total: number): number {
  const rolling = spec.updateStrategy?.['rollingUpdate'] as { readonly maxUnavailable?: IntOrString } | undefined;
  return resolveIntOrPercent(parseIntOrPercent(rolling?.maxUnavailable ?? 1), total, 'up');
}

const statusOfDaemonSet = ({ counts: { wanted, running, ready, ...counts } }: DaemonNodes): DaemonPlan['status'] => ({
  currentNumberScheduled: running,
  desiredNumberScheduled: wanted,
  numberMisscheduled: counts.misscheduled,
  numberReady: ready,
  ...withoutZeros({
    numberAvailable: ready,
    numberUnavailable: wanted - ready,
    updatedNumberScheduled: counts.updated,
  }),
});
