import { conditionOf, type Pod } from '@nodewright/apis';

/** What else runs in the cluster that an update of nodes has to do with. */
export type Neighbours = {
  /** Nodes of the pods that resolve the cluster's names, as far as they are ready. */
  readonly dnsNodes: readonly string[];
  readonly hasClusterAutoscaler: boolean;
};

export const neighboursOf = (pods: readonly Pod[]): Neighbours => ({
  dnsNodes: pods
    .filter(({ metadata }) => metadata.namespace === 'kube-system' && metadata.labels?.['k8s-app'] === 'kube-dns')
    .filter((pod) => conditionOf(pod, 'Ready')?.status === 'True')
    .map(({ spec }) => spec.nodeName ?? '')
    .toSorted(),
  hasClusterAutoscaler: pods.some(
    ({ metadata, spec }) => metadata.name.includes('cluster-autoscaler') && spec.nodeName !== undefined,
  ),
});
