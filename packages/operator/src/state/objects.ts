import {
  capacityBuffers,
  csiNodes,
  daemonSets,
  deployments,
  disruptedTaint,
  ec2NodeClasses,
  isConditionTrue,
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
  disruptionPauses,
  endpointSlices,
  type EndpointSlice,
  imageRules,
  nodeRolloutPolicies,
  nodeRollouts,
  services,
  statefulSets,
  storageClasses,
  volumeAttachments,
  type DisruptionPause,
  type ImageRule,
  type NodeRollout,
  type NodeRolloutPolicy,
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
import { disruptionCommandAnnotation, replacementForAnnotation } from '../names.ts';
import { CachedCollection } from '../objects/collection.ts';
import { isManagedNodeClass } from './managed.ts';
import { hasTaint } from './taints.ts';

/** Every kind the operator watches. */
export type Objects = {
  readonly nodeClasses: CachedCollection<EC2NodeClass>;
  readonly nodePools: CachedCollection<NodePool>;
  readonly nodeClaims: CachedCollection<NodeClaim>;
  readonly nodes: CachedCollection<Node>;
  readonly pods: CachedCollection<Pod>;
  readonly daemonSets: CachedCollection<DaemonSet>;
  readonly namespaces: CachedCollection<Namespace>;
  readonly podDisruptionBudgets: CachedCollection<PodDisruptionBudget>;
  readonly volumeAttachments: CachedCollection<VolumeAttachment>;
  readonly persistentVolumeClaims: CachedCollection<PersistentVolumeClaim>;
  readonly persistentVolumes: CachedCollection<PersistentVolume>;
  readonly storageClasses: CachedCollection<StorageClass>;
  readonly csiNodes: CachedCollection<CSINode>;
  readonly nodeGroups: CachedCollection<NodeGroup>;
  readonly imageRules: CachedCollection<ImageRule>;
  readonly rolloutPolicies: CachedCollection<NodeRolloutPolicy>;
  readonly rollouts: CachedCollection<NodeRollout>;
  readonly pauses: CachedCollection<DisruptionPause>;
  /** Watched only where a policy protects last endpoints. */
  readonly endpointSlices: CachedCollection<EndpointSlice>;
  /** Watched only with the gate `NodeOverlay`. */
  readonly nodeOverlays: CachedCollection<NodeOverlay>;
  /** This one and the two after it are watched only with the gate `CapacityBuffer`. */
  readonly capacityBuffers: CachedCollection<CapacityBuffer>;
  readonly podTemplates: CachedCollection<PodTemplate>;
  readonly deployments: CachedCollection<Deployment>;
  /** This one and the one after it are watched only where pods are spread by default. */
  readonly services: CachedCollection<Service>;
  readonly replicationControllers: CachedCollection<ReplicationController>;
  /** This one and the one after it are watched in either case. */
  readonly replicaSets: CachedCollection<ReplicaSet>;
  readonly statefulSets: CachedCollection<StatefulSet>;
};

/** A claim of ours that has no instance yet. */
const isLaunchUnderWay = ({ spec, status }: NodeClaim): boolean =>
  (status?.providerID ?? '') === '' && isManagedNodeClass(spec.nodeClassRef);

/** Whether its node has been ready once, and whether it has drifted or is being disrupted. */
const stagesOf = (claim: NodeClaim): readonly string[] => [
  ...(isConditionTrue(claim, 'Initialized') ? ['initialized'] : []),
  ...(isConditionTrue(claim, 'Drifted') || isConditionTrue(claim, 'DisruptionReason') ? ['toGo'] : []),
];

/** `i-0123456789abcdef0` of `aws:///us-east-1a/i-0123456789abcdef0`. */
const instanceIdsIn = (providerId: string | undefined): readonly string[] =>
  presentValues(providerId?.split('/').at(-1));

const presentValues = (value: string | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : [value];

export function createObjects(client: KubernetesClient): Objects {
  return {
    nodeClasses: new CachedCollection(ec2NodeClasses, client),
    nodePools: new CachedCollection(nodePools, client, {
      nodeClass: (pool) => [pool.spec.template.spec.nodeClassRef.name],
    }),
    nodeClaims: new CachedCollection(nodeClaims, client, {
      providerId: (claim) => presentValues(claim.status?.providerID),
      instanceId: (claim) => instanceIdsIn(claim.status?.providerID),
      nodePool: (claim) => presentValues(claim.metadata.labels?.[karpenterLabels.nodePool]),
      nodeClass: (claim) => [claim.spec.nodeClassRef.name],
      launch: (claim) => (isLaunchUnderWay(claim) ? ['underWay'] : []),
      disruption: ({ metadata }) =>
        metadata.annotations?.[disruptionCommandAnnotation] === undefined ? [] : ['candidate'],
      stage: stagesOf,
      replacementFor: ({ metadata }) => presentValues(metadata.annotations?.[replacementForAnnotation]),
      unlaunchedOf: (claim) => (isConditionTrue(claim, 'Launched') ? [] : [claim.spec.nodeClassRef.name]),
    }),
    nodes: new CachedCollection(nodes, client, {
      disruption: ({ spec }) => (hasTaint(spec?.taints, disruptedTaint) ? ['tainted'] : []),
      providerId: (node) => presentValues(node.spec?.providerID),
      instanceId: (node) => instanceIdsIn(node.spec?.providerID),
    }),
    pods: new CachedCollection(pods, client, {
      node: (pod) => [pod.spec.nodeName ?? ''],
      volumes: (pod) => (claimNamesOf(pod).length === 0 ? [] : ['claimed']),
      owner: (pod) => (pod.metadata.ownerReferences ?? []).map(({ uid }) => uid),
    }),
    daemonSets: new CachedCollection(daemonSets, client),
    namespaces: new CachedCollection(namespaces, client),
    podDisruptionBudgets: new CachedCollection(podDisruptionBudgets, client, {
      namespace: (budget) => presentValues(budget.metadata.namespace),
    }),
    volumeAttachments: new CachedCollection(volumeAttachments, client, {
      node: (attachment) => [attachment.spec.nodeName],
    }),
    persistentVolumeClaims: new CachedCollection(persistentVolumeClaims, client),
    persistentVolumes: new CachedCollection(persistentVolumes, client),
    storageClasses: new CachedCollection(storageClasses, client),
    csiNodes: new CachedCollection(csiNodes, client),
    nodeGroups: new CachedCollection(nodeGroups, client),
    imageRules: new CachedCollection(imageRules, client),
    rolloutPolicies: new CachedCollection(nodeRolloutPolicies, client),
    rollouts: new CachedCollection(nodeRollouts, client, { policy: ({ spec }) => [spec.policy] }),
    pauses: new CachedCollection(disruptionPauses, client),
    endpointSlices: new CachedCollection(endpointSlices, client),
    nodeOverlays: new CachedCollection(nodeOverlays, client),
    capacityBuffers: new CachedCollection(capacityBuffers, client),
    podTemplates: new CachedCollection(podTemplates, client),
    deployments: new CachedCollection(deployments, client),
    services: new CachedCollection(services, client, {
      namespace: (service) => presentValues(service.metadata.namespace),
    }),
    replicaSets: new CachedCollection(replicaSets, client),
    statefulSets: new CachedCollection(statefulSets, client),
    replicationControllers: new CachedCollection(replicationControllers, client),
  };
}
