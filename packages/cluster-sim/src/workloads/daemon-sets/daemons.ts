import {
  type DaemonSet,
  inOrder,
  type IntOrString,
  type Node,
  parseIntOrPercent,
  type Pod,
  resolveIntOrPercent,
} from '@nodewright/apis';
import { byObjectKey } from '../../objects/object-key.ts';
import { isActive, isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { revisionLabel } from '../revisions/revisions.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';
import { nodeOfDaemon, placementOn } from './placement.ts';

/** The pods that a DaemonSet lacks and those it has too many, and its counts. */
export type DaemonPlan = {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  readonly status: Readonly<Record<DaemonCount, number>>;
};

type DaemonCount =
  | 'currentNumberScheduled'
  | 'desiredNumberScheduled'
  | 'numberMisscheduled'
  | 'numberReady'
  | 'numberAvailable'
  | 'numberUnavailable'
  | 'updatedNumberScheduled';

type DaemonOnNode = {
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
};

/** Pods are created in the order of the nodes. */
export function planDaemons(set: DaemonSet, nodes: readonly Node[], owned: readonly Pod[]): DaemonPlan {
  const byNode = groupByNode(owned);
  const daemons = nodes.map((node): DaemonOnNode => ({
    node,
    pods: byNode.get(node.metadata.name) ?? [],
    ...placementOn(node, set),
  }));
  const wanted = daemons.filter(({ shouldRun }) => shouldRun);
  return {
    create: wanted.filter(({ pods }) => pods.length === 0).map(({ node }) => node.metadata.name),
    remove: [...daemons.flatMap(listSuperfluous), ...listStranded(owned, nodes), ...listOutdated(set, wanted)],
    status: statusOfDaemonSet(set, daemons),
  };
}

export const revisionOfDaemonSet = ({ spec }: DaemonSet): string => hashOfTemplate(spec.template);

/** Pods that have ended, pods that may not stay, and all but the first of several. */
function listSuperfluous({ pods, mayStay }: DaemonOnNode): readonly Pod[] {
  const ended = pods.filter((pod) => !isActive(pod) && pod.metadata.deletionTimestamp === undefined);
  const active = orderDaemons(pods.filter(isActive));
  return [...ended, ...(mayStay ? active.slice(1) : active)];
}

/** Pending pods whose node is gone. The pod garbage collector deletes the pods that ran on that node. */
function listStranded(owned: readonly Pod[], nodes: readonly Node[]): readonly Pod[] {
  const waiting = owned.filter((pod) => pod.spec.nodeName === undefined && isActive(pod));
  if (waiting.length === 0) return waiting;
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return waiting.filter((pod) => !names.has(nodeOfDaemon(pod) ?? ''));
}

/** Pods of an earlier template, as many as may be missing at once. */
function listOutdated(set: DaemonSet, wanted: readonly DaemonOnNode[]): readonly Pod[] {
  if (set.spec.updateStrategy?.['type'] === 'OnDelete') return [];
  const revision = revisionOfDaemonSet(set);
  const missing = wanted.filter(({ pods }) => !pods.some((pod) => isActive(pod) && isReadyWorkloadPod(pod))).length;
  const old = wanted
    .flatMap(({ pods }) => chosenDaemon(pods))
    .filter(({ metadata }) => metadata.labels?.[revisionLabel] !== revision);
  const broken = old.filter((pod) => !isReadyWorkloadPod(pod));
  const allowed = Math.max(0, unavailableAllowed(set, wanted.length) - missing);
  return [...broken, ...old.filter(isReadyWorkloadPod).slice(0, allowed)];
}

function unavailableAllowed({ spec }: DaemonSet, total: number): number {
  const rolling = spec.updateStrategy?.['rollingUpdate'] as { readonly maxUnavailable?: IntOrString } | undefined;
  return resolveIntOrPercent(parseIntOrPercent(rolling?.maxUnavailable ?? 1), total, 'up');
}

function statusOfDaemonSet(set: DaemonSet, daemons: readonly DaemonOnNode[]): DaemonPlan['status'] {
  const wanted = daemons.filter(({ shouldRun }) => shouldRun);
  const running = wanted.flatMap(({ pods }) => chosenDaemon(pods));
  const ready = running.filter(isReadyWorkloadPod).length;
  const revision = revisionOfDaemonSet(set);
  return {
    currentNumberScheduled: running.length,
    desiredNumberScheduled: wanted.length,
    numberMisscheduled: daemons.filter(({ shouldRun, pods }) => !shouldRun && pods.some(isActive)).length,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: wanted.length - ready,
    updatedNumberScheduled: running.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length,
  };
}

/** Of the active pods on one node the one that stays. */
const chosenDaemon = (pods: readonly Pod[]): readonly Pod[] => orderDaemons(pods.filter(isActive)).slice(0, 1);

const orderDaemons = (pods: readonly Pod[]): readonly Pod[] => (pods.length < 2 ? pods : pods.toSorted(readyFirst));

const readyFirst = inOrder<Pod>((a, b) => Number(isReadyWorkloadPod(b)) - Number(isReadyWorkloadPod(a)), byObjectKey);

function groupByNode(owned: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of owned) {
    const node = nodeOfDaemon(pod) ?? '';
    const group = groups.get(node);
    if (group === undefined) groups.set(node, [pod]);
    else group.push(pod);
  }
  return groups;
}
