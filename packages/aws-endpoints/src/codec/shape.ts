import { readOwn } from '@nodewright/apis';
import { NormalizedSchema, TypeRegistry } from '@smithy/core/schema';
import type { SchemaRef, StaticOperationSchema } from '@smithy/types';

/** What a value on the wire looks like, as the SDK clients carry it at run time. */
export type Shape = NormalizedSchema;

/** An operation as the SDK clients describe it: `DescribeInstances$`. */
export type OperationSchema = StaticOperationSchema;

/** A decoded structure: members by the names of the SDK's types. */
export type WireStructure = Readonly<Record<string, unknown>>;

const resolveReference = (ref: unknown): Shape =>
  NormalizedSchema.of((typeof ref === 'function' ? (ref as () => SchemaRef)() : ref) as SchemaRef);

export const operationName = (operation: OperationSchema): string => operation[2];

export const inputShape = (operation: OperationSchema): Shape => resolveReference(operation[4]);

export const outputShape = (operation: OperationSchema): Shape => resolveReference(operation[5]);

/** The name that the operation's model has for the error that form protocols send as `code`; `undefined` without one. */
export function modelledErrorName(operation: OperationSchema, code: string): string | undefined {
  const isNamed = (schema: SchemaRef): boolean => queryErrorCode(resolveReference(schema)) === code;
  const found = TypeRegistry.for(operation[1]).find(isNamed);
  return found === undefined ? undefined : resolveReference(found).getName();
}

function queryErrorCode(shape: Shape): unknown {
  const trait: unknown = readOwn(shape.getMergedTraits() as Readonly<Record<string, unknown>>, 'awsQueryError');
  return Array.isArray(trait) ? trait[0] : undefined;
}

export type HttpRoute = { readonly method: string; readonly path: string; readonly status: number };

/** The `http` trait of a REST operation; none for the protocols that post everything to `/`. */
export function httpRoute(operation: OperationSchema): HttpRoute | undefined {
  const traits = operation[3];
  if (typeof traits !== 'object' || traits.http === undefined) return undefined;
  const [method, path, status] = traits.http;
  return { method, path, status };
}

/** Members in the order of the model; none for an operation without input or output. */
export function* listMembers(shape: Shape): Generator<readonly [name: string, member: Shape]> {
  if (shape.isUnitSchema()) return;
  yield* shape.structIterator();
}

/** A trait of a shape or of the member that refers to it, when it is text. */
export function textTrait(shape: Shape, trait: string): string | undefined {
  const value = readOwn(shape.getMergedTraits() as Readonly<Record<string, unknown>>, trait);
  return typeof value === 'string' ? value : undefined;
}

export const hasTrait = (shape: Shape, trait: string): boolean =>
  Boolean(readOwn(shape.getMergedTraits() as Readonly<Record<string, unknown>>, trait));
