import type { Container, DaemonSet, Pod, PodSpec } from '@nodewright/apis';
import { podRequests, unpinDaemonPod } from '@nodewright/engine';
import { isEqualDiffValue } from '../objects/merge-diff.ts';
import { cacheKeyOf } from '../objects/object-cache.ts';
import { NewestPods } from './newest-pods.ts';
import type { Objects } from './objects.ts';

/** What a daemon was worked out from, and the pod that stands for it. */
type KnownDaemon = { readonly spec: DaemonSet['spec']; readonly newest: Pod | undefined; readonly pod: Pod };

/**
 * What each DaemonSet would run on a new node: its newest live pod, or what its template says. A daemon that comes to
 * the same as before stays the same object, and so does the list: what was worked out for it still holds.
 */
export class DaemonPods {
  readonly #objects: Pick<Objects, 'daemonSets' | 'pods'>;
  readonly #newest: NewestPods;
  #daemons: ReadonlyMap<string, KnownDaemon> = new Map();
  #list: readonly Pod[] = [];

  constructor(objects: Pick<Objects, 'daemonSets' | 'pods'>) {
    this.#objects = objects;
    this.#newest = new NewestPods(objects.pods);
  }

  list(): readonly Pod[] {
    const before = this.#daemons;
    this.#daemons = new Map(
      this.#objects.daemonSets
        .list()
        .map((daemonSet) => [cacheKeyOf(daemonSet), this.#daemonOf(daemonSet, before.get(cacheKeyOf(daemonSet)))]),
    );
    const list = [...this.#daemons.values()].map(({ pod }) => pod);
    const isSame = list.length === this.#list.length && list.every((pod, index) => pod === this.#list[index]);
    if (!isSame) this.#list = list;
    return this.#list;
  }

  #daemonOf(daemonSet: DaemonSet, known: KnownDaemon | undefined): KnownDaemon {
    const { spec, metadata } = daemonSet;
    const newest = this.#newest.of(metadata.uid ?? '');
    if (known?.spec === spec && known.newest === newest) return known;
    const pod = newest === undefined ? podOfTemplate(daemonSet) : unpinDaemonPod(daemonSet, newest);
    return { spec, newest, pod: known !== undefined && comesToTheSame(known.pod, pod) ? known.pod : pod };
  }
}

/** For a node that it is yet to run on. */
const comesToTheSame = (a: Pod, b: Pod): boolean =>
  isEqualDiffValue(withoutTokenVolume(a.spec), withoutTokenVolume(b.spec)) &&
  isEqualDiffValue(a.metadata.labels, b.metadata.labels) &&
  isEqualDiffValue(podRequests(a), podRequests(b));

/** Admission gives each pod a volume for the token of its service account, under a name of its own: `kube-api-access-x7k2p`. */
function withoutTokenVolume(spec: PodSpec): PodSpec {
  const { volumes = [], containers, initContainers = [] } = spec;
  return {
    ...spec,
    volumes: volumes.filter(({ name }) => !isTokenVolume(name)),
    containers: containers.map(withoutTokenMount),
    initContainers: initContainers.map(withoutTokenMount),
  };
}

const withoutTokenMount = (container: Container): Container => ({
  ...container,
  volumeMounts: (container.volumeMounts ?? []).filter(({ name }) => !isTokenVolume(name)),
});

const isTokenVolume = (name: string): boolean => name.startsWith('kube-api-access-');

const podOfTemplate = ({ metadata, spec: { template } }: Pick<DaemonSet, 'metadata' | 'spec'>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...template.metadata, name: metadata.name, namespace: metadata.namespace ?? 'default' },
  spec: template.spec,
});
