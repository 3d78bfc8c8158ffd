import { readOwn } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import { badRequestError } from '../http/status-error.ts';
import type { FieldSelector } from './field-selector.ts';

/** The fields by which a kind can be selected, besides name and namespace. */
const selectableFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase', 'name'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'events.events.k8s.io': [
    'regarding.kind',
    'regarding.namespace',
    'regarding.name',
    'regarding.uid',
    'regarding.apiVersion',
    'regarding.resourceVersion',
    'regarding.fieldPath',
    'reason',
    'reportingController',
    'type',
  ],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  'resourceslices.resource.k8s.io': ['spec.nodeName', 'spec.driver'],
};

/** Kinds that refuse an unknown field with a message of their own. */
const refusesItself = (collection: string): boolean =>
  Object.hasOwn(selectableFields, collection) || !collection.includes('.');

/** What some kinds add to their refusal of an unknown field. */
const refusedBy: Readonly<Record<string, string>> = {
  'resourceslices.resource.k8s.io': ' for resource.k8s.io/v1, Kind=ResourceSlice',
};

const everyKind: readonly string[] = ['metadata.name', 'metadata.namespace'];

export type SelectedKind = {
  readonly collection: string;
  readonly namespaced: boolean;
  /** The selectable fields of a custom resource. */
  readonly custom?: readonly string[];
};

/** Throws a 400 when the kind cannot be selected by a field of the selector. */
export function checkSelectable(selector: FieldSelector, { collection, custom, namespaced }: SelectedKind): void {
  // Some kinds without a namespace can be selected by it, and no object is.
  const hasNamespace = namespaced || (custom === undefined && !Object.hasOwn(selectableFields, collection));
  const everywhere = hasNamespace ? everyKind : ['metadata.name'];
  const known = [...everywhere, ...(custom ?? readOwn(selectableFields, collection) ?? [])];
  for (const { path: field } of selector) {
    if (known.includes(field)) continue;
    if (custom !== undefined || refusesItself(collection))
      throw badRequestError(`field label not supported${readOwn(refusedBy, collection) ?? ''}: ${field}`);
    throw badRequestError(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
}

/** The text of a field for selectors. An absent field is empty, an absent boolean is false. */
export function fieldText(object: ApiObject, field: string): string {
  const value = fieldValue(object, field === 'name' ? 'metadata.name' : field);
  if (value === undefined || value === null) return falseWhenAbsent.has(field) ? 'false' : '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const falseWhenAbsent: ReadonlySet<string> = new Set(['spec.unschedulable', 'spec.hostNetwork']);

function fieldValue(object: ApiObject, field: string): unknown {
  let value: unknown = object;
  for (const segment of field.split('.'))
    value = readOwn(value as Readonly<Record<string, unknown>> | undefined, segment);
  return value;
}
