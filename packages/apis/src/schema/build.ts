import { readOwn } from '../values/own-property.ts';
import type { Json, StructuralSchema, ValidationRule } from './structural.ts';

/**
 * A structural schema that remembers, at compile time only, the type of what it admits.
 * `Infer<typeof schema>` is that type.
 */
export type Schema<T> = StructuralSchema & { readonly admits?: T };

/** A member of an object that may be left out. */
export type Optional<T> = { readonly optional: Schema<T> };

export type Infer<S> = S extends { readonly admits?: infer T } ? T : never;

type SchemaMember = Schema<unknown> | Optional<unknown>;
type MemberType<M> = M extends Optional<infer T> ? T : Infer<M>;
type OptionalKeys<M> = { [K in keyof M]: M[K] extends Optional<unknown> ? K : never }[keyof M];
type ObjectOf<M> = Flat<
  { readonly [K in Exclude<keyof M, OptionalKeys<M>>]: MemberType<M[K]> } & {
    readonly [K in OptionalKeys<M>]?: MemberType<M[K]>;
  }
>;
type Flat<T> = { [K in keyof T]: T[K] };

type Common = { readonly description?: string; readonly default?: Json; readonly rules?: readonly ValidationRule[] };
type TextOptions = Common & Pick<StructuralSchema, 'pattern' | 'format' | 'minLength' | 'maxLength'>;
type NumberOptions = Common & Pick<StructuralSchema, 'minimum' | 'maximum'>;
type ListSchemaOptions = Common & {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly listType?: 'atomic' | 'set';
  /** Makes it a list that is a map by these members. */
  readonly mapKeys?: readonly string[];
};
type MapOptions = Common & { readonly maxProperties?: number; readonly mapType?: 'atomic' | 'granular' };

export const text = (options: TextOptions = {}): Schema<string> => schemaNode<string>('string', options);

export const choice = <const C extends string>(choices: readonly C[], options: TextOptions = {}): Schema<C> => ({
  ...schemaNode<C>('string', options),
  enum: [...choices],
});

export const integer = (format: 'int32' | 'int64' | 'plain', options: NumberOptions = {}): Schema<number> => ({
  ...schemaNode<number>('integer', options),
  ...(format === 'plain' ? {} : { format }),
});

export const flag = (options: Common = {}): Schema<boolean> => schemaNode<boolean>('boolean', options);

export const timestamp = (options: Common = {}): Schema<string> => text({ ...options, format: 'date-time' });

export function list<T>(item: Schema<T>, options: ListSchemaOptions = {}): Schema<readonly T[]> {
  const { listType, mapKeys, ...rest } = options;
  return {
    ...schemaNode<readonly T[]>('array', rest),
    items: item,
    ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
    ...(mapKeys === undefined ? {} : { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': mapKeys }),
  };
}

export function mapOf<T>(value: Schema<T>, options: MapOptions = {}): Schema<Readonly<Record<string, T>>> {
  const { mapType, ...rest } = options;
  return {
    ...schemaNode<Readonly<Record<string, T>>>('object', rest),
    additionalProperties: value,
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
  };
}

/** Any members, kept as they are. */
export const openMap = (options: Common = {}): Schema<Readonly<Record<string, unknown>>> => ({
  ...schemaNode<Readonly<Record<string, unknown>>>('object', options),
  additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true },
});

/** An integer, or the text of a quantity. */
export const quantity = (options: Common = {}): Schema<string | number> => ({
  ...schemaNode<string | number>(undefined, options),
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  'x-kubernetes-int-or-string': true,
});

export const optional = <T>(schema: Schema<T>): Optional<T> => ({ optional: schema });

/**
 * An object of the members given; those not wrapped in `optional` are required.
 * @param options.required optional members (in the types) that a written object must have nevertheless
 */
export function object<const M extends Readonly<Record<string, SchemaMember>>>(
  members: M,
  options: Common & { readonly required?: readonly OptionalKeys<M>[]; readonly mapType?: 'atomic' } = {},
): Schema<ObjectOf<M>> {
  const { required: alsoRequired = [], mapType, ...rest } = options;
  const required = Object.keys(members).filter(
    (key) => !isOptional(readOwn(members, key)) || alsoRequired.some((name) => name === key),
  );
  return {
    ...schemaNode<ObjectOf<M>>('object', rest),
    properties: Object.fromEntries(Object.entries(members).map(([key, member]) => [key, schemaOfMember(member)])),
    ...(required.length === 0 ? {} : { required }),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
  };
}

/** A CEL rule and what it says when it fails. */
/** @param culprit CEL for the text of what breaks the rule, which the message then ends with */
export const rule = (message: string, expression: string, culprit?: string): ValidationRule => ({
  rule: expression,
  message,
  ...(culprit !== undefined && { messageExpression: `'${message}: ' + ${culprit}` }),
});

const isOptional = (member: SchemaMember | undefined): member is Optional<unknown> =>
  member !== undefined && 'optional' in member;
const schemaOfMember = (member: SchemaMember): StructuralSchema => (isOptional(member) ? member.optional : member);

function schemaNode<T>(type: string | undefined, { rules, ...rest }: Common): Schema<T> {
  return {
    ...(type === undefined ? {} : { type }),
    ...rest,
    ...(rules === undefined ? {} : { 'x-kubernetes-validations': rules }),
  };
}
