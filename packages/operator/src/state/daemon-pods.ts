import { type DaemonSet, oncePerPair, type Pod } from '@nodewright/apis';
import { newestDaemonPod, podRequests } from '@nodewright/engine';
import { isEqualDiffValue } from '../objects/merge-diff.ts';
import { cacheKeyOf } from '../objects/object-cache.ts';
import type { Objects } from './objects.ts';

/**
 * What each DaemonSet would run on a new node: its newest live pod, or what its template says. A daemon that comes to
 * the same as before stays the same object, and so does the list: what was worked out for it still holds.
 */
export class DaemonPods {
  readonly #objects: Objects;
  #byName: ReadonlyMap<string, Pod> = new Map();
  #list: readonly Pod[] = [];

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  list(): readonly Pod[] {
    const before = this.#byName;
    const found = this.#objects.daemonSets.list().map((daemonSet): readonly [string, Pod] => {
      const pod =
        newestPodOf(daemonSet, this.#objects.pods.by('owner', daemonSet.metadata.uid ?? '')) ??
        podOfTemplate(daemonSet);
      const known = before.get(cacheKeyOf(daemonSet));
      return [cacheKeyOf(daemonSet), known !== undefined && comesToTheSame(known, pod) ? known : pod];
    });
    const list = found.map(([, pod]) => pod);
    const isSame = list.length === this.#list.length && list.every((pod, index) => pod === this.#list[index]);
    if (!isSame) [this.#byName, this.#list] = [new Map(found), list];
    return this.#list;
  }
}

// Rounds follow each other while the same daemons run.
const newestPodOf = oncePerPair(newestDaemonPod);

/** For a node that it is yet to run on. */
const comesToTheSame = (a: Pod, b: Pod): boolean =>
  isEqualDiffValue(a.spec, b.spec) &&
  isEqualDiffValue(a.metadata.labels, b.metadata.labels) &&
  isEqualDiffValue(podRequests(a), podRequests(b));

const podOfTemplate = ({ metadata, spec: { template } }: DaemonSet): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...template.metadata, name: metadata.name, namespace: metadata.namespace ?? 'default' },
  spec: template.spec,
});
