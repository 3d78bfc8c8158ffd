import { fromTimestamp, type Instant, karpenterLabels, kubernetesLabels, type Node } from '@nodewright/apis';
import type { Mutable, RunNode } from './run-record.ts';

type GroupNodeWatchOptions = {
  readonly now: () => Instant;
  /** The group that an instance is of. */
  readonly groupOf: (instanceId: string) => string | undefined;
};

/** On nodes that EKS, or the controllers, are about to replace. */
const marksOfUpdates = new Set(['eks.amazonaws.com/nodegroup', 'nodewright.dev/nodegroup']);

export const reasonOfGroupUpdate = 'NodeGroupUpdate';

/** Follows the nodes of managed node groups and of Auto Scaling groups. They have no NodeClaims. */
export class GroupNodeWatch {
  readonly #options: GroupNodeWatchOptions;
  readonly #nodes = new Map<string, Mutable<RunNode>>();
  #isBefore = true;

  constructor(options: GroupNodeWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#isBefore = false;
  }

  results(): readonly RunNode[] {
    return [...this.#nodes.values()];
  }

  /** The node of the name, if it is one of a group. */
  find(name: string): RunNode | undefined {
    return this.#nodes.get(name);
  }

  /** @returns whether a node came or went */
  see(node: Node, isGone: boolean): boolean {
    const { name } = node.metadata;
    const known = this.#nodes.get(name);
    const seen = known ?? this.#firstSight(node);
    if (seen === undefined) return false;
    this.#nodes.set(name, seen);
    const now = this.#options.now();
    if (node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true)
      seen.initializedAt ??= now;
    if (isMarked(node)) {
      seen.chosenAt ??= now;
      seen.reason = reasonOfGroupUpdate;
      if (node.spec?.unschedulable === true) seen.leavesAt ??= now;
    } else if (!isGone) {
      // Called off: the node stays as it is, and is still to go.
      delete seen.chosenAt;
      delete seen.leavesAt;
    }
    if (isGone) {
      seen.reason ??= 'Deleted';
      seen.leavesAt ??= now;
      seen.goneAt = now;
    }
    return isGone || known === undefined;
  }

  /** A pod of the node is asked to leave. */
  seePodLeaving(name: string): void {
    const node = this.#nodes.get(name);
    if (node?.chosenAt !== undefined) node.leavesAt ??= this.#options.now();
  }

  #firstSight({ metadata, spec }: Node): Mutable<RunNode> | undefined {
    const { name, labels = {}, creationTimestamp } = metadata;
    const nodeGroup = this.#options.groupOf(spec?.providerID?.split('/').at(-1) ?? '');
    if (nodeGroup === undefined) return undefined;
    const isFromBefore = this.#isBefore && creationTimestamp !== undefined;
    return {
      claim: name,
      node: name,
      nodePool: labels[karpenterLabels.nodePool] ?? '',
      nodeGroup,
      instanceType: labels[kubernetesLabels.instanceType] ?? '',
      zone: labels[kubernetesLabels.zone] ?? '',
      capacityType: labels['eks.amazonaws.com/capacityType'] === 'SPOT' ? 'spot' : 'on-demand',
      isFromBefore: this.#isBefore,
      createdAt: isFromBefore ? fromTimestamp(creationTimestamp) : this.#options.now(),
    };
  }
}

const isMarked = ({ spec }: Node): boolean => spec?.taints?.some(({ key }) => marksOfUpdates.has(key)) === true;
