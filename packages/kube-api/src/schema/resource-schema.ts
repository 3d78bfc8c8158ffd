import type { StructuralSchema } from './structural.ts';
import { objectMetaSchema } from './definitions.ts';

const complete = new WeakMap<StructuralSchema, StructuralSchema>();

/**
 * The schema of a whole object: a definition says nothing about `metadata`, or only narrows its name, but every
 * object has the same metadata.
 */
export function resourceSchema(schema: StructuralSchema): StructuralSchema {
  const known = complete.get(schema);
  if (known !== undefined) return known;
  const result =
    schema.properties?.['metadata']?.properties?.['managedFields'] === undefined ? withMetadata(schema) : schema;
  complete.set(schema, result);
  return result;
}

const text: StructuralSchema = { type: 'string' };

const withMetadata = (schema: StructuralSchema): StructuralSchema => ({
  ...schema,
  properties: { apiVersion: text, kind: text, ...schema.properties, metadata: objectMetaSchema() },
});
