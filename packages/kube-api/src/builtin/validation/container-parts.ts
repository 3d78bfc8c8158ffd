import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
} from '../../schema/cause.ts';
import { validateDnsLabel, validateSubdomain } from '../../schema/metadata/names.ts';
import { isObject, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkMember,
  jsonObjectsIn,
  validateChoice,
  validateNamed,
  validateNameIfPresent,
} from './checks.ts';
import { localPathCauses } from './volume-sources.ts';

export const notFoundCause = (field: string, name: string, detail?: string): Cause => ({
  reason: 'FieldValueNotFound',
  message: `Not found: ${JSON.stringify(name)}${detail === undefined ? '' : `: ${detail}`}`,
  field,
});

/** The problems of when a container of a pod starts again. A container that runs before the others needs a policy for rules. */
export const containerRestartCauses = (container: JsonObject, field: string): Cause[] => [
  ...validateChoice(`${field}.restartPolicy`, container['restartPolicy'], ['Always', 'Never', 'OnFailure']),
  ...(container['restartPolicy'] === undefined && jsonObjectsIn(container['restartPolicyRules']).length > 0
    ? [requiredCause(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
    : []),
  ...(container['restartPolicy'] === undefined && field.includes('.initContainers[')
    ? []
    : restartRuleCauses(container, field)),
];

const restartRuleCauses = (container: JsonObject, field: string): Cause[] =>
  checkEachItem(container, 'restartPolicyRules', field, (rule, place) => [
    ...validateChoice(`${place}.action`, rule['action'] ?? '', ['Restart', 'RestartAllContainers']),
    ...(isObject(rule['exitCodes'])
      ? restartExitCodeCauses(rule['exitCodes'], `${place}.exitCodes`)
      : [requiredCause(`${place}.exitCodes`, 'must be specified')]),
  ]);

function restartExitCodeCauses(codes: JsonObject, field: string): Cause[] {
  const operator = jsonTextAt(codes, 'operator');
  return operator === 'In' || operator === 'NotIn'
    ? []
    : [notSupportedCause(`${field}.operator`, operator, ['In', 'NotIn'])];
}

/** The problems of what a change of the resources of a container does. */
export function resizePolicyCauses(container: JsonObject, field: string, neverRestarts: boolean): Cause[] {
  const seen = new Set<string>();
  const place = `${field}.resizePolicy`;
  return jsonObjectsIn(container['resizePolicy']).flatMap((policy, index) => {
    const [name, restart] = [jsonTextAt(policy, 'resourceName'), jsonTextAt(policy, 'restartPolicy')];
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(name === '' ? [requiredCause(place)] : validateChoice(place, name, ['cpu', 'memory'])),
      ...(restart === ''
        ? [requiredCause(place)]
        : validateChoice(place, restart, ['NotRequired', 'RestartContainer'])),
      ...(neverRestarts && restart !== 'NotRequired'
        ? [invalidCause(place, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
      ...(isRepeated ? [duplicateCause(`${place}[${index}]`, name)] : []),
    ];
  });
}

/** The names of the devices that a pod claims. */
export const podClaimNames = (spec: JsonObject): ReadonlySet<string> =>
  new Set(jsonObjectsIn(spec['resourceClaims']).map((claim) => jsonTextAt(claim, 'name')));

/** The problems of the devices of a pod that a container uses. */
export function claimUseCauses(container: JsonObject, field: string, claims: ReadonlySet<string>): Cause[] {
  const place = `${field}.resources`;
  const seen = new Set<string>();
  return checkEachItem(container['resources'], 'claims', place, (claim, inner) => {
    const name = jsonTextAt(claim, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    const request = claim['request'];
    if (name === '') return [requiredCause(inner)];
    return [
      ...(typeof request === 'string' && request !== ''
        ? validateNamed(`${inner}.request`, request, validateDnsLabel)
        : []),
      ...(isRepeated ? [duplicateCause(inner, name)] : []),
      ...(claims.has(name)
        ? []
        : [
            notFoundCause(
              inner,
              name,
              claims.size === 0
                ? 'must be one of the names in pod.spec.resourceClaims which is empty'
                : 'must be one of the names in pod.spec.resourceClaims',
            ),
          ]),
    ];
  });
}

type PodVolumes = { readonly field: string; readonly volumes: ReadonlySet<string> };

/** The problems of the volumes that a container sees as devices. */
export function volumeDeviceCauses(container: JsonObject, { field, volumes }: PodVolumes): Cause[] {
  const mounts = jsonObjectsIn(container['volumeMounts']);
  const names = new Set(mounts.map((mount) => jsonTextAt(mount, 'name')));
  const paths = new Set(mounts.map((mount) => jsonTextAt(mount, 'mountPath')));
  const [seenNames, seenPaths] = [new Set<string>(), new Set<string>()];
  return checkEachItem(container, 'volumeDevices', field, (device, place) => {
    const [name, path] = [jsonTextAt(device, 'name'), jsonTextAt(device, 'devicePath')];
    const [isNameRepeated, isPathRepeated] = [seenNames.has(name), seenPaths.has(path)];
    seenNames.add(name);
    seenPaths.add(path);
    return [
      ...(name === '' ? [requiredCause(`${place}.name`)] : []),
      ...(isNameRepeated ? [invalidCause(`${place}.name`, name, 'must be unique')] : []),
      ...(volumes.has(name) ? [] : [notFoundCause(`${place}.name`, name)]),
      ...(path === '' ? [requiredCause(`${place}.devicePath`)] : []),
      ...(isPathRepeated ? [invalidCause(`${place}.devicePath`, path, 'must be unique')] : []),
      ...(path.split('/').includes('..')
        ? [invalidCause(`${place}.devicePath`, path, "can not contain backsteps ('..')")]
        : []),
      ...(names.has(name) ? [invalidCause(`${place}.name`, name, 'must not already exist in volumeMounts')] : []),
      ...(paths.has(path)
        ? [invalidCause(`${place}.devicePath`, path, 'must not already exist as a path in volumeMounts')]
        : []),
    ];
  });
}

/** The problems of a mount that depend on the devices of the container, and of how it is mounted. */
export function mountWayCauses(
  mount: JsonObject,
  { field, index }: { field: string; index: number },
  container: JsonObject,
): Cause[] {
  const devices = jsonObjectsIn(container['volumeDevices']);
  const [name, path] = [jsonTextAt(mount, 'name'), jsonTextAt(mount, 'mountPath')];
  const place = `${field}.volumeMounts[${index}]`;
  return [
    ...(devices.some((device) => jsonTextAt(device, 'name') === name)
      ? [invalidCause(`${place}.name`, name, 'must not already exist in volumeDevices')]
      : []),
    ...(devices.some((device) => jsonTextAt(device, 'devicePath') === path)
      ? [invalidCause(`${place}.mountPath`, path, 'must not already exist as a path in volumeDevices')]
      : []),
    ...validateChoice(`${field}.volumeMounts.mountPropagation`, mount['mountPropagation'], [
      'Bidirectional',
      'HostToContainer',
      'None',
    ]),
    ...(mount['mountPropagation'] === 'Bidirectional' && memberOf(container['securityContext'], 'privileged') !== true
      ? [
          forbiddenCause(
            `${field}.volumeMounts.mountPropagation`,
            'Bidirectional mount propagation is available only to privileged containers',
          ),
        ]
      : []),
    ...validateChoice(`${field}.volumeMounts.recursiveReadOnly`, mount['recursiveReadOnly'], [
      'Disabled',
      'Enabled',
      'IfPossible',
    ]),
  ];
}

/** The problems of the profiles that limit a container or a pod. */
export const profileCauses = (context: JsonObject, field: string): Cause[] => [
  ...checkMember(context, 'seccompProfile', field, (profile, place) =>
    typeCauses(profile, place, ['Localhost', 'RuntimeDefault', 'Unconfined']),
  ),
  ...checkMember(context, 'appArmorProfile', field, (profile, place) =>
    typeCauses(profile, place, ['Localhost', 'RuntimeDefault', 'Unconfined']),
  ),
];

function typeCauses(profile: JsonObject, field: string, types: readonly string[]): Cause[] {
  const type = jsonTextAt(profile, 'type');
  const name = field.slice(field.lastIndexOf('.') + 1);
  const local = jsonTextAt(profile, 'localhostProfile');
  if (type === '') return [requiredCause(`${field}.type`, `type is required when ${name} is set`)];
  if (!types.includes(type)) return [notSupportedCause(`${field}.type`, type, types)];
  if (type === 'Localhost') return localProfileCauses(profile, `${field}.localhostProfile`, name);
  return memberOf(profile, 'localhostProfile') === undefined
    ? []
    : [invalidCause(`${field}.localhostProfile`, local, 'can only be set when seccomp type is Localhost')];
}

function localProfileCauses(profile: JsonObject, field: string, name: string): Cause[] {
  const [given, path] = [memberOf(profile, 'localhostProfile'), jsonTextAt(profile, 'localhostProfile')];
  if (name === 'seccompProfile')
    return given === undefined
      ? [requiredCause(field, 'must be set when seccomp type is Localhost')]
      : localPathCauses(path, field);
  if (path.trim() === '') return [requiredCause(field, 'must be set when AppArmor type is Localhost')];
  return path.trim() === path ? [] : [invalidCause(field, path, 'must not be padded with whitespace')];
}

/** The problems of the devices that a pod claims. */
export function podClaimCauses(spec: JsonObject, field: string): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(spec, 'resourceClaims', field, (claim, place) => {
    const name = jsonTextAt(claim, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    const [own, template] = [claim['resourceClaimName'], claim['resourceClaimTemplateName']];
    const printed = { Name: name, ResourceClaimName: own ?? null, ResourceClaimTemplateName: template ?? null };
    return [
      ...(name === '' ? [requiredCause(`${place}.name`)] : validateNamed(`${place}.name`, name, validateDnsLabel)),
      ...(isRepeated && name !== '' ? [duplicateCause(`${place}.name`, name)] : []),
      ...validateNameIfPresent(`${place}.resourceClaimName`, own, validateSubdomain),
      ...validateNameIfPresent(`${place}.resourceClaimTemplateName`, template, validateSubdomain),
      ...(own === undefined && template === undefined
        ? [invalidCause(place, printed, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')]
        : []),
      ...(own !== undefined && template !== undefined
        ? [
            invalidCause(
              place,
              printed,
              'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
            ),
          ]
        : []),
    ];
  });
}
