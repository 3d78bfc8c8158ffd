import { readOwn } from '@nodewright/apis';
import { invalidError } from '../../http/status-error.ts';
import { asJson } from '../../resources/rules.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { compileExpression, compileMutation } from '../matching/expressions.ts';
import { jsonObjectsIn, validateChoice } from '../../builtin/validation/checks.ts';

/** The problems of a ValidatingAdmissionPolicy: what is missing, and expressions that do not compile. */
export function policyCauses(policy: JsonObject): Cause[] {
  const spec = memberOf(policy, 'spec');
  return [...constraintCauses(spec), ...namedExpressionCauses(spec, ['variables', 'matchConditions', 'validations'])];
}

function constraintCauses(spec: JsonValue | undefined): Cause[] {
  const constraints = memberOf(spec, 'matchConstraints');
  if (constraints === undefined) return [requiredCause('spec.matchConstraints')];
  const rules = jsonObjectsIn(memberOf(constraints, 'resourceRules'));
  return rules.length === 0 ? [requiredCause('spec.matchConstraints.resourceRules')] : [];
}

const namedExpressionCauses = (spec: JsonValue | undefined, lists: readonly string[]): Cause[] =>
  lists.flatMap((list) =>
    jsonObjectsIn(memberOf(spec, list)).flatMap((item, index) => expressionCauses(item, `spec.${list}[${index}]`)),
  );

/** The problems of a MutatingAdmissionPolicy. */
export function mutatingPolicyCauses(policy: JsonObject): Cause[] {
  const spec = memberOf(policy, 'spec');
  const mutations = jsonObjectsIn(memberOf(spec, 'mutations'));
  const again = memberOf(spec, 'reinvocationPolicy');
  return [
    ...constraintCauses(spec),
    ...namedExpressionCauses(spec, ['variables', 'matchConditions']),
    ...(mutations.length === 0 ? [requiredCause('spec.mutations')] : []),
    ...mutations.flatMap((mutation, index) => mutationCauses(mutation, `spec.mutations[${index}]`)),
    ...(again === undefined ? [requiredCause('spec.reinvocationPolicy')] : []),
    ...validateChoice('spec.reinvocationPolicy', again, ['IfNeeded', 'Never']),
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

/** The problems of a MutatingAdmissionPolicyBinding. */
export const mutatingBindingCauses = (binding: JsonObject): Cause[] =>
  jsonTextAt(memberOf(binding, 'spec'), 'policyName') === '' ? [requiredCause('spec.policyName')] : [];

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

/** The problems of a ValidatingAdmissionPolicyBinding. */
export function policyBindingCauses(binding: JsonObject): Cause[] {
  const spec = memberOf(binding, 'spec');
  const actions = memberOf(spec, 'validationActions');
  const isEmpty = !Array.isArray(actions) || actions.length === 0;
  const clashes = Array.isArray(actions) && actions.includes('Deny') && actions.includes('Warn');
  return [
    ...(jsonTextAt(spec, 'policyName') === '' ? [requiredCause('spec.policyName')] : []),
    ...(isEmpty ? [requiredCause('spec.validationActions')] : []),
    ...(clashes
      ? [
          invalidCause(
            'spec.validationActions',
            actions,
            'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
          ),
        ]
      : []),
  ];
}

/** Refuses an object of the registration group that has problems. */
export const refuseBadRegistration =
  (causesOf: (object: JsonObject) => Cause[]) =>
  ({ resource, object, name }: AdmissionAttributes): void => {
    const causes = object === undefined ? [] : causesOf(asJson(object));
    if (causes.length > 0) throw invalidError(resource, name, causes);
  };
