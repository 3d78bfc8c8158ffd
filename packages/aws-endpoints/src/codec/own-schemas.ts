import type { OperationSchema } from './shape.ts';

/**
 * Schemas of services whose SDK client is not installed, in the form that the SDK clients carry theirs in. Numbers are
 * kinds of schemas; 64 and 128 added to one make a list and a map of it.
 */
export type OwnSchemaMember = readonly [name: string, schema: unknown];

export const stringSchema = 0;
export const numberSchema = 1;
export const flagSchema = 2;
export const timeSchema = 4;
export const textListSchema = 64 + stringSchema;
export const textMapSchema = 128 + stringSchema;

/** A member that travels in the path of a request. */
export const inPath = (schema: unknown): unknown => [schema, { httpLabel: 1 }];

/** A member that travels in the query of a request. */
export const inQuery = (schema: unknown, name: string): unknown => [schema, { httpQuery: name }];

/** A member whose schema is a structure, a list or a map of its own. */
export const refTo = (schema: unknown): unknown => [() => schema, 0];

/** Returns the functions that make the schemas of one namespace. */
export function ownSchemas(namespace: string) {
  const structure = (name: string, members: readonly OwnSchemaMember[]): unknown => [
    3,
    namespace,
    name,
    0,
    members.map(([member]) => member),
    members.map(([, schema]) => schema),
  ];
  const listOf = (name: string, item: unknown): unknown => [1, namespace, name, 0, refTo(item)];
  const mapOf = (name: string, value: unknown): unknown => [2, namespace, name, 0, stringSchema, refTo(value)];
  /** @param http method and path of an operation of a REST service */
  function operation(
    name: string,
    shapes: { readonly input: readonly OwnSchemaMember[]; readonly output: readonly OwnSchemaMember[] },
    http?: readonly [method: string, path: string],
  ): OperationSchema {
    const [asked, answered] = [structure(`${name}Request`, shapes.input), structure(`${name}Response`, shapes.output)];
    const traits = http === undefined ? 0 : { http: [...http, 200] };
    return [9, namespace, name, traits, () => asked, () => answered] as unknown as OperationSchema;
  }
  return { structure, listOf, mapOf, operation };
}
