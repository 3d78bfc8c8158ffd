import type { KubernetesObject } from '@nodewright/apis';
import type { ObjectWrite } from '@nodewright/kube-api';

/** The collections that expressions read, in the words of the API server. */
export const collectionNames = {
  nodes: 'nodes',
  pods: 'pods',
  claims: 'nodeclaims.karpenter.sh',
  pools: 'nodepools.karpenter.sh',
  services: 'services',
  rollouts: 'noderollouts.nodewright.dev',
  policies: 'noderolloutpolicies.nodewright.dev',
  groups: 'nodegroups.nodewright.dev',
  events: 'events',
  replicaSets: 'replicasets.apps',
} as const;

export type CollectionName = (typeof collectionNames)[keyof typeof collectionNames];

const followedCollections: ReadonlySet<string> = new Set(Object.values(collectionNames));

/** The pods that come with every node of EKS, whatever is given: those of aws-node and kube-proxy. */
const isSystemPod = (collection: string, { namespace, name }: ObjectWrite['object']['metadata']): boolean =>
  collection === collectionNames.pods && namespace === 'kube-system' && /^(aws-node|kube-proxy)-/.test(name);

/** An object as it was and as it is; one of them is missing where it was made or is gone. */
export type SeenChange = { readonly before?: KubernetesObject; readonly after?: KubernetesObject };

type ChangeListener = (collection: string, change: SeenChange) => void;

/** The objects of a cluster, followed from write to write. */
export class ObservedCluster {
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  readonly #versions = new Map<string, number>();
  readonly #listeners: ChangeListener[] = [];

  /** @returns whether anything that is read has changed */
  see({ type, collection, object }: ObjectWrite): boolean {
    if (!followedCollections.has(collection) || isSystemPod(collection, object.metadata)) return false;
    const objects = this.#objects.get(collection) ?? new Map<string, KubernetesObject>();
    this.#objects.set(collection, objects);
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const before = objects.get(key);
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, object);
    const change = { ...(before && { before }), ...(type !== 'DELETED' && { after: object }) };
    for (const listener of this.#listeners) listener(collection, change);
    this.#versions.set(collection, this.versionOf(collection) + 1);
    return true;
  }

  /** Tells of every change of an object that is followed. */
  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  list<T extends KubernetesObject>(collection: CollectionName): readonly T[] {
    return [...(this.#objects.get(collection)?.values() ?? [])] as unknown as readonly T[];
  }

  find<T extends KubernetesObject>(collection: CollectionName, key: string): T | undefined {
    return this.#objects.get(collection)?.get(key) as T | undefined;
  }

  /** Grows with every write to a collection. */
  versionOf(collection: string): number {
    return this.#versions.get(collection) ?? 0;
  }
}
