import { readOwn } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import { badRequest } from '../server/status-error.ts';
import type { FieldSelector } from './field-selector.ts';

/** The fields that a kind may be selected by, besides its name and namespace. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
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
};

/** Kinds whose own conversion refuses an unknown field; all others are refused by the general one. */
const refusesItself = (collection: string): boolean => Object.hasOwn(fieldsOf, collection) || !collection.includes('.');

const everyKind: readonly string[] = ['metadata.name', 'metadata.namespace'];

/** Throws a 400 when the selector names a field that the kind cannot be selected by. */
export function checkSelectable(selector: FieldSelector, collection: string, custom?: readonly string[]): void {
  const known = [...everyKind, ...(custom ?? readOwn(fieldsOf, collection) ?? [])];
  for (const { path: field } of selector) {
    if (known.includes(field)) continue;
    if (custom !== undefined || refusesItself(collection)) throw badRequest(`field label not supported: ${field}`);
    throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
}

/** A field's value as selectors compare it: absent is empty, booleans that are absent are false. */
export function fieldText(object: ApiObject, field: string): string {
  const value = valueAt(object, field === 'name' ? 'metadata.name' : field);
  if (value === undefined || value === null) return falseWhenAbsent.has(field) ? 'false' : '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const falseWhenAbsent: ReadonlySet<string> = new Set(['spec.unschedulable', 'spec.hostNetwork']);

function valueAt(object: ApiObject, field: string): unknown {
  let value: unknown = object;
  for (const segment of field.split('.'))
    value = readOwn(value as Readonly<Record<string, unknown>> | undefined, segment);
  return value;
}
