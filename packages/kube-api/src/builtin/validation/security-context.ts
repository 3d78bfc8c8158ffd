import { type Cause, duplicateCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateSubdomain } from '../../schema/metadata/names.ts';
import { profileCauses } from './container-parts.ts';
import { checkMember, jsonTextsIn, validateChoice, validateNameIfPresent, validateRange } from './checks.ts';

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
    ...validateChoice(`${place}.supplementalGroupsPolicy`, context['supplementalGroupsPolicy'], ['Merge', 'Strict']),
    ...windowsCauses(context, place),
    ...validateChoice(`${place}.seLinuxChangePolicy`, context['seLinuxChangePolicy'], ['Recursive']),
    ...validateChoice(`${place}.fsGroupChangePolicy`, context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch']),
  ]);

const groupIdCauses = (groups: JsonValue | undefined, field: string): Cause[] =>
  Array.isArray(groups) ? groups.flatMap((id, index) => validateRange(`${field}[${index}]`, id, ids)) : [];

function sysctlCauses(context: JsonObject, field: string): Cause[] {
  const list = Array.isArray(context['sysctls']) ? context['sysctls'] : [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const name = jsonTextAt(item, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    if (isRepeated) return [duplicateCause(`${field}.sysctls[${index}].name`, name)];
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
    ...windowsCauses(context, place),
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

const mostSpecBytes = 64 * 1024;
const longestUserName = 104;

/** The problems of what a container on Windows runs as. */
const windowsCauses = (context: JsonObject, field: string): Cause[] =>
  checkMember(context, 'windowsOptions', field, (options, place) => [
    ...validateNameIfPresent(`${place}.gmsaCredentialSpecName`, options['gmsaCredentialSpecName'], validateSubdomain),
    ...credentialCauses(options['gmsaCredentialSpec'], `${place}.gmsaCredentialSpec`),
    ...userNameCauses(options['runAsUserName'], `${place}.runAsUserName`),
  ]);

function credentialCauses(spec: JsonValue | undefined, field: string): Cause[] {
  if (typeof spec !== 'string') return [];
  if (spec === '') return [invalidCause(field, spec, 'gmsaCredentialSpec cannot be an empty string')];
  return Buffer.byteLength(spec) > mostSpecBytes
    ? [invalidCause(field, spec, 'gmsaCredentialSpec size must be under 64 KiB')]
    : [];
}

function userNameCauses(name: JsonValue | undefined, field: string): Cause[] {
  if (typeof name !== 'string') return [];
  const refuse = (because: string): Cause[] => [invalidCause(field, name, because)];
  if (name === '') return refuse('runAsUserName cannot be an empty string');
  const parts = name.split('\\');
  if (parts.length > 2) return refuse('runAsUserName cannot contain more than one backslash');
  const user = parts.at(-1) ?? '';
  if (user === '') return refuse("runAsUserName's User cannot be empty");
  return [
    ...(user.length > longestUserName
      ? refuse(`runAsUserName's User length must not be longer than ${longestUserName} characters`)
      : []),
    ...(/["/:;|=,+*?<>@[\]]/.test(user)
      ? refuse(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`)
      : []),
    ...(/^[. ]+$/.test(user) ? refuse("runAsUserName's User cannot contain only periods and spaces") : []),
  ];
}
