import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import { checkConditions } from '../matching/conditions.ts';
import {
  evaluateExpression,
  type PolicyVariables,
  expressionVariables,
  withNamedVariables,
} from '../matching/expressions.ts';
import { convertObject, isExempt, matchedResource } from '../matching/match.ts';
import { findParams } from './params.ts';
import {
  type AdmissionPolicy,
  bindingCollection,
  criteriaOf,
  policyCollection,
  type PolicyBinding,
  type PolicySpec,
  type PolicyValidation,
} from './policy-objects.ts';
import { everyRule, refuseByPolicy } from './policy-refusal.ts';

/** What one binding of a policy says about a write. */
type PolicyDecision = { readonly message: string; readonly reason: string };

/** Asks every policy that is bound and is about the write. Denials refuse it, warnings go to its sender. */
export function checkPolicies(attributes: AdmissionAttributes, view: AdmissionView): void {
  const bindings = view.store.collection(bindingCollection).list() as readonly PolicyBinding[];
  if (bindings.length === 0 || isExempt(attributes)) return;
  const policies = view.store.collection(policyCollection).list() as readonly AdmissionPolicy[];
  for (const policy of policies) {
    const own = bindings.filter(({ spec }) => spec.policyName === policy.metadata.name);
    const matched =
      own.length === 0 ? undefined : matchedResource(criteriaOf(policy.spec?.matchConstraints), attributes, view);
    if (matched !== undefined) for (const binding of own) askBinding({ policy, binding, matched }, attributes, view);
  }
}

type BoundPolicy = {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding;
  readonly matched: Resource;
};

function askBinding(bound: BoundPolicy, attributes: AdmissionAttributes, view: AdmissionView): void {
  const { policy, binding } = bound;
  const { matchResources, validationActions = ['Deny'] } = binding.spec;
  if (matchedResource(criteriaOf(matchResources, everyRule), attributes, view) === undefined) return;
  const decisions = decisionsOf(bound, attributes, view);
  const [first] = decisions;
  if (first === undefined) return;
  const about = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  if (validationActions.includes('Warn')) {
    for (const { message } of decisions) attributes.warnings.push(`Validation failed for ${about}: ${message}`);
  }
  if (validationActions.includes('Deny'))
    throw refuseByPolicy(attributes, `${about} denied request: ${first.message}`, first.reason);
}

function decisionsOf(
  bound: BoundPolicy,
  attributes: AdmissionAttributes,
  view: AdmissionView,
): readonly PolicyDecision[] {
  const { policy, binding, matched } = bound;
  const spec = policy.spec ?? {};
  const found = findParams(spec, binding, attributes, view);
  if (found.kind === 'error') return onFailure(spec, `failed to configure binding: ${found.error}`);
  const { resource, object, old } = attributes;
  const inVersion = (each: ApiObject | undefined) => each && convertObject(each, resource, matched);
  return found.params.flatMap((params) => {
    const input = { attributes, matched, object: inVersion(object), old: inVersion(old), params };
    return decisionsFor(spec, expressionVariables(input, view));
  });
}

function decisionsFor(spec: PolicySpec, variables: PolicyVariables): readonly PolicyDecision[] {
  const conditions = checkConditions(spec.matchConditions ?? [], variables);
  if (conditions.kind === 'fail') return [];
  if (conditions.kind === 'error') return onFailure(spec, conditions.error);
  return (spec.validations ?? []).flatMap((validation) => decideValidation(spec, validation, variables));
}

/** An error counts as a denial unless the policy ignores failures. */
const onFailure = ({ failurePolicy }: PolicySpec, message: string): readonly PolicyDecision[] =>
  failurePolicy === 'Ignore' ? [] : [{ message, reason: 'Invalid' }];

function decideValidation(
  spec: PolicySpec,
  validation: PolicyValidation,
  variables: PolicyVariables,
): readonly PolicyDecision[] {
  const { expression, messageExpression = '', reason = 'Invalid' } = validation;
  const all = withNamedVariables(`${expression} ${messageExpression}`, spec.variables ?? [], variables);
  if ('failed' in all) return onFailure(spec, failureText(expression, String(all['failed'])));
  const result = evaluateExpression(expression, all);
  if (result.kind !== 'value') return onFailure(spec, failureText(expression, result.error));
  return result.value === true ? [] : [{ message: messageOf(validation, all), reason }];
}

const failureText = (expression: string, error: string): string =>
  `expression '${expression}' resulted in error: ${error}`;

function messageOf({ expression, message, messageExpression }: PolicyValidation, variables: PolicyVariables): string {
  if (messageExpression !== undefined) {
    const result = evaluateExpression(messageExpression, variables);
    const text = result.kind === 'value' && typeof result.value === 'string' ? result.value.trim() : '';
    if (text !== '' && !text.includes('\n')) return text;
  }
  return message ?? `failed expression: ${expression.trim()}`;
}
