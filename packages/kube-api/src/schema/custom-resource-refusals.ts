import { karpenterCustomResources, type KubernetesObject } from '@nodewright/apis';
import { printCause } from './cause.ts';
import { applyDefaults, dropNulls } from './defaults.ts';
import type { Json } from './json.ts';
import { prune } from './prune.ts';
import type { StructuralSchema } from './structural.ts';
import { validate } from './validate.ts';

/**
 * Why an API server would not store the spec of an object of Karpenter's: by schema and by CEL rules, one text
 * for each. Nothing for objects of other kinds or versions.
 */
export function customResourceRefusals({ apiVersion, kind, metadata, ...object }: KubernetesObject): readonly string[] {
  const schema = schemas.get(`${apiVersion} ${kind}`);
  if (schema === undefined) return [];
  const written = { apiVersion, kind, metadata: { name: metadata.name }, ...object } as unknown as Json;
  const value = applyDefaults(schema, dropNulls(schema, prune(schema, written).value));
  return validate({ schema, value }).causes.map(printCause);
}

const schemas: ReadonlyMap<string, StructuralSchema> = new Map(
  karpenterCustomResources.flatMap(({ crd: { spec } }) =>
    spec.versions.map(({ name, schema }): [string, StructuralSchema] => [
      `${spec.group}/${name} ${spec.names.kind}`,
      schema.openAPIV3Schema as unknown as StructuralSchema,
    ]),
  ),
);
