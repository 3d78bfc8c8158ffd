import { type DaemonSet, daemonSets, type Node, nodes, type Pod, pods } from '@nodewright/apis';
import { type IndexBy, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane } from '../../control-plane/control-plane.ts';
import type { Watched } from '../../control-plane/watched.ts';
import { byController, controllerOf } from '../../objects/ownership.ts';
import { scheduledBy } from '../../scheduler/relevance.ts';
import { type DaemonNodes, DaemonTally } from './daemon-tally.ts';
import { nodeOfDaemon } from './placement.ts';

type FollowedSet = { readonly template: DaemonSet['spec']['template']; readonly tally: DaemonTally };

/**
 * The tallies of all DaemonSets. What the watches tell marks nodes; a tally judges the marked nodes when it is read.
 *
 * Assumption: versions of a set share the template while it stays the same. Another template is judged on all nodes.
 */
export class DaemonTallies {
  readonly #nodes: Watched<Node>;
  readonly #pods: Watched<Pod>;
  readonly #followed = new Map<string, FollowedSet>();
  /** Nodes to be judged anew, by the uid of the set. */
  readonly #marked = new Map<string, Set<string>>();

  constructor({ watches }: ClusterControlPlane) {
    this.#nodes = watches.of(nodes);
    this.#pods = watches.of(pods);
    this.#nodes.onChange((before, after) => {
      if (before !== undefined && after !== undefined && scheduledBy(before) === scheduledBy(after)) return;
      for (const uid of this.#followed.keys()) this.#mark(uid, objectKeyText((after ?? before) as Node));
    });
    this.#pods.onChange((before, after) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#markNodeOf(pod);
    });
    watches.of(daemonSets).onChange((before, after) => {
      if (after === undefined) this.#forget(before?.metadata.uid ?? '');
    });
  }

  of(set: DaemonSet): DaemonNodes {
    const { uid = '' } = set.metadata;
    const { template } = set.spec;
    const known = this.#followed.get(uid);
    const { tally } = known?.template === template ? known : this.#follow(set);
    const marked = this.#marked.get(uid) ?? [];
    for (const name of marked) tally.judge(name, this.#nodes.get(name), this.#pods.by(byDaemonNode, `${uid} ${name}`));
    this.#marked.delete(uid);
    return tally;
  }

  #follow(set: DaemonSet): FollowedSet {
    const { uid = '' } = set.metadata;
    const followed = { template: set.spec.template, tally: new DaemonTally(set) };
    this.#followed.set(uid, followed);
    for (const { metadata } of this.#nodes.all()) this.#mark(uid, metadata.name);
    for (const pod of this.#pods.by(byController, uid)) this.#markNodeOf(pod);
    return followed;
  }

  #forget(uid: string): void {
    this.#followed.delete(uid);
    this.#marked.delete(uid);
  }

  #markNodeOf(pod: Pod): void {
    const owner = controllerOf(pod);
    if (owner?.kind === daemonSets.kind && this.#followed.has(owner.uid))
      this.#mark(owner.uid, nodeOfDaemon(pod) ?? '');
  }

  #mark(uid: string, name: string): void {
    const marked = this.#marked.get(uid);
    if (marked === undefined) this.#marked.set(uid, new Set([name]));
    else marked.add(name);
  }
}

/** Pods of DaemonSets by the uid of their set and the name of their node. */
const byDaemonNode: IndexBy<Pod> = (pod) => {
  const owner = controllerOf(pod);
  return owner?.kind === daemonSets.kind ? [`${owner.uid} ${nodeOfDaemon(pod) ?? ''}`] : [];
};
