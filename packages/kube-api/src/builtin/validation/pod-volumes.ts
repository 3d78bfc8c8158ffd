import { validateDnsLabel, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkMember,
  amountNanos,
  jsonObjectsIn,
  validateChoice,
  validateNamed,
  validatePresence,
  validateRange,
  type CheckAt,
} from './checks.ts';
import { labelledMetadataCauses } from './devices.ts';
import { amountReferenceCauses, fieldReferenceCauses, fileFields } from './downward-fields.ts';
import { claimSpecCauses } from './persistent-volume-claim.ts';
import { driverNameCauses } from './storage-kinds.ts';
import { tokenLifetimeCauses } from './token-duration.ts';
import { localPathCauses, needsMembers, sharedSourceChecks } from './volume-sources.ts';

/** The problems of a pod's volumes. */
export function podVolumeCauses(spec: JsonObject, field: string): Cause[] {
  const names = new Set<string>();
  return checkEachItem(spec, 'volumes', field, (volume, place) => {
    const name = jsonTextAt(volume, 'name');
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...volumeSourceCauses(volume, place),
      ...(name === '' ? [requiredCause(`${place}.name`)] : validateNamed(`${place}.name`, name, validateDnsLabel)),
      ...(isRepeated && name !== '' ? [duplicateCause(`${place}.name`, name)] : []),
    ];
  });
}

/** Of several sources, the first one in this order is checked. */
const podSourceOrder =
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs persistentVolumeClaim rbd cinder cephfs flocker downwardAPI fc configMap azureFile flexVolume vsphereVolume quobyte photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ephemeral image'.split(
    ' ',
  );

const printedOtherSource = (key: string): string =>
  key === 'cephfs' ? 'cephFS' : key === 'gcePersistentDisk' ? 'persistentDisk' : key;

function volumeSourceCauses(volume: JsonObject, field: string): Cause[] {
  const [first, ...others] = podSourceOrder.filter((key) => isObject(memberOf(volume, key)));
  if (first === undefined) return [requiredCause(field, 'must specify a volume type')];
  return [
    ...checkMember(volume, first, field, checkOfSource(first)),
    ...others.map((key) =>
      forbiddenCause(`${field}.${printedOtherSource(key)}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

/** How refusals call a source. */
const printedPodSource = (field: string): string => field.replace(/\.gcePersistentDisk$/, '.persistentDisk');

const checkOfSource =
  (type: string): CheckAt<JsonObject> =>
  (source, field) =>
    (sourceChecks.get(type) ?? sharedSourceChecks.get(type) ?? (() => []))(source, printedPodSource(field), {
      isPersistent: false,
    });

/** What the volume types of pods alone must say. */
const sourceChecks: ReadonlyMap<string, CheckAt<JsonObject>> = new Map([
  ['emptyDir', emptyDirCauses],
  ['gitRepo', gitCauses],
  ['secret', (source, field) => [...needsMembers('secretName')(source, field), ...filesCauses(source, field)]],
  ['configMap', (source, field) => [...needsMembers('name')(source, field), ...filesCauses(source, field)]],
  ['persistentVolumeClaim', needsMembers('claimName')],
  ['csi', inlineDriverCauses],
  ['image', imageVolumeCauses],
  ['ephemeral', ephemeralCauses],
  ['projected', projectedCauses],
  ['downwardAPI', downwardCauses],
] satisfies [string, CheckAt<JsonObject>][]);

function gitCauses(source: JsonObject, field: string): Cause[] {
  return [
    ...needsMembers('repository')(source, field),
    ...localPathCauses(jsonTextAt(source, 'directory'), `${field}.directory`),
  ];
}

function inlineDriverCauses(source: JsonObject, field: string): Cause[] {
  return [
    ...driverNameCauses(`${field}.driver`, jsonTextAt(source, 'driver')),
    ...checkMember(source, 'nodePublishSecretRef', field, (secret, place) =>
      jsonTextAt(secret, 'name') === ''
        ? [requiredCause(`${place}.name`)]
        : validateNamed(`${field}.name`, jsonTextAt(secret, 'name'), validateSubdomain),
    ),
  ];
}

function imageVolumeCauses(source: JsonObject, field: string): Cause[] {
  return validateChoice(`${field}.pullPolicy`, source['pullPolicy'], ['Always', 'IfNotPresent', 'Never']);
}

function emptyDirCauses(source: JsonObject, field: string): Cause[] {
  const limit = source['sizeLimit'];
  return (amountNanos(limit) ?? 0n) < 0n
    ? [forbiddenCause(`${field}.sizeLimit`, `SizeLimit field must be a valid resource quantity`)]
    : [];
}

const modeProblem = 'must be a number between 0 and 0777 (octal), both inclusive';
const mostMode = 0o777;

const modeCauses = (mode: JsonValue | undefined, field: string): Cause[] =>
  validateRange(field, mode, { least: 0, most: mostMode }).length > 0
    ? [invalidCause(field, mode ?? 0, modeProblem)]
    : [];

const filesCauses = (source: JsonObject, field: string): Cause[] => [
  ...modeCauses(source['defaultMode'], `${field}.defaultMode`),
  ...checkEachItem(source, 'items', field, (item, place) => [
    ...validatePresence(`${place}.key`, item['key']),
    ...filePathCauses(jsonTextAt(item, 'path'), `${place}.path`),
    ...modeCauses(item['mode'], `${place}.mode`),
  ]),
];

function filePathCauses(path: string, field: string): Cause[] {
  if (path === '') return [requiredCause(field)];
  return [
    ...localPathCauses(path, field),
    ...(path.startsWith('..') && !path.startsWith('../') && path !== '..'
      ? [invalidCause(field, path, "must not start with '..'")]
      : []),
  ];
}

function ephemeralCauses(source: JsonObject, field: string): Cause[] {
  const template = source['volumeClaimTemplate'];
  if (!isObject(template)) return [requiredCause(`${field}.volumeClaimTemplate`)];
  return [
    ...labelledMetadataCauses(template['metadata'], `${field}.volumeClaimTemplate.metadata`),
    ...claimSpecCauses(memberOf(template, 'spec'), `${field}.volumeClaimTemplate.spec`),
  ];
}

const projectedSources: ReadonlyMap<string, CheckAt<JsonObject>> = new Map([
  ['secret', (source, field) => [...needsMembers('name')(source, field), ...filesCauses(source, field)]],
  ['configMap', (source, field) => [...needsMembers('name')(source, field), ...filesCauses(source, field)]],
  ['downwardAPI', downwardCauses],
  ['serviceAccountToken', tokenCauses],
] satisfies [string, CheckAt<JsonObject>][]);

/** The path of a token is told of as one of the volume. */
function tokenCauses(source: JsonObject, field: string): Cause[] {
  return [
    ...tokenLifetimeCauses(`${field}.expirationSeconds`, source['expirationSeconds']),
    ...filePathCauses(
      jsonTextAt(source, 'path'),
      `${field.replace(/\.sources\[\d+\]\.serviceAccountToken$/, '')}.path`,
    ),
  ];
}

function projectedCauses(source: JsonObject, field: string): Cause[] {
  return [
    ...modeCauses(source['defaultMode'], `${field}.defaultMode`),
    ...checkEachItem(source, 'sources', field, projectionCauses),
  ];
}

function projectionCauses(item: JsonObject, field: string): Cause[] {
  const [first, ...others] = Object.keys(item).filter((key) => isObject(memberOf(item, key)));
  return [
    ...(first === undefined ? [] : checkMember(item, first, field, projectedSources.get(first) ?? (() => []))),
    ...others.map((key) => forbiddenCause(`${field}.${key}`, 'may not specify more than 1 volume type per source')),
  ];
}

/** The files are told of without their place in the list. */
function downwardCauses(source: JsonObject, field: string): Cause[] {
  return [
    ...modeCauses(source['defaultMode'], `${field}.defaultMode`),
    ...jsonObjectsIn(source['items']).flatMap((item) => [
      ...filePathCauses(jsonTextAt(item, 'path'), `${field}.path`),
      ...downwardFileCauses(item, field),
      ...modeCauses(item['mode'], `${field}.mode`),
    ]),
  ];
}

function downwardFileCauses(item: JsonObject, field: string): Cause[] {
  const { fieldRef, resourceFieldRef } = item;
  if (isObject(fieldRef))
    return [
      ...fieldReferenceCauses(fieldRef, `${field}.fieldRef`, fileFields),
      ...(resourceFieldRef === undefined
        ? []
        : [invalidCause(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]),
    ];
  return isObject(resourceFieldRef)
    ? amountReferenceCauses(resourceFieldRef, `${field}.resourceFieldRef`, { isFile: true })
    : [requiredCause(field, 'one of fieldRef and resourceFieldRef is required')];
}
