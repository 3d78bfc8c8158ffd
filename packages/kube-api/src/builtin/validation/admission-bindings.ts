import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validatePathSegment, validateSubdomain } from '../../schema/metadata/names.ts';
import { matchResourcesCauses, mutatedOperationCauses } from './admission-configurations.ts';
import { checkEachText, checkMember, jsonTextsIn, lengthOfList, validateChoice, validateNamed } from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

/** The problems of the binding of an admission policy. */
export function admissionBindingCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const policyName = jsonTextAt(spec, 'policyName');
  const isMutating = object['kind'] === 'MutatingAdmissionPolicyBinding';
  return [
    ...(policyName === ''
      ? [requiredCause('spec.policyName')]
      : validateNamed('spec.policyName', policyName, validateSubdomain)),
    ...checkMember(spec, 'paramRef', 'spec', paramReferenceCauses),
    ...checkMember(spec, 'matchResources', 'spec', matchResourcesCauses),
    ...(isMutating
      ? mutatedOperationCauses(spec, 'matchResources')
      : validationActionCauses(memberOf(spec, 'validationActions'), 'spec.validationActions')),
  ];
}

function paramReferenceCauses(reference: JsonObject, field: string): Cause[] {
  const [name, selector] = [jsonTextAt(reference, 'name'), reference['selector']];
  return [
    ...(name === '' ? [] : validateNamed(`${field}.name`, name, validatePathSegment)),
    ...(name !== '' && selector !== undefined
      ? ['name', 'selector'].map((key) => forbiddenCause(`${field}.${key}`, 'name and selector are mutually exclusive'))
      : []),
    ...(name === '' && selector === undefined
      ? [requiredCause(field, 'one of name or selector must be specified')]
      : []),
    ...labelSelectorCauses(selector, `${field}.selector`),
    ...(jsonTextAt(reference, 'parameterNotFoundAction') === ''
      ? [requiredCause(`${field}.parameterNotFoundAction`)]
      : validateChoice(`${field}.parameterNotFoundAction`, reference['parameterNotFoundAction'], ['Allow', 'Deny'])),
  ];
}

function validationActionCauses(actions: JsonValue | undefined, field: string): Cause[] {
  if (lengthOfList(actions) === 0) return [requiredCause(field)];
  const seen = new Set<string>();
  const problems = checkEachText(actions, field, (action, place) => {
    const repeated = seen.has(action) ? [duplicateCause(place, action)] : [];
    seen.add(action);
    return [...validateChoice(place, action, ['Audit', 'Deny', 'Warn']), ...repeated];
  });
  return seen.has('Deny') && seen.has('Warn')
    ? [
        ...problems,
        invalidCause(
          field,
          jsonTextsIn(actions),
          'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
        ),
      ]
    : problems;
}
