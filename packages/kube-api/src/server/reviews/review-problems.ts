import { badRequestError, invalidError } from '../../http/status-error.ts';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateLabelValue, validateQualifiedName } from '../../schema/metadata/names.ts';
import type { ObjectCall } from '../world.ts';

/** Throws when a review asks nothing that can be answered. */
export function refuseBadReview({ resource }: ObjectCall, review: JsonObject): void {
  const { plural } = resource;
  if (plural === 'tokenreviews' && jsonTextAt(review, 'spec', 'token') === '')
    throw badRequestError('token is required for TokenReview in authentication');
  if (plural === 'selfsubjectrulesreviews' && jsonTextAt(review, 'spec', 'namespace') === '')
    throw badRequestError('no namespace on request');
  const causes = plural.endsWith('subjectaccessreviews') ? accessReviewCauses(plural, review) : [];
  if (causes.length > 0) throw invalidError({ group: 'authorization.k8s.io', kind: '' }, '', causes);
}

function accessReviewCauses(plural: string, review: JsonObject): Cause[] {
  const spec = memberOf(review, 'spec');
  const [resource, path] = [memberOf(spec, 'resourceAttributes'), memberOf(spec, 'nonResourceAttributes')];
  const hasSubject = jsonTextAt(review, 'spec', 'user') !== '' || hasItems(memberOf(spec, 'groups'));
  const isLocal = plural === 'localsubjectaccessreviews';
  return [
    ...(isObject(resource) && isObject(path)
      ? [invalidCause('spec.nonResourceAttributes', path, 'cannot be specified in combination with resourceAttributes')]
      : []),
    ...(isObject(resource) || isObject(path) ? [] : [invalidCause('spec.resourceAttributes', null, oneOfBoth)]),
    ...selectorOfReviewCauses(resource, 'fieldSelector'),
    ...selectorOfReviewCauses(resource, 'labelSelector'),
    ...(plural === 'selfsubjectaccessreviews' || hasSubject
      ? []
      : [invalidCause('spec.user', '', 'at least one of user or group must be specified')]),
    ...reviewMetadataCauses(review, isLocal),
    ...(isLocal ? localCauses(review) : []),
  ];
}

/** A selector in a question has requirements or a text. */
function selectorOfReviewCauses(resource: JsonValue | undefined, key: string): Cause[] {
  const selector = memberOf(resource, key);
  if (!isObject(selector)) return [];
  const field = `spec.resourceAttributes.${key}`;
  const requirements = memberOf(selector, 'requirements');
  const list = Array.isArray(requirements) ? requirements : [];
  const text = jsonTextAt(selector, 'rawSelector');
  if (list.length === 0 && text === '')
    return [
      requiredCause(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`),
    ];
  return [
    ...(list.length > 0 && text !== ''
      ? [invalidCause(`${field}.rawSelector`, text, 'may not specified at the same time as requirements')]
      : []),
    ...list.flatMap((requirement, index) =>
      requirementOfReviewCauses(requirement, `${field}.requirements[${index}]`, key),
    ),
  ];
}

function requirementOfReviewCauses(requirement: JsonValue, field: string, selector: string): Cause[] {
  const name = jsonTextAt(requirement, 'key');
  const values = memberOf(requirement, 'values');
  const rest = valuesOfReviewCauses(jsonTextAt(requirement, 'operator'), values, `${field}.values`);
  if (selector !== 'labelSelector')
    return [...(name === '' ? [requiredCause(`${field}.key`, 'must be specified')] : []), ...rest];
  return [
    ...rest,
    ...validateQualifiedName(name).map((problem) => invalidCause(`${field}.key`, name, problem)),
    ...(Array.isArray(values) ? values : []).flatMap((value, index) =>
      typeof value === 'string'
        ? validateLabelValue(value).map((problem) => invalidCause(`${field}.values[${index}]`, value, problem))
        : [],
    ),
  ];
}

/** Of an operator that the server does not know, nothing is demanded. */
function valuesOfReviewCauses(operator: string, values: JsonValue | undefined, field: string): Cause[] {
  if (operator === 'In' || operator === 'NotIn')
    return hasItems(values) ? [] : [requiredCause(field, "must be specified when `operator` is 'In' or 'NotIn'")];
  return (operator === 'Exists' || operator === 'DoesNotExist') && hasItems(values)
    ? [forbiddenCause(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    : [];
}

const oneOfBoth = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

const isUnsetMember = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const hasItems = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

function reviewMetadataCauses(review: JsonObject, isLocal: boolean): Cause[] {
  const metadata = memberOf(review, 'metadata');
  const given = isObject(metadata)
    ? Object.entries(metadata).flatMap(([name, value]) => (isUnsetMember(value) ? [] : [name]))
    : [];
  const others = given.filter((name) => name !== 'managedFields' && !(isLocal && name === 'namespace'));
  const detail = isLocal ? 'must be empty except for namespace' : 'must be empty';
  return others.length === 0 ? [] : [invalidCause('metadata', metadata ?? {}, detail)];
}

function localCauses(review: JsonObject): Cause[] {
  const spec = memberOf(review, 'spec');
  const [resource, path] = [memberOf(spec, 'resourceAttributes'), memberOf(spec, 'nonResourceAttributes')];
  const asked = jsonTextAt(resource, 'namespace');
  return [
    ...(isObject(resource) && asked !== jsonTextAt(review, 'metadata', 'namespace')
      ? [invalidCause('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]
      : []),
    ...(isObject(path) ? [invalidCause('spec.nonResourceAttributes', path, 'disallowed on this kind of request')] : []),
  ];
}
