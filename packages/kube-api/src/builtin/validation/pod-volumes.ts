import { validateDnsLabel } from '../../schema/metadata/names.ts';
import { configKeyProblems } from './data.ts';
import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkMember,
  amountNanos,
  validateChoice,
  validateNamed,
  validatePresence,
  validateRange,
  type CheckAt,
} from './checks.ts';
import { claimSpecCauses } from './persistent-volume-claim.ts';

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

function volumeSourceCauses(volume: JsonObject, field: string): Cause[] {
  const sources = Object.keys(volume).filter((key) => key !== 'name' && isObject(memberOf(volume, key)));
  const [first, ...others] = sources;
  if (first === undefined) return [requiredCause(field, 'must specify a volume type')];
  return [
    ...checkMember(volume, first, field, sourceChecks.get(first) ?? (() => [])),
    ...others.map((key) => forbiddenCause(`${field}.${key}`, 'may not specify more than 1 volume type')),
  ];
}

const needs =
  (...keys: readonly string[]): CheckAt<JsonObject> =>
  (source, field) =>
    keys.flatMap((key) => validatePresence(`${field}.${key}`, memberOf(source, key)));

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

/** What each type of volume must say. */
const sourceChecks: ReadonlyMap<string, CheckAt<JsonObject>> = new Map([
  ['hostPath', hostPathCauses],
  ['emptyDir', emptyDirCauses],
  ['secret', (source, field) => [...needs('secretName')(source, field), ...filesCauses(source, field)]],
  ['configMap', (source, field) => [...needs('name')(source, field), ...filesCauses(source, field)]],
  ['persistentVolumeClaim', needs('claimName')],
  ['nfs', nfsCauses],
  ['csi', needs('driver')],
  ['image', needs('reference')],
  ['iscsi', needs('targetPortal', 'iqn')],
  ['ephemeral', ephemeralCauses],
  ['projected', projectedCauses],
  ['downwardAPI', downwardCauses],
] satisfies [string, CheckAt<JsonObject>][]);

function hostPathCauses(source: JsonObject, field: string): Cause[] {
  const path = jsonTextAt(source, 'path');
  return [
    ...(path === '' ? [requiredCause(`${field}.path`)] : backstepCauses(path, `${field}.path`)),
    ...validateChoice(`${field}.type`, source['type'], hostPathTypes),
  ];
}

const backstepCauses = (path: string, field: string): Cause[] =>
  path.split('/').includes('..') ? [invalidCause(field, path, "must not contain '..'")] : [];

function emptyDirCauses(source: JsonObject, field: string): Cause[] {
  const limit = source['sizeLimit'];
  return (amountNanos(limit) ?? 0n) < 0n
    ? [forbiddenCause(`${field}.sizeLimit`, `SizeLimit field must be a valid resource quantity`)]
    : [];
}

function nfsCauses(source: JsonObject, field: string): Cause[] {
  const path = jsonTextAt(source, 'path');
  return [
    ...needs('server', 'path')(source, field),
    ...(path === '' || path.startsWith('/') ? [] : [invalidCause(`${field}.path`, path, 'must be an absolute path')]),
  ];
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
    ...fileKeyCauses(jsonTextAt(item, 'key'), `${place}.key`),
    ...filePathCauses(jsonTextAt(item, 'path'), `${place}.path`),
    ...modeCauses(item['mode'], `${place}.mode`),
  ]),
];

const fileKeyCauses = (key: string, field: string): Cause[] =>
  key === '' ? [] : validateNamed(field, key, configKeyProblems);

function filePathCauses(path: string, field: string): Cause[] {
  if (path === '') return [requiredCause(field)];
  return [
    ...(path.startsWith('/') ? [invalidCause(field, path, 'must be a relative path')] : []),
    ...backstepCauses(path, field),
    ...(path.startsWith('..') && !path.startsWith('../') && path !== '..'
      ? [invalidCause(field, path, "must not start with '..'")]
      : []),
  ];
}

function ephemeralCauses(source: JsonObject, field: string): Cause[] {
  const template = source['volumeClaimTemplate'];
  if (!isObject(template)) return [requiredCause(`${field}.volumeClaimTemplate`)];
  return claimSpecCauses(memberOf(template, 'spec'), `${field}.volumeClaimTemplate.spec`);
}

const projectedSources: ReadonlyMap<string, CheckAt<JsonObject>> = new Map([
  ['secret', (source, field) => [...needs('name')(source, field), ...filesCauses(source, field)]],
  ['configMap', (source, field) => [...needs('name')(source, field), ...filesCauses(source, field)]],
  ['downwardAPI', downwardCauses],
  ['serviceAccountToken', tokenCauses],
] satisfies [string, CheckAt<JsonObject>][]);

const leastTokenSeconds = 600;

function tokenCauses(source: JsonObject, field: string): Cause[] {
  const seconds = source['expirationSeconds'];
  return [
    ...(typeof seconds === 'number' && seconds < leastTokenSeconds
      ? [invalidCause(`${field}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes')]
      : []),
    ...filePathCauses(jsonTextAt(source, 'path'), `${field}.path`),
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

function downwardCauses(source: JsonObject, field: string): Cause[] {
  return [
    ...modeCauses(source['defaultMode'], `${field}.defaultMode`),
    ...checkEachItem(source, 'items', field, (item, place) => [
      ...filePathCauses(jsonTextAt(item, 'path'), `${place}.path`),
      ...(item['fieldRef'] === undefined && item['resourceFieldRef'] === undefined
        ? [requiredCause(place, 'one of fieldRef and resourceFieldRef is required')]
        : []),
      ...(item['fieldRef'] !== undefined && item['resourceFieldRef'] !== undefined
        ? [invalidCause(place, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
        : []),
      ...modeCauses(item['mode'], `${place}.mode`),
    ]),
  ];
}
