import { readOwn } from '@nodewright/apis';
import { equal, type Json } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { hasStatus, type Resource } from './resource.ts';

/** Built-in kinds that count their specification's changes in `metadata.generation`; custom ones all do. */
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
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
]);

/** Built-in kinds whose update has to name the version that it replaces; custom ones all do. */
const needsVersion: ReadonlySet<string> = new Set([
  'leases.coordination.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'endpointslices.discovery.k8s.io',
  'poddisruptionbudgets.policy',
  'volumeattachments.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

/** Kinds that an update may create. */
const createdByUpdate: ReadonlySet<string> = new Set([
  'leases.coordination.k8s.io',
  'endpoints',
  'events',
  'endpointslices.discovery.k8s.io',
]);

/** Kinds whose dependents stay when the request does not say what becomes of them. */
const orphansByDefault: ReadonlySet<string> = new Set(['jobs.batch', 'replicationcontrollers']);

export const tracksGeneration = (resource: Resource): boolean =>
  resource.custom !== undefined || countsGenerations.has(resource.collection);

export const requiresVersion = (resource: Resource): boolean =>
  resource.custom !== undefined || needsVersion.has(resource.collection);

export const allowsCreateOnUpdate = (resource: Resource): boolean => createdByUpdate.has(resource.collection);

export const orphansDependents = (resource: Resource): boolean => orphansByDefault.has(resource.collection);

/** Whether a change is one of the specification: anything but metadata and, where it is separate, status. */
export function changesSpecification(resource: Resource, before: ApiObject, after: ApiObject): boolean {
  const ignored = hasStatus(resource) ? ['metadata', 'status', 'apiVersion'] : ['metadata', 'apiVersion'];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some(
    (name) => !ignored.includes(name) && !equal(readOwn(before, name) as Json, readOwn(after, name) as Json),
  );
}
