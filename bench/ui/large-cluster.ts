import { fromTimestamp, instant, type Instant, minutes, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { aClusterReading, aNode, aPod } from '@nodewright/testkit';

const benchBeginning: Instant = fromTimestamp('2024-03-01T12:00:00Z');

const workloadCount = 50;

const drift = {
  type: 'Drifted',
  status: 'True',
  reason: 'NodePoolDrifted',
  lastTransitionTime: '2024-03-01T10:00:00Z',
} as const;

/** Names that compress as badly as those of EC2 do. */
const nameNode = (number: number): string => {
  const mixed = Math.imul(number + 1, 2_654_435_761) >>> 0;
  return `ip-10-${mixed >>> 24}-${(mixed >>> 16) & 255}-${(mixed >>> 8) & 255}-${number}.ec2.internal`;
};

/** A cluster in which so many nodes have been replaced since the beginning: every tenth node has drifted. */
export class LargeCluster {
  readonly #nodes: NodeState[];
  readonly #podsOfNode: number;
  readonly #budgets: readonly PodDisruptionBudget[];
  #replaced = 0;

  constructor(nodes: number, pods: number) {
    this.#podsOfNode = Math.round(pods / nodes);
    this.#nodes = Array.from({ length: nodes }, (_, index) => this.#makeNode(nameNode(index), index, index % 10 === 0));
    this.#budgets = Array.from({ length: workloadCount }, (_, index) => ({
      metadata: { name: `web-${index}`, namespace: 'default' },
      spec: { selector: { matchLabels: { app: `web-${index}` } }, maxUnavailable: index % 5 === 0 ? 0 : 1 },
    }));
  }

  #makeNode(name: string, index: number, isDrifted: boolean): NodeState {
    return aNode(name, {
      createdAt: '2024-02-01T12:00:00Z',
      pods: Array.from({ length: this.#podsOfNode }, (_, at) => this.#makePod(name, (index + at) % workloadCount, at)),
      ...(isDrifted ? { claimConditions: [drift] } : {}),
    });
  }

  #makePod(nodeName: string, workload: number, at: number): Pod {
    const labels = { app: `web-${workload}` };
    return aPod(`web-${workload}-${nodeName}-${at}`, { nodeName, labels, requests: { cpu: '100m', memory: '100Mi' } });
  }

  /** Replaces so many drifted nodes by new ones. */
  replace(count: number): void {
    for (let done = 0; done < count; done += 1) {
      const index = (this.#replaced * 10) % this.#nodes.length;
      this.#replaced += 1;
      this.#nodes[index] = this.#makeNode(nameNode(this.#nodes.length + this.#replaced), index, false);
    }
  }

  read(): { readonly reading: ClusterReading; readonly now: Instant } {
    const reading = aClusterReading({ nodes: [...this.#nodes], podDisruptionBudgets: this.#budgets });
    return { reading, now: instant(benchBeginning + this.#replaced * minutes(1)) };
  }
}
