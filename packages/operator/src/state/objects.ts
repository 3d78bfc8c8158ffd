import {
  capacityBuffers,
  csiNodes,
  daemonSets,
  deployments,
  ec2NodeClasses,
  karpenterLabels,
  namespaces,
  nodeClaims,
  nodeGroups,
  nodeOverlays,
  nodePools,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  podTemplates,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
  storageClasses,
  volumeAttachments,
  type CapacityBuffer,
  type CSINode,
  type DaemonSet,
  type Deployment,
  type EC2NodeClass,
  type Namespace,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type NodeClaim,
  type NodeGroup,
  type NodeOverlay,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
  type PodTemplate,
  type ReplicaSet,
  type ReplicationController,
  type Service,
  type StatefulSet,
  type StorageClass,
  type VolumeAttachment,
} from '@nodewright/apis';
import { claimNamesOf } from '@nodewright/engine';
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
  /** Watched only with the gate `NodeOverlay`. */
  readonly nodeOverlays: Collection<NodeOverlay>;
  /** This one and the two after it are watched only with the gate `CapacityBuffer`. */
  readonly capacityBuffers: Collection<CapacityBuffer>;
  readonly podTemplates: Collection<PodTemplate>;
  readonly deployments: Collection<Deployment>;
  /** This one and the one after it are watched only where pods are spread by default. */
  readonly services: Collection<Service>;
  readonly replicationControllers: Collection<ReplicationController>;
  /** This one and the one after it are watched in either case. */
  readonly replicaSets: Collection<ReplicaSet>;
  readonly statefulSets: Collection<StatefulSet>;
};

/** `i-0123456789abcdef0` of `aws:///us-east-1a/i-0123456789abcdef0`. */
const instanceIdIn = (providerId: string | undefined): readonly string[] => present(providerId?.split('/').at(-1));

const present = (value: string | undefined): readonly string[] => (value === undefined || value === '' ? [] : [value]);

export function createObjects(client: KubernetesClient): Objects {
  return {
    nodeClasses: new Collection(ec2NodeClasses, client),
    nodePools: new Collection(nodePools, client, {
      nodeClass: (pool) => [pool.spec.template.spec.nodeClassRef.name],
    }),
    nodeClaims: new Collection(nodeClaims, client, {
      providerId: (claim) => present(claim.status?.providerID),
      instanceId: (claim) => instanceIdIn(claim.status?.providerID),
      nodePool: (claim) => present(claim.metadata.labels?.[karpenterLabels.nodePool]),
      nodeClass: (claim) => [claim.spec.nodeClassRef.name],
    }),
    nodes: new Collection(nodes, client, {
      providerId: (node) => present(node.spec?.providerID),
      instanceId: (node) => instanceIdIn(node.spec?.providerID),
    }),
    pods: new Collection(pods, client, {
      node: (pod) => [pod.spec.nodeName ?? ''],
      volumes: (pod) => (claimNamesOf(pod).length === 0 ? [] : ['claimed']),
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
    nodeOverlays: new Collection(nodeOverlays, client),
    capacityBuffers: new Collection(capacityBuffers, client),
    podTemplates: new Collection(podTemplates, client),
    deployments: new Collection(deployments, client),
    services: new Collection(services, client, { namespace: (service) => present(service.metadata.namespace) }),
    replicaSets: new Collection(replicaSets, client),
    statefulSets: new Collection(statefulSets, client),
    replicationControllers: new Collection(replicationControllers, client),
  };
}
