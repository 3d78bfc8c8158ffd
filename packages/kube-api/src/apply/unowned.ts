import { isObject, type JsonObject } from '../schema/json.ts';
import { memberElement } from './field-path.ts';
import { FieldSet } from './field-set.ts';

const metadata = memberElement('metadata');

const metadataItself = FieldSet.of([[metadata]]);

const strippedFields = FieldSet.of([
  [memberElement('apiVersion')],
  [memberElement('kind')],
  ...'name namespace creationTimestamp selfLink uid clusterName generation managedFields resourceVersion'
    .split(' ')
    .map((name) => [metadata, memberElement(name)]),
]);

/**
 * A set without the fields that nobody owns: what identifies an object and what the server sets, and `resets`, the
 * fields that a write to this (sub)resource does not change.
 */
export const ownable = (fields: FieldSet, resets: FieldSet): FieldSet =>
  fields.without(strippedFields).without(resets).difference(metadataItself);

/** The object without its `metadata.managedFields`. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Writes to the status leave the rest alone, writes to the rest leave the status alone. */
export const resetsOf = (subresource: string | undefined): FieldSet =>
  subresource === 'status' ? specification : subresource === undefined ? status : FieldSet.empty;

const specification = FieldSet.of([[memberElement('spec')]]);
const status = FieldSet.of([[memberElement('status')]]);
