import { byText, type Pod } from '@nodewright/apis';
import { Heap } from '@nodewright/runtime';
import { usesClaimsOfDevices } from '../devices/claims-of-pod.ts';
import { claimKeysOf } from '../volumes/claims-of-pods.ts';
import { onlyNodeFor } from '../placement/node-selection.ts';
import type { SchedulerCluster } from './cluster.ts';
import { explainRefusals, firstRefusal, type SchedulerFilter } from './filters/filter.ts';
import { filtersOfNode } from './filters/of-node.ts';
import { equivalenceClassOfPod } from './relevance.ts';
import type { SchedulingChoice } from './scheduling-choice.ts';
import { freeShare } from './score.ts';

/** Rankings of more classes of pods are forgotten, the one that was not asked for longest first. */
const mostRankings = 128;

/**
 * The nodes in the order in which equal pods take them. A node that changed is looked at anew, the others are not.
 *
 * It is for pods whose choice depends on each node alone: without topology spread, affinity between pods, volumes and
 * preferred nodes, in a cluster without nodes to avoid and without pods that keep others away.
 */
export class NodeRankings {
  readonly #cluster: SchedulerCluster;
  readonly #rankings = new Map<string, NodeRanking>();

  constructor(cluster: SchedulerCluster) {
    this.#cluster = cluster;
  }

  /** The same choice as that among all nodes; undefined when it does not depend on each node alone. */
  choose(pod: Pod): SchedulingChoice | undefined {
    if (!this.#cluster.isPlain || !isPlainPod(pod)) return undefined;
    const ranking = this.#rankingOf(pod);
    ranking.update();
    return ranking.choice();
  }

  #rankingOf(pod: Pod): NodeRanking {
    const name = equivalenceClassOfPod(pod);
    const ranking = this.#rankings.get(name) ?? new NodeRanking(pod, this.#cluster);
    this.#rankings.delete(name);
    this.#rankings.set(name, ranking);
    if (this.#rankings.size > mostRankings) this.#forgetOldest();
    return ranking;
  }

  #forgetOldest(): void {
    const [oldest] = this.#rankings.keys();
    if (oldest !== undefined) this.#rankings.delete(oldest);
  }
}

function isPlainPod(pod: Pod): boolean {
  const { affinity, topologySpreadConstraints = [] } = pod.spec;
  return (
    affinity?.podAffinity === undefined &&
    affinity?.podAntiAffinity === undefined &&
    affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution === undefined &&
    topologySpreadConstraints.length === 0 &&
    claimKeysOf(pod).length === 0 &&
    !usesClaimsOfDevices(pod) &&
    onlyNodeFor(pod) === undefined
  );
}

type RankedNode = { readonly name: string; readonly score: number; position: number };

/** What one class of pods finds on each node. */
class NodeRanking {
  readonly #cluster: SchedulerCluster;
  readonly #filters: readonly SchedulerFilter[];
  readonly #order = new Heap<RankedNode>(
    (a, b) => a.score > b.score || (a.score === b.score && byText(a.name, b.name) < 0),
  );
  readonly #ranked = new Map<string, RankedNode>();
  readonly #refused = new Map<string, readonly string[]>();
  /** How many nodes refuse for each reason. */
  readonly #reasons = new Map<string, number>();
  #seen = -1;

  constructor(pod: Pod, cluster: SchedulerCluster) {
    this.#cluster = cluster;
    this.#filters = filtersOfNode(pod);
  }

  update(): void {
    const changed = this.#cluster.changedSince(this.#seen);
    for (const name of changed ?? this.#everyName()) this.#look(name);
    this.#seen = this.#cluster.lastChange;
  }

  choice(): SchedulingChoice {
    const best = this.#order.peek();
    if (best !== undefined) return { kind: 'node', name: best.name };
    return { kind: 'unschedulable', message: explainRefusals(this.#reasons, this.#refused.size) };
  }

  /** Of all nodes, and of those that are gone. */
  #everyName(): ReadonlySet<string> {
    const there = this.#cluster.nodes().map(({ node }) => node.metadata.name);
    return new Set([...this.#ranked.keys(), ...this.#refused.keys(), ...there]);
  }

  #look(name: string): void {
    this.#forget(name);
    const state = this.#cluster.node(name);
    if (state === undefined) return;
    const reasons = firstRefusal(state, this.#filters);
    if (reasons.length === 0) {
      const ranked = { name, score: freeShare(state), position: -1 };
      this.#ranked.set(name, ranked);
      this.#order.push(ranked);
      return;
    }
    this.#refused.set(name, reasons);
    for (const reason of reasons) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
  }

  #forget(name: string): void {
    const ranked = this.#ranked.get(name);
    if (ranked !== undefined) this.#order.remove(ranked);
    this.#ranked.delete(name);
    for (const reason of this.#refused.get(name) ?? []) {
      const count = (this.#reasons.get(reason) ?? 0) - 1;
      if (count === 0) this.#reasons.delete(reason);
      else this.#reasons.set(reason, count);
    }
    this.#refused.delete(name);
  }
}
