import { type Cause, forbidden, invalid, required, tooLong } from '../../schema/cause.ts';
import { equal, isObject, type Json, type JsonObject, member, textAt } from '../../schema/json.ts';
import { immutable } from './checks.ts';

const mostBytes = 1_048_576;

/** What is wrong with a ConfigMap. */
export const configMapCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] => [
  ...contentCauses(object, old),
  ...(sizeOf(object['data']) + sizeOf(object['binaryData']) > mostBytes ? [tooLong('[]', mostBytes)] : []),
];

/** What is wrong with a Secret. */
export const secretCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] => [
  ...(old === undefined ? [] : immutable('type', member(old, 'type'), member(object, 'type'))),
  ...contentCauses(object, old),
  ...(textAt(object, 'type') === 'kubernetes.io/tls' ? ['tls.crt', 'tls.key'] : [])
    .filter((key) => member(object['data'], key) === undefined)
    .map((key) => required(`data[${key}]`)),
  ...(sizeOf(object['data']) > mostBytes ? [tooLong('data', mostBytes)] : []),
];

function contentCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const keys = Object.keys(isObject(object['data']) ? object['data'] : {});
  const detail =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  return [
    ...keys.filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key)).map((key) => invalid(`data[${key}]`, key, detail)),
    ...(old?.['immutable'] === true ? immutableCauses(object, old) : []),
  ];
}

function immutableCauses(object: JsonObject, old: JsonObject): Cause[] {
  const isSet = '`immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [forbidden('immutable', `field is immutable when ${isSet}`)]),
    ...(equal(old['data'], object['data']) ? [] : [forbidden('data', `field is immutable when ${isSet}`)]),
  ];
}

const sizeOf = (data: Json | undefined): number =>
  Object.values(isObject(data) ? data : {}).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
