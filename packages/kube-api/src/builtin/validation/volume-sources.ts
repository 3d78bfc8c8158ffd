import { type Cause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateDnsLabel } from '../../schema/metadata/names.ts';
import {
  type CheckAt,
  checkMember,
  lengthOfList,
  validateChoice,
  validateNamed,
  validatePresence,
  validateRange,
} from './checks.ts';

/** Whether the source is in a PersistentVolume, where secrets are of any namespace. */
export type VolumePlace = { readonly isPersistent: boolean };

type SourceCheck = (source: JsonObject, field: string, place: VolumePlace) => Cause[];

/** Demands that some members are there. */
export const needsMembers =
  (...keys: readonly string[]): CheckAt<JsonObject> =>
  (source, field) =>
    keys.flatMap((key) => validatePresence(`${field}.${key}`, memberOf(source, key)));

/** Checks of the volume types that pods and PersistentVolumes have in common. */
export const sharedSourceChecks: ReadonlyMap<string, SourceCheck> = new Map<string, SourceCheck>([
  ['hostPath', hostPathCauses],
  ['gcePersistentDisk', diskCauses('pdName')],
  ['awsElasticBlockStore', diskCauses('volumeID')],
  ['glusterfs', glusterCauses],
  ['flocker', flockerCauses],
  ['nfs', nfsCauses],
  ['rbd', (source, field) => [...monitorCauses(source, field), ...needsMembers('image')(source, field)]],
  ['quobyte', quobyteCauses],
  ['cephfs', monitorCauses],
  ['iscsi', iscsiCauses],
  [
    'cinder',
    (source, field, place) => [...needsMembers('volumeID')(source, field), ...secretVolumeCauses(source, field, place)],
  ],
  ['fc', fibreChannelCauses],
  ['flexVolume', needsMembers('driver')],
  ['azureFile', azureFileCauses],
  ['vsphereVolume', needsMembers('volumePath')],
  ['photonPersistentDisk', needsMembers('pdID')],
  ['portworxVolume', needsMembers('volumeID')],
  ['azureDisk', azureDiskCauses],
  ['scaleIO', needsMembers('gateway', 'system', 'volumeName')],
  ['storageos', storageOsCauses],
]);

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function hostPathCauses(source: JsonObject, field: string): Cause[] {
  const path = jsonTextAt(source, 'path');
  if (path === '') return [requiredCause(`${field}.path`)];
  return [...backstepCauses(path, `${field}.path`), ...validateChoice(`${field}.type`, source['type'], hostPathTypes)];
}

/** A path does not lead upwards. */
export const backstepCauses = (path: string, field: string): Cause[] =>
  path.split('/').includes('..') ? [invalidCause(field, path, "must not contain '..'")] : [];

const mostPartition = 255;

function diskCauses(name: string): SourceCheck {
  return (source, field) => {
    const { partition } = source;
    return [
      ...needsMembers(name)(source, field),
      ...(typeof partition === 'number' && (partition < 0 || partition > mostPartition)
        ? [invalidCause(`${field}.partition`, partition, `must be between 1 and ${mostPartition}, inclusive`)]
        : []),
    ];
  };
}

function glusterCauses(source: JsonObject, field: string, { isPersistent }: VolumePlace): Cause[] {
  const namespace = source['endpointsNamespace'];
  const isBad = isPersistent && typeof namespace === 'string' && validateDnsLabel(namespace).length > 0;
  const because = 'if the endpointnamespace is set, it must be a valid namespace name';
  return [
    ...needsMembers('endpoints', 'path')(source, field),
    ...(isBad ? [invalidCause(`${field}.endpointsNamespace`, namespace, because)] : []),
  ];
}

function flockerCauses(source: JsonObject, field: string): Cause[] {
  const [name, id] = [jsonTextAt(source, 'datasetName'), jsonTextAt(source, 'datasetUUID')];
  return [
    ...(name === '' && id === '' ? [requiredCause(field, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && id !== ''
      ? [invalidCause(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(name.includes('/') ? [invalidCause(`${field}.datasetName`, name, "must not contain '/'")] : []),
  ];
}

function nfsCauses(source: JsonObject, field: string): Cause[] {
  const path = jsonTextAt(source, 'path');
  return [
    ...needsMembers('server', 'path')(source, field),
    ...(path.startsWith('/') ? [] : [invalidCause(`${field}.path`, path, 'must be an absolute path')]),
  ];
}

function monitorCauses(source: JsonObject, field: string): Cause[] {
  return lengthOfList(source['monitors']) === 0 ? [requiredCause(`${field}.monitors`)] : [];
}

const longestTenant = 64;

function quobyteCauses(source: JsonObject, field: string): Cause[] {
  const [registry, tenant] = [jsonTextAt(source, 'registry'), jsonTextAt(source, 'tenant')];
  const place = `${field}.registry`;
  const isPairs = registry.split(',').every((pair) => /^([^:]*|\[[^\]]*\]):[^:]*$/.test(pair));
  const problem =
    tenant.length > longestTenant
      ? 'must be no more than 64 characters'
      : isPairs
        ? undefined
        : 'must be a host:port pair or multiple pairs separated by commas';
  return [
    ...(registry === ''
      ? [requiredCause(place)]
      : problem === undefined
        ? []
        : [invalidCause(place, tenant.length > longestTenant ? tenant : registry, problem)]),
    ...needsMembers('volume')(source, field),
  ];
}

const initiatorForms: readonly (readonly [prefix: string, form: RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([\dA-Za-z\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[\dA-Za-z]{16}$/],
  ['naa', /^naa.[\dA-Za-z]{32}$/],
];

function iscsiCauses(source: JsonObject, field: string, { isPersistent }: VolumePlace): Cause[] {
  const [name, initiator, lun] = [jsonTextAt(source, 'iqn'), source['initiatorName'], source['lun']];
  const asks = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  const badPrefix = isPersistent ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa';
  return [
    ...needsMembers('targetPortal', 'iqn')(source, field),
    ...(name === '' ? [] : initiatorCauses(name, `${field}.iqn`, badPrefix)),
    ...(typeof lun === 'number' ? validateRange(`${field}.lun`, lun, { least: 0, most: mostPartition }) : []),
    ...(asks && !isObject(source['secretRef']) ? [requiredCause(`${field}.secretRef`)] : []),
    ...(isPersistent
      ? checkMember(source, 'secretRef', field, (secret, place) => needsMembers('name')(secret, place))
      : []),
    ...(typeof initiator === 'string'
      ? initiatorCauses(initiator, `${field}.initiatorname`, 'must be valid format')
      : []),
  ];
}

function initiatorCauses(name: string, field: string, badPrefix: string): Cause[] {
  const [, form] = initiatorForms.find(([prefix]) => name.startsWith(prefix)) ?? [];
  if (form === undefined) return [invalidCause(field, name, badPrefix)];
  return form.test(name) ? [] : [invalidCause(field, name, 'must be valid format')];
}

/** A secret is named, and in a PersistentVolume its namespace, too. */
function secretVolumeCauses(source: JsonObject, field: string, { isPersistent }: VolumePlace): Cause[] {
  const keys = isPersistent ? ['name', 'namespace'] : ['name'];
  return checkMember(source, 'secretRef', field, needsMembers(...keys));
}

function fibreChannelCauses(source: JsonObject, field: string): Cause[] {
  const { lun } = source;
  const [targets, ids] = [lengthOfList(source['targetWWNs']), lengthOfList(source['wwids'])];
  const place = `${field}.targetWWNs`;
  return [
    ...(targets === 0 && ids === 0
      ? [requiredCause(place, 'must specify either targetWWNs or wwids, but not both')]
      : []),
    ...(targets > 0 && ids > 0
      ? [invalidCause(place, source['targetWWNs'] ?? [], 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(targets > 0
      ? typeof lun === 'number'
        ? validateRange(`${field}.lun`, lun, { least: 0, most: mostPartition })
        : [requiredCause(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
  ];
}

function azureFileCauses(source: JsonObject, field: string, { isPersistent }: VolumePlace): Cause[] {
  return [
    ...needsMembers('secretName', 'shareName')(source, field),
    ...(isPersistent && source['secretNamespace'] === '' ? [requiredCause(`${field}.secretNamespace`)] : []),
  ];
}

const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function azureDiskCauses(source: JsonObject, field: string): Cause[] {
  const [kind, uri] = [source['kind'], jsonTextAt(source, 'diskURI')];
  const [prefix, form] = kind === 'Managed' ? ['/', managedDisk] : ['https://', blobDisk];
  return [
    ...needsMembers('diskName', 'diskURI')(source, field),
    ...validateChoice(`${field}.cachingMode`, source['cachingMode'], ['None', 'ReadOnly', 'ReadWrite']),
    ...validateChoice(`${field}.kind`, kind, ['Dedicated', 'Managed', 'Shared']),
    ...(kind === undefined || uri.startsWith(prefix) ? [] : [notSupportedCause(`${field}.diskURI`, uri, [form])]),
  ];
}

function storageOsCauses(source: JsonObject, field: string, place: VolumePlace): Cause[] {
  const [name, namespace] = [jsonTextAt(source, 'volumeName'), jsonTextAt(source, 'volumeNamespace')];
  return [
    ...(name === ''
      ? [requiredCause(`${field}.volumeName`)]
      : validateNamed(`${field}.volumeName`, name, validateDnsLabel)),
    ...(namespace === '' ? [] : validateNamed(`${field}.volumeNamespace`, namespace, validateDnsLabel)),
    ...secretVolumeCauses(source, field, place),
  ];
}

/** Whether a value is a path that stays below where it begins. */
export const localPathCauses = (path: string, field: string): Cause[] => [
  ...(path.startsWith('/') ? [invalidCause(field, path, 'must be a relative path')] : []),
  ...backstepCauses(path, field),
];
