import { isObject, type JsonObject } from '../schema/json.ts';
import { memberElement } from './field-path.ts';
import { FieldSet } from './field-set.ts';

const metadataElement = memberElement('metadata');

const metadataItself = FieldSet.of([[metadataElement]]);

const strippedFields = FieldSet.of([
  [memberElement('apiVersion')],
  [memberElement('kind')],
  ...'name namespace creationTimestamp selfLink uid clusterName generation managedFields resourceVersion'
    .split(' ')
    .map((name) => [metadataElement, memberElement(name)]),
]);

/**
 * The set without fields that no manager owns: identifying fields, fields that the server sets, and `resets`, the
 * fields that a write to this (sub)resource does not change.
 */
export const keepOwnable = (fields: FieldSet, resets: FieldSet): FieldSet =>
  fields.without(strippedFields).without(resets).difference(metadataItself);

/** The object without its `metadata.managedFields`. */
export function dropManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** The fields that a write leaves alone: a status write all other fields, another write the status. */
export const resetsOf = (subresource: string | undefined): FieldSet =>
  subresource === 'status' ? specificationFields : subresource === undefined ? statusFields : FieldSet.empty;

const specificationFields = FieldSet.of([[memberElement('spec')]]);
const statusFields = FieldSet.of([[memberElement('status')]]);
