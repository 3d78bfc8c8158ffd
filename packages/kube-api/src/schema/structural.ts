import { readOwn } from '@nodewright/apis';
import type { Json } from './json.ts';

/** One CEL rule of a schema node. @see https://kubernetes.io/docs/reference/using-api/cel/ */
export type ValidationRule = {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Where the failure is reported, relative to the node: `.min`, `['a.b']`. */
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

/**
 * What a custom resource definition says about one value, and what the built-in kinds are described with.
 * Names are those of the API (`x-kubernetes-...`), so a schema of a manifest is one of these as it stands.
 */
export type StructuralSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly default?: Json;
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
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  /** Built-in kinds only: `merge`, `replace`, `retainKeys`, or two of them with a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
};

/** The schema of one member: its own, or the one for all other members; undefined where the schema knows neither. */
export function memberSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | undefined {
  const own = readOwn(schema?.properties, key);
  if (own !== undefined) return own;
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
