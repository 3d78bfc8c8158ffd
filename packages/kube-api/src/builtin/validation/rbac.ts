import { validatePathSegment, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkEachItem, checkMember, lengthOfList, validateNamed, validateRequiredName } from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

const group = 'rbac.authorization.k8s.io';

/** The problems of a Role or, cluster-wide, of a ClusterRole. */
export const roleCauses = (object: JsonObject, { isNamespaced }: { readonly isNamespaced: boolean }): Cause[] => [
  ...(isNamespaced ? [] : checkMember(object, 'aggregationRule', '', aggregationCauses)),
  ...checkEachItem(object, 'rules', '', (rule, field) => accessRuleCauses(rule, field, isNamespaced)),
];

const aggregationCauses = (rule: JsonObject, field: string): Cause[] => [
  ...(lengthOfList(rule['clusterRoleSelectors']) === 0
    ? [
        requiredCause(
          `${field}.clusterRoleSelectors`,
          'at least one clusterRoleSelector required if aggregationRule is non-nil',
        ),
      ]
    : []),
  ...checkEachItem(rule, 'clusterRoleSelectors', field, (selector, place) => {
    const problems = labelSelectorCauses(selector, place);
    return problems.length === 0 ? [] : [...problems, invalidCause(place, null, 'invalid label selector.')];
  }),
];

function accessRuleCauses(rule: JsonObject, field: string, isNamespaced: boolean): Cause[] {
  const isPathRule = lengthOfList(rule['nonResourceURLs']) > 0;
  return [
    ...(lengthOfList(rule['verbs']) === 0
      ? [requiredCause(`${field}.verbs`, 'verbs must contain at least one value')]
      : []),
    ...(isPathRule ? pathRuleCauses(rule, field, isNamespaced) : resourceRuleCauses(rule, field)),
  ];
}

function pathRuleCauses(rule: JsonObject, field: string, isNamespaced: boolean): Cause[] {
  const isAboutResources = ['apiGroups', 'resources', 'resourceNames'].some(
    (key) => lengthOfList(memberOf(rule, key)) > 0,
  );
  const refused = (because: string): Cause =>
    invalidCause(`${field}.nonResourceURLs`, rule['nonResourceURLs'] ?? [], because);
  return [
    ...(isNamespaced ? [refused('namespaced rules cannot apply to non-resource URLs')] : []),
    ...(isAboutResources ? [refused('rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
}

const resourceRuleCauses = (rule: JsonObject, field: string): Cause[] => [
  ...(lengthOfList(rule['apiGroups']) === 0
    ? [requiredCause(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
    : []),
  ...(lengthOfList(rule['resources']) === 0
    ? [requiredCause(`${field}.resources`, 'resource rules must supply at least one resource')]
    : []),
];

/** The problems of a RoleBinding or, cluster-wide, of a ClusterRoleBinding. */
export function bindingCauses(
  object: JsonObject,
  old: JsonObject | undefined,
  { isNamespaced }: { readonly isNamespaced: boolean },
): Cause[] {
  const role = memberOf(object, 'roleRef');
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const [roleGroup, roleKind] = [jsonTextAt(role, 'apiGroup'), jsonTextAt(role, 'kind')];
  return [
    ...(roleGroup === group ? [] : [notSupportedCause('roleRef.apiGroup', roleGroup, [group])]),
    ...(kinds.includes(roleKind) ? [] : [notSupportedCause('roleRef.kind', roleKind, kinds)]),
    ...validateRequiredName('roleRef.name', role, validatePathSegment),
    ...checkEachItem(object, 'subjects', '', (subject, field) => subjectCauses(subject, field, isNamespaced)),
    ...(old === undefined ? [] : roleChangeCauses(object, old)),
  ];
}

function subjectCauses(subject: JsonObject, field: string, isNamespaced: boolean): Cause[] {
  const kind = jsonTextAt(subject, 'kind');
  const name = jsonTextAt(subject, 'name');
  const missing = name === '' ? [requiredCause(`${field}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      return [...missing, ...accountSubjectCauses(subject, field, isNamespaced)];
    case 'User':
    case 'Group':
      return [...missing, ...personCauses(subject, field)];
    default:
      return [...missing, notSupportedCause(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

function accountSubjectCauses(subject: JsonObject, field: string, isNamespaced: boolean): Cause[] {
  const [name, apiGroup] = [jsonTextAt(subject, 'name'), jsonTextAt(subject, 'apiGroup')];
  return [
    ...(name === '' ? [] : validateNamed(`${field}.name`, name, validateSubdomain)),
    ...(apiGroup === '' ? [] : [notSupportedCause(`${field}.apiGroup`, apiGroup, [''])]),
    ...(isNamespaced || jsonTextAt(subject, 'namespace') !== '' ? [] : [requiredCause(`${field}.namespace`)]),
  ];
}

function personCauses(subject: JsonObject, field: string): Cause[] {
  const apiGroup = jsonTextAt(subject, 'apiGroup');
  const kind = jsonTextAt(subject, 'kind').toLowerCase();
  return [
    ...(jsonTextAt(subject, 'name') === '' ? [invalidCause(`${field}.name`, '', `${kind} name cannot be empty`)] : []),
    ...(apiGroup === group ? [] : [notSupportedCause(`${field}.apiGroup`, apiGroup, [group])]),
  ];
}

/** The role of a binding is immutable. */
function roleChangeCauses(object: JsonObject, old: JsonObject): Cause[] {
  const role = memberOf(object, 'roleRef');
  if (!isObject(role) || isEqualJson(role, memberOf(old, 'roleRef'))) return [];
  const printed = {
    APIGroup: jsonTextAt(role, 'apiGroup'),
    Kind: jsonTextAt(role, 'kind'),
    Name: jsonTextAt(role, 'name'),
  };
  return [invalidCause('roleRef', printed, 'cannot change roleRef')];
}
