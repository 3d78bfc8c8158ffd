import {
  isConditionTrue,
  type KubernetesObject,
  labelSelectorPredicate,
  type Pod,
  type Service,
} from '@nodewright/apis';
import { collectionNames, type ObservedCluster, type SeenChange } from './observed-cluster.ts';

type SelectedPods = { readonly namespace: string; readonly selects: (pod: Pod) => boolean; ready: number };

/**
 * How many pods are on a node, and how many ready ones a Service selects: counted from change to change. Conditions ask after
 * every write, and there may be thousands of pods.
 */
export class PodTallies {
  readonly #cluster: ObservedCluster;
  readonly #onNode = new Map<string, number>();
  readonly #selected = new Map<string, SelectedPods>();

  constructor(cluster: ObservedCluster) {
    this.#cluster = cluster;
    // A Service counts the pods that are there by itself.
    for (const pod of cluster.list<Pod>(collectionNames.pods)) this.#see(collectionNames.pods, { after: pod });
    for (const service of cluster.list<Service>(collectionNames.services))
      this.#see(collectionNames.services, { after: service });
    cluster.onChange((collection, change) => this.#see(collection, change));
  }

  /** Without those of DaemonSets, which come with every node. */
  countOnNode(name: string): number {
    return this.#onNode.get(name) ?? 0;
  }

  countReady({ metadata }: Service): number {
    return this.#selected.get(keyOf(metadata))?.ready ?? 0;
  }

  #see(collection: string, { before, after }: SeenChange): void {
    if (collection === collectionNames.services) this.#seeService(before, after);
    if (collection !== collectionNames.pods) return;
    if (before !== undefined) this.#count(before as Pod, -1);
    if (after !== undefined) this.#count(after as Pod, 1);
  }

  #seeService(before: KubernetesObject | undefined, after: Service | undefined): void {
    if (before !== undefined) this.#selected.delete(keyOf(before.metadata));
    if (after === undefined) return;
    const { namespace = '' } = after.metadata;
    const hasLabels = labelSelectorPredicate({ matchLabels: after.spec?.selector ?? {} });
    const selects = (pod: Pod): boolean => hasLabels(pod.metadata.labels ?? {});
    const pods = this.#cluster.list<Pod>(collectionNames.pods);
    const ready = pods.filter((pod) => pod.metadata.namespace === namespace && isServing(pod) && selects(pod)).length;
    this.#selected.set(keyOf(after.metadata), { namespace, selects, ready });
  }

  #count(pod: Pod, by: 1 | -1): void {
    const { nodeName } = pod.spec;
    if (nodeName !== undefined && !isOfDaemonSet(pod))
      this.#onNode.set(nodeName, (this.#onNode.get(nodeName) ?? 0) + by);
    if (!isServing(pod)) return;
    for (const service of this.#selected.values())
      if (service.namespace === pod.metadata.namespace && service.selects(pod)) service.ready += by;
  }
}

const keyOf = ({ namespace = '', name }: KubernetesObject['metadata']): string => `${namespace}/${name}`;

const isServing = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && isConditionTrue(pod, 'Ready');

const isOfDaemonSet = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true;
