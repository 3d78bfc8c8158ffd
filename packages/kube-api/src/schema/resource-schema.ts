import { oncePerObject } from '@nodewright/apis';
import type { ValueSchema } from './structural.ts';
import { objectMetaSchema } from './definitions.ts';

/**
 * The schema of a whole object. A definition does not describe `metadata` or only narrows its name, but all objects
 * have the same metadata.
 */
export const withObjectMetadata = oncePerObject((schema: ValueSchema): ValueSchema =>
  schema.properties?.['metadata']?.properties?.['managedFields'] === undefined ? addMetadata(schema) : schema,
);

const textSchema: ValueSchema = { type: 'string' };

const addMetadata = (schema: ValueSchema): ValueSchema => ({
  ...schema,
  properties: { apiVersion: textSchema, kind: textSchema, ...schema.properties, metadata: objectMetaSchema() },
});
