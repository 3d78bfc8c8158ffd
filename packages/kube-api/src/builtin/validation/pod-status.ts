import { isIPv6 } from 'node:net';
import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
} from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import { containerStatusLists } from '../pod-defaults.ts';
import { validateAddress } from './addresses.ts';
import {
  checkEachItem,
  jsonObjectsIn,
  validateImmutable,
  validateNameIfPresent,
  validateNamed,
  validateNotNegative,
} from './checks.ts';

/** The problems of the status of a Pod. Its class of service is fixed, and a container that ended for good stays so. */
export function podStatusCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  if (old === undefined) return [];
  const [before, after] = [old['status'], object['status']];
  if (before === after) return [];
  const nominated = jsonTextAt(after, 'nominatedNodeName');
  return [
    ...checkEachItem(after, 'conditions', 'status', podConditionCauses),
    ...(nominated === jsonTextAt(before, 'nominatedNodeName') || nominated === ''
      ? []
      : validateNamed('status.nominatedNodeName', nominated, validateSubdomain)),
    ...(jsonTextAt(before, 'qosClass') === ''
      ? []
      : validateImmutable('status.qosClass', memberOf(before, 'qosClass'), memberOf(after, 'qosClass'))),
    ...endedContainerCauses(object, old),
    ...podClaimStatusCauses(object['spec'], after),
    ...extendedClaimCauses(object['spec'], memberOf(after, 'extendedResourceClaimStatus')),
    ...addressListCauses(after, 'podIPs'),
    ...hostAddressCauses(after),
    ...containerStatusLists.flatMap((list) => checkEachItem(after, list, 'status', userCauses)),
    ...containerStatusLists.flatMap((list) =>
      checkEachItem(after, list, 'status', (status, field) => allocatedDeviceCauses(status, field, list)),
    ),
  ];
}

/** Types of conditions that a pod has anyway. */
const systemConditionTypes = ['PodScheduled', 'Ready', 'Initialized', 'ContainersReady'];

function podConditionCauses(condition: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(condition, 'type');
  return [
    ...validateNotNegative(`${field}.observedGeneration`, condition['observedGeneration']).map((cause) => ({
      ...cause,
      message: cause.message.replace('must be greater than or equal to 0', 'must be a non-negative integer'),
    })),
    ...(systemConditionTypes.includes(type) ? [] : validateNamed(`${field}.Type`, type, validateQualifiedName)),
  ];
}

/** The problems of the claims that were made for a pod: each is one of its spec. */
function podClaimStatusCauses(spec: JsonValue | undefined, status: JsonValue | undefined): Cause[] {
  const names = namesOfItems(memberOf(spec, 'resourceClaims'));
  const seen = new Set<string>();
  return checkEachItem(status, 'resourceClaimStatuses', 'status', (claim, field) => {
    const name = jsonTextAt(claim, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(names.includes(name)
        ? []
        : [invalidCause(`${field}.name`, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(isRepeated ? [duplicateCause(`${field}.name`, name)] : []),
      ...validateNameIfPresent(`${field}.resourceClaimName`, claim['resourceClaimName'], validateSubdomain),
    ];
  });
}

const namesOfItems = (list: JsonValue | undefined): string[] =>
  jsonObjectsIn(list).map((item) => jsonTextAt(item, 'name'));

/** The problems of the claim that stands for devices which a pod asks for as amounts. */
function extendedClaimCauses(spec: JsonValue | undefined, status: JsonValue | undefined): Cause[] {
  if (status === undefined) return [];
  const field = 'status.extendedResourceClaimStatus';
  const known = ['initContainers', 'containers'].flatMap((key) => namesOfItems(memberOf(spec, key)));
  const claim = jsonTextAt(status, 'resourceClaimName');
  return [
    ...(jsonObjectsIn(memberOf(status, 'requestMappings')).length === 0
      ? [requiredCause(`${field}.requestMappings`, 'at least one request mapping is required')]
      : []),
    ...checkEachItem(status, 'requestMappings', field, (mapping, place) => {
      const container = jsonTextAt(mapping, 'containerName');
      const because = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      return [
        ...(known.includes(container) ? [] : [invalidCause(`${place}.containerName`, container, because)]),
        ...validateNamed(`${field}.requestName`, jsonTextAt(mapping, 'requestName'), validateDnsLabel),
      ];
    }),
    ...(claim === ''
      ? [requiredCause(`${field}.resourceClaimName`)]
      : validateNamed(`${field}.resourceClaimName`, claim, validateSubdomain)),
  ];
}

/** The problems of a list of addresses: there is one of each family. */
function addressListCauses(status: JsonValue | undefined, list: string): Cause[] {
  const addresses = jsonObjectsIn(memberOf(status, list)).map((item) => jsonTextAt(item, 'ip'));
  const sixes = addresses.filter((address) => isIPv6(address)).length;
  const printed = addresses.map((address) => ({ IP: address }));
  return [
    ...addresses.flatMap((address, index) => validateAddress(`status.${list}[${index}]`, address)),
    ...(addresses.length > 1 && (sixes > 1 || addresses.length - sixes > 1)
      ? [invalidCause(`status.${list}`, printed, 'may specify no more than one IP for each IP family')]
      : []),
  ];
}

function hostAddressCauses(status: JsonValue | undefined): Cause[] {
  const [first] = jsonObjectsIn(memberOf(status, 'hostIPs'));
  if (first === undefined) return [];
  const address = jsonTextAt(first, 'ip');
  return [
    ...(address === jsonTextAt(status, 'hostIP')
      ? []
      : [invalidCause('status.hostIPs[0].ip', address, 'must be equal to `hostIP`')]),
    ...addressListCauses(status, 'hostIPs'),
  ];
}

const mostUser = 2_147_483_647;

/** The problems of the numbers of the user that a container runs as. */
function userCauses(status: JsonObject, field: string): Cause[] {
  const user = valueAtPath(status, 'user', 'linux');
  const groups = memberOf(user, 'supplementalGroups');
  const idCauses = (place: string, id: JsonValue | undefined): Cause[] =>
    id === undefined || (Number(id) >= 0 && Number(id) <= mostUser)
      ? []
      : [invalidCause(`${field}.user.linux.${place}`, id, `must be between 0 and ${mostUser}, inclusive`)];
  return [
    ...idCauses('uid', memberOf(user, 'uid')),
    ...idCauses('gid', memberOf(user, 'gid')),
    ...(Array.isArray(groups) ? groups : []).flatMap((id, index) => idCauses(`supplementalGroups[${index}]`, id)),
  ];
}

const healths = ['Healthy', 'Unhealthy', 'Unknown'];

/** The problems of the devices that a container has: each is named once, and its health is known. */
function allocatedDeviceCauses(status: JsonObject, field: string, list: string): Cause[] {
  if (status['allocatedResourcesStatus'] === undefined) return [];
  if (list === 'ephemeralContainerStatuses')
    return [forbiddenCause(`${field}.allocatedResourcesStatus`, 'must not be specified in container status')];
  return checkEachItem(status, 'allocatedResourcesStatus', field, (resource, place) => {
    const seen = new Set<string>();
    return checkEachItem(resource, 'resources', place, (device, inner) => {
      const id = jsonTextAt(device, 'resourceID');
      const isRepeated = seen.has(id);
      seen.add(id);
      const health = jsonTextAt(device, 'health');
      return [
        ...(healths.includes(health) ? [] : [notSupportedCause(`${inner}.health`, health, healths)]),
        ...(isRepeated ? [duplicateCause(`${inner}.resourceID`, id)] : []),
      ];
    });
  });
}

function endedContainerCauses(object: JsonObject, old: JsonObject): Cause[] {
  const policy = jsonTextAt(object, 'spec', 'restartPolicy');
  if (policy !== 'Never' && policy !== 'OnFailure') return [];
  const now = jsonObjectsIn(memberOf(object['status'], 'containerStatuses'));
  const indexOf = new Map(now.map((status, index) => [jsonTextAt(status, 'name'), index] as const).toReversed());
  return jsonObjectsIn(memberOf(old['status'], 'containerStatuses')).flatMap((before) => {
    const index = indexOf.get(jsonTextAt(before, 'name')) ?? -1;
    const ended = memberOf(before['state'], 'terminated');
    const isFinal = ended !== undefined && !(policy === 'OnFailure' && memberOf(ended, 'exitCode') !== 0);
    return !isFinal || index < 0 || memberOf(now[index]?.['state'], 'terminated') !== undefined
      ? []
      : [forbiddenCause(`status.containerStatuses[${index}].state`, 'may not be transitioned to non-terminated state')];
  });
}
