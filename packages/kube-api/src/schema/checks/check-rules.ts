import { ObjectNotes, oncePerObject } from '@nodewright/apis';
import { CelEngine, comparesWithStored, type CompiledRule, type RuleInput } from '../cel/engine.ts';
import type { RuleEvaluation } from '../cel/programs.ts';
import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../cause.ts';
import { jsonTypeName } from './check-type.ts';
import { storedItem, storedMember } from './correlate.ts';
import { isEqualJson, isObject, type JsonValue } from '../json.ts';
import { memberSchema, type ValueSchema, type CelRule } from '../structural.ts';

type RuleCheck = {
  readonly schema: ValueSchema;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly field: string;
  /** The check of the enclosing value. */
  readonly around?: RuleCheck;
};

/** The result of the rules. `tolerated` failures are stored already and this write does not change them. */
export type RuleVerdict = {
  readonly causes: Cause[];
  readonly tolerated: Cause[];
  /** The remaining cost budget. Below zero, no further rule is evaluated. */
  budget: number;
};

/** The cost limit of all rules for one object, as in Kubernetes. */
const wholeBudget = 10_000_000;

const ruleEngine = new CelEngine();

/** Evaluates the CEL rules of a schema on a value and everything in it. */
export function checkRules(schema: ValueSchema, value: JsonValue, old: JsonValue | undefined): RuleVerdict {
  const verdict: RuleVerdict = { causes: [], tolerated: [], budget: wholeBudget };
  visitValue({ schema, value, old, field: '' }, verdict);
  return verdict;
}

/** Whether a schema has a rule anywhere. */
export const hasRules = (schema: ValueSchema): boolean => rulesIn(schema).length > 0;

/** The rules of a schema and of everything in it. */
const rulesIn = oncePerObject((schema: ValueSchema): readonly CelRule[] => {
  const { properties, items, additionalProperties } = schema;
  const inner = [...Object.values(properties ?? {}), items, additionalProperties];
  return [
    ...(schema['x-kubernetes-validations'] ?? []),
    ...inner.flatMap((part) => (typeof part === 'object' ? rulesIn(part) : [])),
  ];
});

/** Values never change, so a value that passed passes again, unless a rule reads the stored value. */
const passedValues = new ObjectNotes<object, ValueSchema>();

/** Values that passed beside themselves, as those of a write that does not change them. */
const passedUnchanged = new ObjectNotes<object, ValueSchema>();

function visitValue(check: RuleCheck, verdict: RuleVerdict): void {
  const { schema, value } = check;
  if (value === null || verdict.budget < 0 || !hasRules(schema)) return;
  if (typeof value !== 'object') evaluateRules(check, verdict);
  else if (!hasPassed(check, value)) {
    const failed = verdict.causes.length + verdict.tolerated.length;
    evaluateRules(check, verdict);
    visitInside(check, verdict);
    if (verdict.causes.length + verdict.tolerated.length === failed) rememberPassed(check, value);
  }
}

const hasPassed = ({ schema, old }: RuleCheck, value: object): boolean =>
  passedValues.of(value) === schema || (value === old && passedUnchanged.of(value) === schema);

function rememberPassed({ schema, old }: RuleCheck, value: object): void {
  if (!readsStored(schema)) passedValues.write(value, schema);
  else if (value === old) passedUnchanged.write(value, schema);
}

const readsStored = oncePerObject((schema: ValueSchema): boolean => rulesIn(schema).some(comparesWithStored));

function evaluateRules(check: RuleCheck, verdict: RuleVerdict): void {
  for (const rule of check.schema['x-kubernetes-validations'] ?? []) {
    if (verdict.budget < 0) return;
    const failure = ruleFailure(rule, check, verdict);
    if (failure === undefined) continue;
    if (failure.isTolerable && isStoredAlready(check)) verdict.tolerated.push(failure.cause);
    else verdict.causes.push(failure.cause);
  }
}

/** Whether the value or an enclosing value equals its stored one. */
const isStoredAlready = oncePerObject(
  ({ value, old, around }: RuleCheck): boolean =>
    (old !== undefined && isEqualJson(value, old)) || (around !== undefined && isStoredAlready(around)),
);

function visitInside(check: RuleCheck, verdict: RuleVerdict): void {
  const { schema, value, old, field } = check;
  if (Array.isArray(value)) visitItems(check, value, verdict);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const known = memberSchema(schema, key);
      if (known === undefined || !hasRules(known)) continue;
      const isMember = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
      const innerField = isMember ? appendPath(field, `.${key}`) : `${field}[${key}]`;
      visitValue(
        { schema: known, value: inner, old: storedMember(schema, old, key), field: innerField, around: check },
        verdict,
      );
    }
  }
}

function visitItems(check: RuleCheck, list: JsonValue[], verdict: RuleVerdict): void {
  const { schema, old, field } = check;
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    visitValue(
      { schema: items, value: item, old: storedItem(schema, old, item), field: `${field}[${index}]`, around: check },
      verdict,
    );
  }
}

type RuleFailure = { readonly cause: Cause; readonly isTolerable: boolean };

function ruleFailure(rule: CelRule, check: RuleCheck, verdict: RuleVerdict): RuleFailure | undefined {
  const { schema, value, old, field } = check;
  const compiled = ruleEngine.compile(rule, schema);
  if (compiled.isTransition && old === undefined && rule.optionalOldSelf !== true) return undefined;
  const input: RuleInput = { self: value, ...(old !== undefined && { oldSelf: old }) };
  const evaluation = compiled.evaluate(input);
  verdict.budget -= evaluation.cost;
  const tooCostly = costComplaint(rule, evaluation, verdict);
  if (tooCostly !== undefined) {
    verdict.budget = -1;
    return { cause: invalidCause(field || '<nil>', schema.type ?? jsonTypeName(value), tooCostly), isTolerable: false };
  }
  if (evaluation.kind === 'value' && evaluation.value === true) return undefined;
  const text = ruleMessage(rule, compiled, input);
  if (evaluation.kind === 'failed') {
    const detail = `${evaluation.error} evaluating rule: ${text}`;
    return { cause: invalidCause(field || '<nil>', schema.type ?? jsonTypeName(value), detail), isTolerable: false };
  }
  const place = rule.fieldPath === undefined ? field : appendPath(field, unquotePath(rule.fieldPath));
  return { cause: causeOfRule(rule, { field: place || '<nil>', value, text }), isTolerable: true };
}

/** The server's words for a rule, or for rules together, that cost too much. */
function costComplaint(rule: CelRule, evaluation: RuleEvaluation, { budget }: RuleVerdict): string | undefined {
  if (evaluation.kind === 'tooCostly') {
    const about = rule.message ?? rule.rule.trim();
    return `'${evaluation.error}': no further validation rules will be run due to call cost exceeds limit for rule: ${about}`;
  }
  return budget < 0
    ? 'validation failed due to running out of cost budget, no further validation rules will be run'
    : undefined;
}

function causeOfRule(rule: CelRule, failed: { field: string; value: JsonValue; text: string }): Cause {
  const { field, value, text } = failed;
  switch (rule.reason) {
    case 'FieldValueRequired':
      return requiredCause(field, text);
    case 'FieldValueForbidden':
      return forbiddenCause(field, text);
    case 'FieldValueDuplicate':
      return duplicateCause(field, value);
    default:
      return typeof value === 'object'
        ? { reason: 'FieldValueInvalid', message: `Invalid value: ${text}`, field }
        : invalidCause(field, value, text);
  }
}

const ruleMessage = (rule: CelRule, compiled: CompiledRule, input: RuleInput): string =>
  compiled.message(input) ?? rule.message ?? `failed rule: ${rule.rule.trim()}`;

/** Prints `['a.b']` of a field path as causes do: `[a.b]`. */
const unquotePath = (path: string): string => path.replaceAll(/\['([^']*)'\]/g, '[$1]');

const appendPath = (field: string, path: string): string =>
  field !== '' ? `${field}${path}` : path.startsWith('.') ? path.slice(1) : path;
