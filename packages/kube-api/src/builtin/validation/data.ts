import { type Cause, forbiddenCause, invalidCause, requiredCause, tooLongCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from '../../schema/json.ts';
import { validateImmutable } from './checks.ts';

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
  ...(jsonTextAt(object, 'type') === 'kubernetes.io/tls' ? ['tls.crt', 'tls.key'] : [])
    .filter((key) => memberOf(object['data'], key) === undefined)
    .map((key) => requiredCause(`data[${key}]`)),
  ...(dataBytes(object['data']) > mostBytes ? [tooLongCause('data', mostBytes)] : []),
];

function contentCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const keys = Object.keys(isObject(object['data']) ? object['data'] : {});
  const detail =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  return [
    ...keys.filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key)).map((key) => invalidCause(`data[${key}]`, key, detail)),
    ...(old?.['immutable'] === true ? immutableCauses(object, old) : []),
  ];
}

function immutableCauses(object: JsonObject, old: JsonObject): Cause[] {
  const isSet = '`immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [forbiddenCause('immutable', `field is immutable when ${isSet}`)]),
    ...(isEqualJson(old['data'], object['data']) ? [] : [forbiddenCause('data', `field is immutable when ${isSet}`)]),
  ];
}

const dataBytes = (data: JsonValue | undefined): number =>
  Object.values(isObject(data) ? data : {}).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
