import { asApiObject, asJson, fillDefaults, pruneObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { isEqualJson } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionView, WriteAttributes } from '../attributes.ts';
import { checkConditions } from '../matching/conditions.ts';
import {
  evaluateMutation,
  expressionVariables,
  type PolicyVariables,
  withNamedVariables,
} from '../matching/expressions.ts';
import { convertObject, isExempt, matchedResource } from '../matching/match.ts';
import { applyMutation } from './apply-mutation.ts';
import {
  mutatingBindingCollection,
  type MutatingBinding,
  type MutatingPolicy,
  mutatingPolicyCollection,
  type MutatingSpec,
  mutationExpression,
  type PolicyMutation,
} from './mutating-objects.ts';
import { findParams } from './params.ts';
import { criteriaOf } from './policy-objects.ts';
import { everyRule, refuseByPolicy } from './policy-refusal.ts';

/** Which bindings of mutating policies had their turn with a write, and what the object was after each of them. */
export type PolicyTurns = Map<string, ApiObject>;

type BoundMutations = {
  readonly policy: MutatingPolicy;
  readonly spec: MutatingSpec;
  readonly binding: MutatingBinding;
};

/**
 * Lets the bound mutating policies change the object, one after the other. In a second pass only those have a turn that
 * want to see an object again that others have changed.
 * @throws StatusError when a policy fails whose failures count
 */
export function mutateByPolicies(attributes: WriteAttributes, view: AdmissionView, turns: PolicyTurns): ApiObject {
  const bindings = view.store.collection(mutatingBindingCollection).list() as readonly MutatingBinding[];
  if (bindings.length === 0 || isExempt(attributes)) return attributes.object;
  const policies = view.store.collection(mutatingPolicyCollection).list() as readonly MutatingPolicy[];
  const bound = policies.flatMap((policy) =>
    bindings
      .filter(({ spec }) => spec.policyName === policy.metadata.name)
      .map((binding): BoundMutations => ({ policy, spec: policy.spec ?? {}, binding })),
  );
  return bound.reduce((object, each) => {
    const key = `${each.policy.metadata.name}/${each.binding.metadata.name}`;
    if (!hasTurn(each, turns.get(key), object)) return object;
    const changed = mutateByBinding(each, { ...attributes, object }, view);
    turns.set(key, changed);
    return changed;
  }, attributes.object);
}

const hasTurn = ({ spec }: BoundMutations, before: ApiObject | undefined, object: ApiObject): boolean =>
  before === undefined || (spec.reinvocationPolicy === 'IfNeeded' && !isEqualJson(asJson(before), asJson(object)));

function mutateByBinding(bound: BoundMutations, attributes: WriteAttributes, view: AdmissionView): ApiObject {
  const { spec, binding } = bound;
  const matched = matchedResource(criteriaOf(spec.matchConstraints), attributes, view);
  const isBound = matchedResource(criteriaOf(binding.spec.matchResources, everyRule), attributes, view) !== undefined;
  if (matched === undefined || !isBound) return attributes.object;
  const found = findParams(spec, binding, attributes, view);
  if (found.kind === 'error') return ignoreOrRefuse(bound, attributes, `failed to configure binding: ${found.error}`);
  return found.params.reduce(
    (object: ApiObject, params) => mutateOnce(bound, { attributes: { ...attributes, object }, matched, params }, view),
    attributes.object,
  );
}

type MutationInput = {
  readonly attributes: WriteAttributes;
  readonly matched: Resource;
  readonly params: ApiObject | undefined;
};

/** Applies all mutations of a policy with one parameter, or none of them. */
function mutateOnce(
  bound: BoundMutations,
  { attributes, matched, params }: MutationInput,
  view: AdmissionView,
): ApiObject {
  const { spec } = bound;
  const { resource, old } = attributes;
  const inVersion = (each: ApiObject | undefined) => each && convertObject(each, resource, matched);
  let object = convertObject(attributes.object, resource, matched);
  const variablesNow = () => expressionVariables({ attributes, matched, object, old: inVersion(old), params }, view);
  const conditions = checkConditions(spec.matchConditions ?? [], variablesNow());
  if (conditions.kind === 'fail') return attributes.object;
  if (conditions.kind === 'error') return ignoreOrRefuse(bound, attributes, conditions.error);
  for (const mutation of spec.mutations ?? []) {
    const outcome = mutateByExpression(spec, mutation, { object, matched, variables: variablesNow() });
    if (outcome.kind === 'failed') return ignoreOrRefuse(bound, attributes, outcome.error);
    object = pruneObject(matched, asApiObject(outcome.value)).object;
  }
  return fillDefaults(resource, convertObject(object, matched, resource));
}

type MutationTarget = {
  readonly object: ApiObject;
  readonly matched: Resource;
  readonly variables: PolicyVariables;
};

function mutateByExpression(
  { variables: named = [] }: MutatingSpec,
  mutation: PolicyMutation,
  { object, matched, variables }: MutationTarget,
): ReturnType<typeof applyMutation> {
  const expression = mutationExpression(mutation);
  const all = withNamedVariables(expression, named, variables);
  if ('failed' in all) return { kind: 'failed', error: String(all['failed']) };
  const result = evaluateMutation(expression, all);
  if (result.kind !== 'value') return { kind: 'failed', error: result.error };
  return applyMutation(mutation, result.value, { object: asJson(object), schema: matched.schema });
}

/** An error refuses the write unless the policy ignores failures. */
function ignoreOrRefuse(
  { policy, spec, binding }: BoundMutations,
  attributes: WriteAttributes,
  error: string,
): ApiObject {
  if (spec.failurePolicy === 'Ignore') return attributes.object;
  const about = `policy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  throw refuseByPolicy(attributes, `${about} denied request: ${error}`, 'Invalid');
}
