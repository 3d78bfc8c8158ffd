/** A value as JSON carries it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One CEL rule of a schema node. @see https://kubernetes.io/docs/reference/using-api/cel/ */
export type ValidationRule = {
  readonly rule: string;
  readonly message: string;
  /** CEL for a message that tells more; where it cannot be computed, `message` stands. */
  readonly messageExpression?: string;
};

/** The part of OpenAPI that a custom resource definition may use; names are those of the API. */
export type StructuralSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly StructuralSchema[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
};
