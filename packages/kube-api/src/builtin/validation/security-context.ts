import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { profileCauses } from './container-parts.ts';
import { checkMember, jsonTextsIn, validateChoice, validateRange } from './checks.ts';

const ids = { least: 0, most: 2_147_483_647 };

/** The problems of the security context of a pod. */
export const podSecurityCauses = (spec: JsonObject, field: string): Cause[] =>
  checkMember(spec, 'securityContext', field, (context, place) => [
    ...['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((key) =>
      validateRange(`${place}.${key}`, memberOf(context, key), ids),
    ),
    ...groupIdCauses(context['supplementalGroups'], `${place}.supplementalGroups`),
    ...sysctlCauses(context, place),
    ...profileCauses(context, place),
    ...validateChoice(`${place}.seLinuxChangePolicy`, context['seLinuxChangePolicy'], ['Recursive']),
    ...validateChoice(`${place}.fsGroupChangePolicy`, context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch']),
  ]);

const groupIdCauses = (groups: JsonValue | undefined, field: string): Cause[] =>
  Array.isArray(groups) ? groups.flatMap((id, index) => validateRange(`${field}[${index}]`, id, ids)) : [];

function sysctlCauses(context: JsonObject, field: string): Cause[] {
  const list = Array.isArray(context['sysctls']) ? context['sysctls'] : [];
  return list.flatMap((item, index) => {
    const name = jsonTextAt(item, 'name');
    if (name === '') return [requiredCause(`${field}.sysctls[${index}].name`)];
    return /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(name)
      ? []
      : [
          invalidCause(
            `${field}.sysctls[${index}].name`,
            name,
            'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9][-_a-z0-9]*[a-z0-9]?$',
          ),
        ];
  });
}

/** The problems of the security context of a container. */
export const containerSecurityCauses = (container: JsonObject, field: string): Cause[] =>
  checkMember(container, 'securityContext', field, (context, place) => [
    ...['runAsUser', 'runAsGroup'].flatMap((key) => validateRange(`${place}.${key}`, memberOf(context, key), ids)),
    ...profileCauses(context, place),
    ...escalationCauses(context, place),
  ]);

function escalationCauses(context: JsonObject, field: string): Cause[] {
  if (context['allowPrivilegeEscalation'] !== false) return [];
  const refused = (because: string): Cause =>
    invalidCause(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${because}`);
  const added = jsonTextsIn(memberOf(context['capabilities'], 'add'));
  return [
    ...(context['privileged'] === true ? [refused('`privileged` to true')] : []),
    ...(added.includes('CAP_SYS_ADMIN') ? [refused('`capabilities.Add` CAP_SYS_ADMIN')] : []),
  ];
}
