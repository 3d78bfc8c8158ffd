import { CelEngine, type CompiledRule, type RuleInput } from '../cel/engine.ts';
import { type Cause, duplicate, forbidden, invalid, required } from './cause.ts';
import { kindOf } from './check-type.ts';
import { storedItem, storedMember } from './correlate.ts';
import { equal, isObject, type Json } from './json.ts';
import { memberSchema, type StructuralSchema, type ValidationRule } from './structural.ts';

type RuleCheck = {
  readonly schema: StructuralSchema;
  readonly value: Json;
  readonly old: Json | undefined;
  readonly field: string;
  /** Whether this value, or one around it, is as it is stored. */
  readonly isUnchanged: boolean;
};

/** What rules say: `tolerated` are failures that were stored already and that this write leaves alone. */
export type RuleVerdict = { readonly causes: Cause[]; readonly tolerated: Cause[] };

const engine = new CelEngine();

/** Evaluates the CEL rules of a schema on a value and everything in it. */
export function checkRules(schema: StructuralSchema, value: Json, old: Json | undefined): RuleVerdict {
  const verdict: RuleVerdict = { causes: [], tolerated: [] };
  visit({ schema, value, old, field: '', isUnchanged: false }, verdict);
  return verdict;
}

/** Whether a schema has a rule anywhere. */
export function hasRules(schema: StructuralSchema): boolean {
  const { properties, items, additionalProperties } = schema;
  const inner = [...Object.values(properties ?? {}), items, additionalProperties];
  return (
    schema['x-kubernetes-validations'] !== undefined || inner.some((part) => typeof part === 'object' && hasRules(part))
  );
}

function visit(check: RuleCheck, verdict: RuleVerdict): void {
  const { schema, value, old, field } = check;
  if (value === null) return;
  const isUnchanged = check.isUnchanged || (old !== undefined && equal(value, old));
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    const failure = failureOf(rule, check);
    if (failure === undefined) continue;
    if (isUnchanged && failure.isTolerable) verdict.tolerated.push(failure.cause);
    else verdict.causes.push(failure.cause);
  }
  if (Array.isArray(value)) visitItems({ ...check, isUnchanged }, value, verdict);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const known = memberSchema(schema, key);
      if (known === undefined) continue;
      const isMember = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
      const innerField = isMember ? joined(field, `.${key}`) : `${field}[${key}]`;
      visit(
        { schema: known, value: inner, old: storedMember(schema, old, key), field: innerField, isUnchanged },
        verdict,
      );
    }
  }
}

function visitItems({ schema, old, field, isUnchanged }: RuleCheck, list: Json[], verdict: RuleVerdict): void {
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    visit(
      { schema: items, value: item, old: storedItem(schema, old, item), field: `${field}[${index}]`, isUnchanged },
      verdict,
    );
  }
}

type RuleFailure = { readonly cause: Cause; readonly isTolerable: boolean };

function failureOf(rule: ValidationRule, { schema, value, old, field }: RuleCheck): RuleFailure | undefined {
  const compiled = engine.compile(rule, schema);
  if (compiled.isTransition && old === undefined && rule.optionalOldSelf !== true) return undefined;
  const input: RuleInput = { self: value, ...(old !== undefined && { oldSelf: old }) };
  const evaluation = compiled.evaluate(input);
  if (evaluation.kind === 'value' && evaluation.value === true) return undefined;
  const text = textOf(rule, compiled, input);
  if (evaluation.kind === 'failed') {
    const detail = `${evaluation.error} evaluating rule: ${text}`;
    return { cause: invalid(field || '<nil>', schema.type ?? kindOf(value), detail), isTolerable: false };
  }
  const place = rule.fieldPath === undefined ? field : joined(field, unquoted(rule.fieldPath));
  return { cause: causeOf(rule, { field: place || '<nil>', value, text }), isTolerable: true };
}

function causeOf(rule: ValidationRule, failed: { field: string; value: Json; text: string }): Cause {
  const { field, value, text } = failed;
  switch (rule.reason) {
    case 'FieldValueRequired':
      return required(field, text);
    case 'FieldValueForbidden':
      return forbidden(field, text);
    case 'FieldValueDuplicate':
      return duplicate(field, value);
    default:
      return typeof value === 'object'
        ? { reason: 'FieldValueInvalid', message: `Invalid value: ${text}`, field }
        : invalid(field, value, text);
  }
}

const textOf = (rule: ValidationRule, compiled: CompiledRule, input: RuleInput): string =>
  compiled.message(input) ?? rule.message ?? `failed rule: ${rule.rule.trim()}`;

/** `['a.b']` of a rule is `[a.b]` in a cause. */
const unquoted = (path: string): string => path.replaceAll(/\['([^']*)'\]/g, '[$1]');

const joined = (field: string, path: string): string => (field === '' ? path.replace(/^\./, '') : `${field}${path}`);
