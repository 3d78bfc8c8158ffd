import { type DaemonSet, inOrder, type Node, type Pod, byNumberOf, inReverse } from '@nodewright/apis';
import { byObjectKey } from '../../objects/object-key.ts';
import { isActive, isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';
import { revisionLabel } from '../revisions/revisions.ts';
import { placementOn } from './placement.ts';

/** How many nodes of a set there are of each sort. */
export type DaemonNodeCounts = Readonly<Record<keyof typeof sorts, number>>;

/** The nodes of a set, as far as its plan depends on them. Lists are in the order of the nodes' names. */
export type DaemonNodes = {
  readonly counts: DaemonNodeCounts;
  /** Nodes without the pod that should run there. */
  lacking(): readonly string[];
  /** Pods that have ended, pods that may not stay, and all but the first of several. */
  superfluous(): readonly Pod[];
  /** Pending pods whose node is gone. The pod garbage collector deletes the pods that ran on that node. */
  stranded(): readonly Pod[];
  /** Pods of an earlier template that stay until it is their turn. */
  outdated(): readonly Pod[];
};

/** The daemons of one template on one node. */
type DaemonsOnNode = {
  readonly isGone: boolean;
  readonly shouldRun: boolean;
  /** A node with a pod that is being deleted lacks none. */
  readonly isEmpty: boolean;
  /** Of the active pods the one that stays. */
  readonly chosen: Pod | undefined;
  readonly superfluous: readonly Pod[];
  readonly stranded: readonly Pod[];
  readonly isUpdated: boolean;
};

const sorts = {
  wanted: ({ shouldRun }: DaemonsOnNode) => shouldRun,
  running: ({ shouldRun, chosen }: DaemonsOnNode) => shouldRun && chosen !== undefined,
  ready: ({ shouldRun, chosen }: DaemonsOnNode) => shouldRun && chosen !== undefined && isReadyWorkloadPod(chosen),
  updated: ({ shouldRun, chosen, isUpdated }: DaemonsOnNode) => shouldRun && chosen !== undefined && isUpdated,
  misscheduled: ({ shouldRun, chosen, isGone }: DaemonsOnNode) => !isGone && !shouldRun && chosen !== undefined,
} as const;

const sortNames = Object.keys(sorts) as readonly (keyof typeof sorts)[];

export const revisionOfDaemonSet = ({ spec }: DaemonSet): string => hashOfTemplate(spec.template);

/** Follows the nodes of one template of a DaemonSet. A node that changed is judged anew, the others are not looked at. */
export class DaemonTally implements DaemonNodes {
  readonly #set: DaemonSet;
  readonly #judged = new Map<string, DaemonsOnNode>();
  /** Nodes on which something is to be done. */
  readonly #open = new Set<string>();
  readonly #counts = { wanted: 0, running: 0, ready: 0, updated: 0, misscheduled: 0 };

  /** @param set only its template is read */
  constructor(set: DaemonSet) {
    this.#set = set;
  }

  get counts(): DaemonNodeCounts {
    return this.#counts;
  }

  /**
   * Judges one node as it is now.
   * @param node undefined when it is gone
   * @param pods of the set that are on the node, or wait for it
   */
  judge(name: string, node: Node | undefined, pods: readonly Pod[]): void {
    this.#forget(name);
    if (node === undefined && pods.length === 0) return;
    const judged = node === undefined ? judgeGone(pods) : judgeNode(this.#set, node, pods);
    this.#judged.set(name, judged);
    this.#count(judged, 1);
    if (isOpen(judged)) this.#open.add(name);
  }

  lacking(): readonly string[] {
    return this.#openNames().filter((name) => {
      const judged = this.#judged.get(name);
      return judged !== undefined && isLacking(judged);
    });
  }

  superfluous(): readonly Pod[] {
    return this.#openNodes().flatMap(({ superfluous }) => superfluous);
  }

  stranded(): readonly Pod[] {
    return this.#openNodes().flatMap(({ stranded }) => stranded);
  }

  outdated(): readonly Pod[] {
    return this.#openNodes().flatMap((judged) => (isOutdated(judged) ? (judged.chosen ?? []) : []));
  }

  #openNames(): readonly string[] {
    return [...this.#open].toSorted();
  }

  #openNodes(): readonly DaemonsOnNode[] {
    return this.#openNames().flatMap((name) => this.#judged.get(name) ?? []);
  }

  #forget(name: string): void {
    const judged = this.#judged.get(name);
    if (judged === undefined) return;
    this.#count(judged, -1);
    this.#judged.delete(name);
    this.#open.delete(name);
  }

  #count(judged: DaemonsOnNode, step: 1 | -1): void {
    for (const sort of sortNames) if (sorts[sort](judged)) this.#counts[sort] += step;
  }
}

function judgeNode(set: DaemonSet, node: Node, pods: readonly Pod[]): DaemonsOnNode {
  const { shouldRun, mayStay } = placementOn(node, set);
  const active = orderDaemons(pods.filter(isActive));
  const ended = pods.filter((pod) => !isActive(pod) && pod.metadata.deletionTimestamp === undefined);
  const [chosen] = active;
  return {
    isGone: false,
    shouldRun,
    isEmpty: pods.length === 0,
    chosen,
    superfluous: [...ended, ...(mayStay ? active.slice(1) : active)],
    stranded: [],
    isUpdated: chosen?.metadata.labels?.[revisionLabel] === revisionOfDaemonSet(set),
  };
}

const judgeGone = (pods: readonly Pod[]): DaemonsOnNode => ({
  isGone: true,
  shouldRun: false,
  isEmpty: pods.length === 0,
  chosen: undefined,
  superfluous: [],
  stranded: pods.filter((pod) => pod.spec.nodeName === undefined && isActive(pod)),
  isUpdated: false,
});

const isLacking = ({ shouldRun, isEmpty }: DaemonsOnNode): boolean => shouldRun && isEmpty;

const isOutdated = ({ shouldRun, chosen, isUpdated }: DaemonsOnNode): boolean =>
  shouldRun && chosen !== undefined && !isUpdated;

const isOpen = (judged: DaemonsOnNode): boolean =>
  isLacking(judged) || isOutdated(judged) || judged.superfluous.length + judged.stranded.length > 0;

const orderDaemons = (pods: readonly Pod[]): readonly Pod[] => (pods.length < 2 ? pods : pods.toSorted(readyFirst));

const readyFirst = inOrder<Pod>(inReverse(byNumberOf((each) => Number(isReadyWorkloadPod(each)))), byObjectKey);
