import { readOwn, type StructuralSchema } from '@nodewright/apis';

/** The steps to a field: names, `[]` for every item of a list, `{}` for every value of a map. */
export type SchemaFieldPath = readonly string[];

/** The fields that a schema has at any depth, in its order. */
export function listSchemaFields(schema: StructuralSchema, path: SchemaFieldPath = []): readonly SchemaFieldPath[] {
  const below = (step: string, inner: StructuralSchema | undefined): readonly SchemaFieldPath[] =>
    typeof inner === 'object' ? listSchemaFields(inner, [...path, step]) : [];
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    [...path, name],
    ...below(name, inner),
  ]);
  return [...named, ...below('[]', schema.items), ...below('{}', schema.additionalProperties)];
}

/** A path as people write it: `spec.amiSelectorTerms[].id`. */
export const printFieldPath = (path: SchemaFieldPath): string => path.join('.').replaceAll(/\.(\[\]|\{\})/g, '$1');

/** Whether an object has a value at a path. */
export function hasField(value: unknown, [step, ...rest]: SchemaFieldPath): boolean {
  if (step === undefined) return value !== undefined && value !== null;
  if (typeof value !== 'object' || value === null) return false;
  if (step === '[]' || step === '{}') return Object.values(value).some((inner) => hasField(inner, rest));
  return hasField(readOwn(value as Readonly<Record<string, unknown>>, step), rest);
}
