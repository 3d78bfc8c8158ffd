import { readOwn } from '@nodewright/apis';
import type { JsonValue } from './json.ts';

/** One CEL rule of a schema node. @see https://kubernetes.io/docs/reference/using-api/cel/ */
export type CelRule = {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Where the failure is reported, relative to the node: `.min`, `['a.b']`. */
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

/**
 * The schema of one value, in custom resource definitions and for built-in kinds. Member names are those of the API
 * (`x-kubernetes-...`), so the schema of a manifest has this type unchanged.
 */
export type ValueSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: ValueSchema | boolean;
  readonly items?: ValueSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly not?: ValueSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
  /** Built-in kinds only: `merge`, `replace`, `retainKeys`, or two of them with a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
};

/** The schema of one member: its own or that of `additionalProperties`; undefined when the schema has neither. */
export function memberSchema(schema: ValueSchema | undefined, key: string): ValueSchema | undefined {
  const own = readOwn(schema?.properties, key);
  if (own !== undefined) return own;
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
