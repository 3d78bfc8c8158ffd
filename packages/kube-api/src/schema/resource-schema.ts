import type { ValueSchema } from './structural.ts';
import { objectMetaSchema } from './definitions.ts';

const completeSchemas = new WeakMap<ValueSchema, ValueSchema>();

/**
 * The schema of a whole object: a definition says nothing about `metadata`, or only narrows its name, but every
 * object has the same metadata.
 */
export function withObjectMetadata(schema: ValueSchema): ValueSchema {
  const known = completeSchemas.get(schema);
  if (known !== undefined) return known;
  const result =
    schema.properties?.['metadata']?.properties?.['managedFields'] === undefined ? withMetadata(schema) : schema;
  completeSchemas.set(schema, result);
  return result;
}

const textSchema: ValueSchema = { type: 'string' };

const withMetadata = (schema: ValueSchema): ValueSchema => ({
  ...schema,
  properties: { apiVersion: textSchema, kind: textSchema, ...schema.properties, metadata: objectMetaSchema() },
});
