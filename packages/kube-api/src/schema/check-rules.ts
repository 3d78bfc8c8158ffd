import { CelEngine, comparesWithStored, type CompiledRule, type Evaluation, type RuleInput } from '../cel/engine.ts';
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
  /** The value that this one is a part of. */
  readonly around?: RuleCheck;
};

/** What rules say: `tolerated` are failures that were stored already and that this write leaves alone. */
export type RuleVerdict = {
  readonly causes: Cause[];
  readonly tolerated: Cause[];
  /** What the rules may still cost; below zero once no further rule is evaluated. */
  budget: number;
};

/** What all rules for one object may cost together; Kubernetes' number. */
const wholeBudget = 10_000_000;

const engine = new CelEngine();

/** Evaluates the CEL rules of a schema on a value and everything in it. */
export function checkRules(schema: StructuralSchema, value: Json, old: Json | undefined): RuleVerdict {
  const verdict: RuleVerdict = { causes: [], tolerated: [], budget: wholeBudget };
  visit({ schema, value, old, field: '' }, verdict);
  return verdict;
}

/** Whether a schema has a rule anywhere. */
export const hasRules = (schema: StructuralSchema): boolean => rulesIn(schema).length > 0;

const knownRules = new WeakMap<StructuralSchema, readonly ValidationRule[]>();

/** The rules of a schema and of everything in it. */
function rulesIn(schema: StructuralSchema): readonly ValidationRule[] {
  const known = knownRules.get(schema);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties } = schema;
  const inner = [...Object.values(properties ?? {}), items, additionalProperties];
  const rules = [
    ...(schema['x-kubernetes-validations'] ?? []),
    ...inner.flatMap((part) => (typeof part === 'object' ? rulesIn(part) : [])),
  ];
  knownRules.set(schema, rules);
  return rules;
}

/** Values never change, so one that passed passes again, unless a rule compares it with what was stored. */
const passed = new WeakMap<object, StructuralSchema>();

function visit(check: RuleCheck, verdict: RuleVerdict): void {
  const { schema, value } = check;
  if (value === null || verdict.budget < 0 || !hasRules(schema)) return;
  if (typeof value !== 'object') judge(check, verdict);
  else if (passed.get(value) !== schema) {
    const failed = verdict.causes.length + verdict.tolerated.length;
    judge(check, verdict);
    visitInside(check, verdict);
    const hasPassed = verdict.causes.length + verdict.tolerated.length === failed;
    if (hasPassed && !rulesIn(schema).some(comparesWithStored)) passed.set(value, schema);
  }
}

function judge(check: RuleCheck, verdict: RuleVerdict): void {
  for (const rule of check.schema['x-kubernetes-validations'] ?? []) {
    if (verdict.budget < 0) return;
    const failure = failureOf(rule, check, verdict);
    if (failure === undefined) continue;
    if (failure.isTolerable && isUnchanged(check)) verdict.tolerated.push(failure.cause);
    else verdict.causes.push(failure.cause);
  }
}

/** Whether a value, or one around it, is as it is stored. */
const isUnchanged = ({ value, old, around }: RuleCheck): boolean =>
  (old !== undefined && equal(value, old)) || (around !== undefined && isUnchanged(around));

function visitInside(check: RuleCheck, verdict: RuleVerdict): void {
  const { schema, value, old, field } = check;
  if (Array.isArray(value)) visitItems(check, value, verdict);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const known = memberSchema(schema, key);
      if (known === undefined) continue;
      const isMember = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
      const innerField = isMember ? joined(field, `.${key}`) : `${field}[${key}]`;
      visit(
        { schema: known, value: inner, old: storedMember(schema, old, key), field: innerField, around: check },
        verdict,
      );
    }
  }
}

function visitItems(check: RuleCheck, list: Json[], verdict: RuleVerdict): void {
  const { schema, old, field } = check;
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    visit(
      { schema: items, value: item, old: storedItem(schema, old, item), field: `${field}[${index}]`, around: check },
      verdict,
    );
  }
}

type RuleFailure = { readonly cause: Cause; readonly isTolerable: boolean };

function failureOf(rule: ValidationRule, check: RuleCheck, verdict: RuleVerdict): RuleFailure | undefined {
  const { schema, value, old, field } = check;
  const compiled = engine.compile(rule, schema);
  if (compiled.isTransition && old === undefined && rule.optionalOldSelf !== true) return undefined;
  const input: RuleInput = { self: value, ...(old !== undefined && { oldSelf: old }) };
  const evaluation = compiled.evaluate(input);
  verdict.budget -= evaluation.cost;
  const tooCostly = costComplaint(rule, evaluation, verdict);
  if (tooCostly !== undefined) {
    verdict.budget = -1;
    return { cause: invalid(field || '<nil>', schema.type ?? kindOf(value), tooCostly), isTolerable: false };
  }
  if (evaluation.kind === 'value' && evaluation.value === true) return undefined;
  const text = textOf(rule, compiled, input);
  if (evaluation.kind === 'failed') {
    const detail = `${evaluation.error} evaluating rule: ${text}`;
    return { cause: invalid(field || '<nil>', schema.type ?? kindOf(value), detail), isTolerable: false };
  }
  const place = rule.fieldPath === undefined ? field : joined(field, unquoted(rule.fieldPath));
  return { cause: causeOf(rule, { field: place || '<nil>', value, text }), isTolerable: true };
}

/** The server's words for a rule, or for rules together, that cost too much. */
function costComplaint(rule: ValidationRule, evaluation: Evaluation, { budget }: RuleVerdict): string | undefined {
  if (evaluation.kind === 'tooCostly') {
    const about = rule.message ?? rule.rule.trim();
    return `'${evaluation.error}': no further validation rules will be run due to call cost exceeds limit for rule: ${about}`;
  }
  return budget < 0
    ? 'validation failed due to running out of cost budget, no further validation rules will be run'
    : undefined;
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
