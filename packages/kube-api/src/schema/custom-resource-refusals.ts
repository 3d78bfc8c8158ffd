import { karpenterCustomResources, type KubernetesObject } from '@nodewright/apis';
import { printCause } from './cause.ts';
import { applyDefaults, dropNulls } from './defaults.ts';
import type { JsonValue } from './json.ts';
import { pruneUnknown } from './prune.ts';
import type { ValueSchema } from './structural.ts';
import { validateCustomResource } from './validate.ts';

/**
 * The reasons why an API server would refuse an object of Karpenter's, by schema and by CEL rules. Empty for objects
 * of other kinds or versions.
 */
export function customResourceRefusals({ apiVersion, kind, metadata, ...object }: KubernetesObject): readonly string[] {
  const schema = karpenterSchemas.get(`${apiVersion} ${kind}`);
  if (schema === undefined) return [];
  const written = { apiVersion, kind, metadata: { name: metadata.name }, ...object } as unknown as JsonValue;
  const value = applyDefaults(schema, dropNulls(schema, pruneUnknown(schema, written).value));
  return validateCustomResource({ schema, value }).causes.map(printCause);
}

const karpenterSchemas: ReadonlyMap<string, ValueSchema> = new Map(
  karpenterCustomResources.flatMap(({ crd: { spec } }) =>
    spec.versions.map(({ name, schema }): [string, ValueSchema] => [
      `${spec.group}/${name} ${spec.names.kind}`,
      schema.openAPIV3Schema as unknown as ValueSchema,
    ]),
  ),
);
