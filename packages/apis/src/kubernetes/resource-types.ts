import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './devices.ts';
import type { ConfigMap, Event, Namespace, Node, Pod, PodTemplate, Secret, EndpointSlice, Service } from './core.ts';
import type { KubernetesObject } from './meta.ts';
import type { SelfSubjectAccessReview, SubjectAccessReview, TokenReview } from './reviews.ts';
import type { CSINode, PersistentVolume, PersistentVolumeClaim, StorageClass } from './storage.ts';
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  BatchJob,
  Lease,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
  VolumeAttachment,
} from './workloads.ts';

/**
 * Where one kind lives in the API: what a REST path and a discovery entry are built from.
 * The type parameter is the shape of its objects; it exists at compile time only.
 */
export type ResourceType<T extends KubernetesObject = KubernetesObject> = {
  /** API group, empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Lower-case plural, the path segment: `nodeclaims`. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shape?: T;
};

/** A kind whose objects belong to no namespace. */
export const clusterScoped = <T extends KubernetesObject>(
  group: string,
  version: string,
  plural: string,
  kind: string,
): ResourceType<T> => ({ group, version, plural, kind, namespaced: false });

const namespaced = <T extends KubernetesObject>(
  group: string,
  version: string,
  plural: string,
  kind: string,
): ResourceType<T> => ({ group, version, plural, kind, namespaced: true });

export const nodes = clusterScoped<Node>('', 'v1', 'nodes', 'Node');
export const namespaces = clusterScoped<Namespace>('', 'v1', 'namespaces', 'Namespace');
export const pods = namespaced<Pod>('', 'v1', 'pods', 'Pod');
export const podTemplates = namespaced<PodTemplate>('', 'v1', 'podtemplates', 'PodTemplate');
export const services = namespaced<Service>('', 'v1', 'services', 'Service');
export const endpointSlices = namespaced<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice');
export const configMaps = namespaced<ConfigMap>('', 'v1', 'configmaps', 'ConfigMap');
export const secrets = namespaced<Secret>('', 'v1', 'secrets', 'Secret');
export const events = namespaced<Event>('', 'v1', 'events', 'Event');
export const deployments = namespaced<Deployment>('apps', 'v1', 'deployments', 'Deployment');
export const replicaSets = namespaced<ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet');
export const statefulSets = namespaced<StatefulSet>('apps', 'v1', 'statefulsets', 'StatefulSet');
export const controllerRevisions = namespaced<ControllerRevision>(
  'apps',
  'v1',
  'controllerrevisions',
  'ControllerRevision',
);
export const replicationControllers = namespaced<ReplicationController>(
  '',
  'v1',
  'replicationcontrollers',
  'ReplicationController',
);
export const daemonSets = namespaced<DaemonSet>('apps', 'v1', 'daemonsets', 'DaemonSet');
export const batchJobs = namespaced<BatchJob>('batch', 'v1', 'jobs', 'Job');
export const podDisruptionBudgets = namespaced<PodDisruptionBudget>(
  'policy',
  'v1',
  'poddisruptionbudgets',
  'PodDisruptionBudget',
);
export const tokenReviews = clusterScoped<TokenReview>('authentication.k8s.io', 'v1', 'tokenreviews', 'TokenReview');
export const subjectAccessReviews = clusterScoped<SubjectAccessReview>(
  'authorization.k8s.io',
  'v1',
  'subjectaccessreviews',
  'SubjectAccessReview',
);
export const selfSubjectAccessReviews = clusterScoped<SelfSubjectAccessReview>(
  'authorization.k8s.io',
  'v1',
  'selfsubjectaccessreviews',
  'SelfSubjectAccessReview',
);
export const leases = namespaced<Lease>('coordination.k8s.io', 'v1', 'leases', 'Lease');
export const volumeAttachments = clusterScoped<VolumeAttachment>(
  'storage.k8s.io',
  'v1',
  'volumeattachments',
  'VolumeAttachment',
);
export const persistentVolumeClaims = namespaced<PersistentVolumeClaim>(
  '',
  'v1',
  'persistentvolumeclaims',
  'PersistentVolumeClaim',
);
export const persistentVolumes = clusterScoped<PersistentVolume>('', 'v1', 'persistentvolumes', 'PersistentVolume');
export const storageClasses = clusterScoped<StorageClass>('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass');
export const csiNodes = clusterScoped<CSINode>('storage.k8s.io', 'v1', 'csinodes', 'CSINode');

export const resourceClaims = namespaced<ResourceClaim>('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim');
export const resourceClaimTemplates = namespaced<ResourceClaimTemplate>(
  'resource.k8s.io',
  'v1',
  'resourceclaimtemplates',
  'ResourceClaimTemplate',
);
export const resourceSlices = clusterScoped<ResourceSlice>('resource.k8s.io', 'v1', 'resourceslices', 'ResourceSlice');
export const deviceClasses = clusterScoped<DeviceClass>('resource.k8s.io', 'v1', 'deviceclasses', 'DeviceClass');

/** `v1` or `apps/v1`. */
export const apiVersionOf = (type: ResourceType): string =>
  type.group === '' ? type.version : `${type.group}/${type.version}`;
