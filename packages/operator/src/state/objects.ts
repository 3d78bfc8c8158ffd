import {
  csiNodes,
  daemonSets,
  ec2NodeClasses,
  karpenterLabels,
  namespaces,
  nodeClaims,
  nodeGroups,
  nodePools,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
  storageClasses,
  volumeAttachments,
  type CSINode,
  type DaemonSet,
  type EC2NodeClass,
  type Namespace,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type NodeClaim,
  type NodeGroup,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
  type ReplicaSet,
  type ReplicationController,
  type Service,
  type StatefulSet,
  type StorageClass,
  type VolumeAttachment,
} from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { Collection } from '../objects/collection.ts';

/** Every kind the operator watches. */
export type Objects = {
  readonly nodeClasses: Collection<EC2NodeClass>;
  readonly nodePools: Collection<NodePool>;
  readonly nodeClaims: Collection<NodeClaim>;
  readonly nodes: Collection<Node>;
  readonly pods: Collection<Pod>;
  readonly daemonSets: Collection<DaemonSet>;
  readonly namespaces: Collection<Namespace>;
  readonly podDisruptionBudgets: Collection<PodDisruptionBudget>;
  readonly volumeAttachments: Collection<VolumeAttachment>;
  readonly persistentVolumeClaims: Collection<PersistentVolumeClaim>;
  readonly persistentVolumes: Collection<PersistentVolume>;
  readonly storageClasses: Collection<StorageClass>;
  readonly csiNodes: Collection<CSINode>;
  readonly nodeGroups: Collection<NodeGroup>;
  /** This one and the three after it are watched only where pods are spread by default. */
  readonly services: Collection<Service>;
  readonly replicaSets: Collection<ReplicaSet>;
  readonly statefulSets: Collection<StatefulSet>;
  readonly replicationControllers: Collection<ReplicationController>;
};

const present = (value: string | undefined): readonly string[] => (value === undefined || value === '' ? [] : [value]);

export function createObjects(client: KubernetesClient): Objects {
  return {
    nodeClasses: new Collection(ec2NodeClasses, client),
    nodePools: new Collection(nodePools, client, {
      nodeClass: (pool) => [pool.spec.template.spec.nodeClassRef.name],
    }),
    nodeClaims: new Collection(nodeClaims, client, {
      providerId: (claim) => present(claim.status?.providerID),
      nodePool: (claim) => present(claim.metadata.labels?.[karpenterLabels.nodePool]),
      nodeClass: (claim) => [claim.spec.nodeClassRef.name],
    }),
    nodes: new Collection(nodes, client, { providerId: (node) => present(node.spec?.providerID) }),
    pods: new Collection(pods, client, {
      node: (pod) => [pod.spec.nodeName ?? ''],
      owner: (pod) => (pod.metadata.ownerReferences ?? []).map(({ uid }) => uid),
    }),
    daemonSets: new Collection(daemonSets, client),
    namespaces: new Collection(namespaces, client),
    podDisruptionBudgets: new Collection(podDisruptionBudgets, client, {
      namespace: (budget) => present(budget.metadata.namespace),
    }),
    volumeAttachments: new Collection(volumeAttachments, client, {
      node: (attachment) => [attachment.spec.nodeName],
    }),
    persistentVolumeClaims: new Collection(persistentVolumeClaims, client),
    persistentVolumes: new Collection(persistentVolumes, client),
    storageClasses: new Collection(storageClasses, client),
    csiNodes: new Collection(csiNodes, client),
    nodeGroups: new Collection(nodeGroups, client),
    services: new Collection(services, client, { namespace: (service) => present(service.metadata.namespace) }),
    replicaSets: new Collection(replicaSets, client),
    statefulSets: new Collection(statefulSets, client),
    replicationControllers: new Collection(replicationControllers, client),
  };
}
