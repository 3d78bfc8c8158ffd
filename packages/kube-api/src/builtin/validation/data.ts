import { readOwn } from '@nodewright/apis';
import { type Cause, forbiddenCause, invalidCause, requiredCause, tooLongCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from '../../schema/json.ts';
import type { NameRule } from '../../schema/metadata/names.ts';
import { membersOf, validateImmutable, validateNamed } from './checks.ts';

const mostBytes = 1_048_576;

/** The problems of a ConfigMap. */
export const configMapCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] => [
  ...contentCauses(object, old),
  ...(dataBytes(object['data']) + dataBytes(object['binaryData']) > mostBytes ? [tooLongCause('[]', mostBytes)] : []),
];

/** The problems of a Secret. */
export const secretCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] => [
  ...(old === undefined ? [] : validateImmutable('type', memberOf(old, 'type'), memberOf(object, 'type'))),
  ...contentCauses(object, old),
  ...secretTypeCauses(object),
  ...(dataBytes(object['data']) > mostBytes ? [tooLongCause('data', mostBytes)] : []),
];

const keyProblem =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const longestKey = 253;

/** A key of a ConfigMap or a Secret, which can be the name of a file. */
export const configKeyProblems: NameRule = (key) => [
  ...(key.length > longestKey ? [`must be no more than ${longestKey} characters`] : []),
  ...(/^[-._a-zA-Z0-9]+$/.test(key) ? [] : [keyProblem]),
  ...(key === '.' ? ["must not be '.'"] : []),
  ...(key === '..' ? ["must not be '..'"] : []),
  ...(key !== '..' && key.startsWith('..') ? ["must not start with '..'"] : []),
];

function contentCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const data = membersOf(object['data']);
  const binary = membersOf(object['binaryData']);
  return [
    ...data.flatMap(([key]) => [
      ...validateNamed(`data[${key}]`, key, configKeyProblems),
      ...(binary.some(([other]) => other === key)
        ? [invalidCause(`data[${key}]`, key, 'duplicate of key present in binaryData')]
        : []),
    ]),
    ...binary.flatMap(([key]) => validateNamed(`binaryData[${key}]`, key, configKeyProblems)),
    ...(old?.['immutable'] === true ? immutableCauses(object, old) : []),
  ];
}

function immutableCauses(object: JsonObject, old: JsonObject): Cause[] {
  const isSet = '`immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [forbiddenCause('immutable', `field is immutable when ${isSet}`)]),
    ...['data', 'binaryData']
      .filter((key) => !isEqualJson(memberOf(old, key), memberOf(object, key)))
      .map((key) => forbiddenCause(key, `field is immutable when ${isSet}`)),
  ];
}

const dataBytes = (data: JsonValue | undefined): number =>
  Object.values(isObject(data) ? data : {}).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );

/** The keys that secrets of a type must have. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

function secretTypeCauses(object: JsonObject): Cause[] {
  const type = jsonTextAt(object, 'type');
  const { data } = object;
  const missing = (readOwn(neededKeys, type) ?? []).filter((key) => memberOf(data, key) === undefined);
  return [
    ...missing.map((key) => requiredCause(`data[${key}]`)),
    ...(type === 'kubernetes.io/basic-auth' &&
    !['username', 'password'].some((key) => memberOf(data, key) !== undefined)
      ? [requiredCause('data[username]'), requiredCause('data[password]')]
      : []),
    ...(type === 'kubernetes.io/service-account-token' ? tokenSecretCauses(object) : []),
  ];
}

const accountAnnotation = 'kubernetes.io/service-account.name';

const tokenSecretCauses = (object: JsonObject): Cause[] =>
  jsonTextAt(object, 'metadata', 'annotations', accountAnnotation) === ''
    ? [requiredCause(`metadata.annotations[${accountAnnotation}]`)]
    : [];
