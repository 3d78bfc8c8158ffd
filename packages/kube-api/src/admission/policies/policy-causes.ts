import { invalidError } from '../../http/status-error.ts';
import { asJson } from '../../resources/rules.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { compileExpression } from '../matching/expressions.ts';
import { jsonObjectsIn } from '../../builtin/validation/checks.ts';

/** The problems of a ValidatingAdmissionPolicy: what is missing, and expressions that do not compile. */
export function policyCauses(policy: JsonObject): Cause[] {
  const spec = memberOf(policy, 'spec');
  const lists = ['variables', 'matchConditions', 'validations'] as const;
  const rules = jsonObjectsIn(memberOf(memberOf(spec, 'matchConstraints'), 'resourceRules'));
  return [
    ...(memberOf(spec, 'matchConstraints') === undefined ? [requiredCause('spec.matchConstraints')] : []),
    ...(memberOf(spec, 'matchConstraints') !== undefined && rules.length === 0
      ? [requiredCause('spec.matchConstraints.resourceRules')]
      : []),
    ...lists.flatMap((list) =>
      jsonObjectsIn(memberOf(spec, list)).flatMap((item, index) => expressionCauses(item, `spec.${list}[${index}]`)),
    ),
  ];
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
