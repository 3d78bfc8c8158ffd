import { readOwn } from '@nodewright/apis';
import { isEqualJson, type JsonValue } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { hasStatus, type Resource } from './resource.ts';

/** Built-in kinds that count changes of their specification in `metadata.generation`. All custom kinds do. */
const countsGenerations: ReadonlySet<string> = new Set([
  'pods',
  'podtemplates',
  'replicationcontrollers',
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'cronjobs.batch',
  'jobs.batch',
  'endpointslices.discovery.k8s.io',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'priorityclasses.scheduling.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
]);

/** Built-in kinds whose update must name the version that it replaces. All custom kinds require it. */
const needsVersion: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'leases.coordination.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'volumeattachments.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

/** Kinds that an update may create. */
const kindsCreatedByUpdate: ReadonlySet<string> = new Set([
  'leases.coordination.k8s.io',
  'endpoints',
  'events',
  'limitranges',
  'runtimeclasses.node.k8s.io',
  'services',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
]);

/** Kinds whose deletion is answered with the object. */
const answeredWithObject: ReadonlySet<string> = new Set([
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourceslices.resource.k8s.io',
]);

/** Kinds whose dependents stay when the request does not give a propagation policy. */
const orphansByDefault: ReadonlySet<string> = new Set(['jobs.batch', 'replicationcontrollers']);

/** Kinds whose generation stays that of their creation, and one whose generation begins with its first change. */
const fixedGenerations: ReadonlySet<string> = new Set(['priorityclasses.scheduling.k8s.io']);
const lateGenerations: ReadonlySet<string> = new Set(['csidrivers.storage.k8s.io']);

/** Whether changes of the specification are counted. */
export const countsChanges = (resource: Resource): boolean =>
  (tracksGeneration(resource) && !fixedGenerations.has(resource.collection)) ||
  lateGenerations.has(resource.collection);

export const tracksGeneration = (resource: Resource): boolean =>
  resource.custom !== undefined || countsGenerations.has(resource.collection);

export const requiresVersion = (resource: Resource): boolean =>
  resource.custom !== undefined || needsVersion.has(resource.collection);

export const allowsCreateOnUpdate = (resource: Resource): boolean => kindsCreatedByUpdate.has(resource.collection);

export const answersDeletionWithObject = (resource: Resource): boolean => answeredWithObject.has(resource.collection);

export const orphansDependents = (resource: Resource): boolean => orphansByDefault.has(resource.collection);

/** Metadata whose changes are counted, too. */
const countedMetadata: Readonly<Record<string, 'annotations' | 'labels'>> = {
  'deployments.apps': 'annotations',
  'endpointslices.discovery.k8s.io': 'labels',
};

/** Whether a change concerns the specification: anything but metadata and, with a status subresource, the status. */
export function changesSpecification(resource: Resource, before: ApiObject, after: ApiObject): boolean {
  const ignored = hasStatus(resource) ? ['metadata', 'status', 'apiVersion'] : ['metadata', 'apiVersion'];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const counted = readOwn(countedMetadata, resource.collection);
  if (counted !== undefined && !isEqualJson(before.metadata[counted] ?? {}, after.metadata[counted] ?? {})) return true;
  return [...names].some(
    (name) =>
      !ignored.includes(name) && !isEqualJson(readOwn(before, name) as JsonValue, readOwn(after, name) as JsonValue),
  );
}
