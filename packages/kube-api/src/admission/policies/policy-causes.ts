import { readOwn } from '@nodewright/apis';
import { invalidError } from '../../http/status-error.ts';
import { asJson } from '../../resources/rules.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { compileExpression, compileMutation } from '../matching/expressions.ts';
import { jsonObjectsIn, validateChoice } from '../../builtin/validation/checks.ts';

/** The problems of the expressions of a ValidatingAdmissionPolicy. */
export const policyCauses = (policy: JsonObject): Cause[] =>
  namedExpressionCauses(memberOf(policy, 'spec'), ['variables', 'matchConditions', 'validations']);

const namedExpressionCauses = (spec: JsonValue | undefined, lists: readonly string[]): Cause[] =>
  lists.flatMap((list) =>
    jsonObjectsIn(memberOf(spec, list)).flatMap((item, index) => expressionCauses(item, `spec.${list}[${index}]`)),
  );

/** The problems of the expressions of a MutatingAdmissionPolicy. */
export function mutatingPolicyCauses(policy: JsonObject): Cause[] {
  const spec = memberOf(policy, 'spec');
  const mutations = jsonObjectsIn(memberOf(spec, 'mutations'));
  return [
    ...namedExpressionCauses(spec, ['variables', 'matchConditions']),
    ...mutations.flatMap((mutation, index) => mutationCauses(mutation, `spec.mutations[${index}]`)),
  ];
}

const patchMembers: Readonly<Record<string, string>> = {
  ApplyConfiguration: 'applyConfiguration',
  JSONPatch: 'jsonPatch',
};

function mutationCauses(mutation: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(mutation, 'patchType');
  if (type === '') return [requiredCause(`${field}.patchType`)];
  const member = readOwn(patchMembers, type);
  if (member === undefined) return validateChoice(`${field}.patchType`, type, Object.keys(patchMembers));
  const patch = memberOf(mutation, member);
  if (!isObject(patch)) return [requiredCause(`${field}.${member}`)];
  const text = jsonTextAt(patch, 'expression');
  if (text.trim() === '') return [requiredCause(`${field}.${member}.expression`)];
  const compiled = compileMutation(text);
  if (!('problem' in compiled)) return [];
  return [invalidCause(`${field}.${member}.expression`, text, `compilation failed: ${compiled.problem}`)];
}

function expressionCauses(item: JsonObject, field: string): Cause[] {
  const expression = jsonTextAt(item, 'expression');
  if (expression.trim() === '') return [requiredCause(`${field}.expression`)];
  return ['expression', 'messageExpression'].flatMap((member) => {
    const text = jsonTextAt(item, member);
    const compiled = text === '' ? undefined : compileExpression(text);
    if (compiled === undefined || !('problem' in compiled)) return [];
    return [invalidCause(`${field}.${member}`, text, `compilation failed: ${compiled.problem}`)];
  });
}

/** Refuses a policy whose expressions have problems. */
export const refuseBadRegistration =
  (causesOf: (object: JsonObject) => Cause[]) =>
  ({ resource, object, name }: AdmissionAttributes): void => {
    const causes = object === undefined ? [] : causesOf(asJson(object));
    if (causes.length > 0) throw invalidError(resource, name, causes);
  };
