import { checkMetadata, finalizerWarnings } from './metadata/check-metadata.ts';
import { type Cause, invalidCause, printCause } from './cause.ts';
import { checkLists } from './checks/check-lists.ts';
import { checkRules, hasRules } from './checks/check-rules.ts';
import { checkValue } from './checks/check-values.ts';
import { isObject, type JsonValue, type JsonObject, memberOf } from './json.ts';
import { rootPlace, statusPlace } from './checks/place.ts';
import type { ValueSchema } from './structural.ts';

export type ValidateRequest = {
  readonly schema: ValueSchema;
  /** After pruning, defaulting and `dropNulls`. */
  readonly value: JsonValue;
  /**
   * The stored object of an update. Transition rules read it, and an unchanged value that is already wrong is
   * tolerated.
   */
  readonly old?: JsonValue;
  /** A write to the status: the schema checks only the status, rules read the whole object. */
  readonly subresource?: 'status';
};

/** Causes refuse the object; warnings are texts for `Warning` headers. */
export type SchemaVerdict = { readonly causes: readonly Cause[]; readonly warnings: readonly string[] };

/**
 * Validates a custom resource by its schema and its CEL rules. Errors of the kinds in `blocking` stop the rules and
 * add one more cause. Other schema errors are reported together with rule failures.
 */
export function validateCustomResource(request: ValidateRequest): SchemaVerdict {
  const { schema, value, old } = request;
  const causes = [...metadataCauses(request), ...structureCauses(request)];
  if (!hasRules(schema)) return { causes, warnings: finalizerWarnings(asObject(value)) };
  if (causes.some((cause) => blocking.has(cause.reason)))
    return { causes: [...causes, uncheckedRulesCause], warnings: [] };
  const verdict = checkRules(schema, value, old);
  return {
    causes: [...causes, ...verdict.causes],
    warnings: [...verdict.tolerated.map(printCause), ...finalizerWarnings(asObject(value))],
  };
}

/** A status or a value that is not a whole object has no metadata to check. */
function metadataCauses({ value, old, subresource }: ValidateRequest): Cause[] {
  if (!isObject(value) || subresource === 'status' || value['metadata'] === undefined) return [];
  return checkMetadata({ object: value, isNew: old === undefined });
}

function structureCauses({ schema, value, old, subresource }: ValidateRequest): Cause[] {
  const isStatus = subresource === 'status';
  const part = isStatus ? schema.properties?.['status'] : schema;
  const judged = isStatus ? memberOf(value, 'status') : value;
  if (part === undefined || judged === undefined) return [];
  const check = {
    schema: part,
    value: judged,
    old: isStatus ? memberOf(old, 'status') : old,
    place: isStatus ? statusPlace : rootPlace,
  };
  return [...checkValue(check), ...checkLists(check)];
}

const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {});

const blocking: ReadonlySet<string> = new Set([
  'FieldValueRequired',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
]);

const uncheckedRulesCause: Cause = invalidCause(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** The causes, and apart from them the one that says that rules were not checked, which comes last. */
export function beforeUncheckedRules(causes: readonly Cause[]): readonly [readonly Cause[], readonly Cause[]] {
  const isLast = causes.at(-1) === uncheckedRulesCause;
  return isLast ? [causes.slice(0, -1), [uncheckedRulesCause]] : [causes, []];
}
