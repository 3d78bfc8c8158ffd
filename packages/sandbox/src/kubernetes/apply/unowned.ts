import { isObject, type JsonObject } from '../schema/json.ts';
import { type FieldPath, memberElement } from './field-path.ts';
import { FieldSet } from './field-set.ts';

const metadata = memberElement('metadata');

const metadataItself = FieldSet.of([[metadata]]);

const strippedFields: readonly FieldPath[] = [
  [memberElement('apiVersion')],
  [memberElement('kind')],
  ...'name namespace creationTimestamp selfLink uid clusterName generation managedFields resourceVersion'
    .split(' ')
    .map((name) => [metadata, memberElement(name)]),
];

/**
 * A set without the fields that nobody owns: what identifies an object and what the server sets, and `resets`, the
 * fields that a write to this (sub)resource does not change.
 */
export function ownable(fields: FieldSet, resets: readonly FieldPath[]): FieldSet {
  return fields.without([...strippedFields, ...resets]).difference(metadataItself);
}

/** The object without its `metadata.managedFields`. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Writes to the status leave the rest alone, writes to the rest leave the status alone. */
export const resetsOf = (subresource: string | undefined): readonly FieldPath[] =>
  subresource === 'status' ? [[memberElement('spec')]] : subresource === undefined ? [[memberElement('status')]] : [];
