import { readOwn } from '@nodewright/apis';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { hasMembers, jsonTextsIn } from './checks.ts';

const embeddedKey = 'x-kubernetes-embedded-resource';
const openKey = 'x-kubernetes-preserve-unknown-fields';
const numberOrTextKey = 'x-kubernetes-int-or-string';

/** What a structural schema needs at its root and in every part: items of lists, and no keywords that exclude each other. */
export function definitionStructureCauses(schema: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(schema, 'type');
  const [isEmbedded, isNumberOrText] = [schema[embeddedKey] === true, schema[numberOrTextKey] === true];
  const excludedBy = (key: string): Cause[] =>
    isNumberOrText && memberOf(schema, key) === true
      ? [invalidCause(`${field}.${key}`, true, `must be false if ${numberOrTextKey} is true`)]
      : [];
  return [
    ...(type === 'array' && !isObject(schema['items']) ? [requiredCause(`${field}.items`, 'must be specified')] : []),
    ...excludedBy(openKey),
    ...excludedBy(embeddedKey),
    ...(isEmbedded ? embeddedCauses(schema, field) : []),
  ];
}

function embeddedCauses(schema: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(schema, 'type');
  const because = `must be object if ${embeddedKey} is true`;
  return [
    ...(type === 'object'
      ? []
      : [type === '' ? requiredCause(`${field}.type`, because) : invalidCause(`${field}.type`, type, because)]),
    ...(schema['additionalProperties'] === undefined
      ? []
      : [forbiddenCause(`${field}.additionalProperties`, `must not be used if ${embeddedKey} is set`)]),
    ...objectMemberCauses(schema, field),
    ...(schema[openKey] === true || hasMembers(schema['properties'])
      ? []
      : [requiredCause(`${field}.properties`, `must not be empty if ${embeddedKey} is true without ${openKey}`)]),
  ];
}

/** The root of a schema describes an object. Of its metadata it may restrict the names alone. */
export function rootStructureCauses(schema: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(schema, 'type');
  const metadata = memberOf(schema['properties'], 'metadata');
  return [
    ...(type === '' || type === 'object' ? [] : [invalidCause(`${field}.type`, type, 'must be object at the root')]),
    ...(schema['additionalProperties'] === undefined
      ? []
      : [forbiddenCause(`${field}.additionalProperties`, 'must not be used at the root')]),
    ...objectMemberCauses(schema, field),
    ...(isObject(schema['default'])
      ? ['apiVersion', 'kind']
          .filter((key) => jsonTextAt(schema['default'], key) === '')
          .map((key) => requiredCause(`${field}.default.${key}`))
      : []),
    ...(memberOf(metadata, 'default') === undefined
      ? []
      : [forbiddenCause(`${field}.properties[metadata].default`, 'must not be set in top-level metadata')]),
    ...(isObject(metadata) && saysMoreThanNames(metadata)
      ? [
          forbiddenCause(
            `${field}.properties[metadata]`,
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]
      : []),
  ];
}

const rootKeywords =
  'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations'.split(
    ' ',
  );

/** Where a status is written by itself, the root has no keyword that would have to look at the status, too. */
export function statusRootCauses(schema: JsonObject, field: string): Cause[] {
  const isOther = ([key, value]: readonly [string, unknown]): boolean => value !== false && !rootKeywords.includes(key);
  if (!Object.entries(schema).some(isOther)) return [];
  const because = `only [${rootKeywords.map(goFieldName).join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidCause(field, schema, because)];
}

/** `x-kubernetes-validations` is the field `XValidations`. */
const goFieldName = (key: string): string =>
  key
    .replace('-kubernetes', '')
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** The members that every object has, in a schema that names them. */
const objectMemberCauses = ({ properties }: JsonObject, field: string): Cause[] =>
  (
    [
      ['kind', 'string'],
      ['apiVersion', 'string'],
      ['metadata', 'object'],
    ] as const
  ).flatMap(([key, wanted]) => {
    const member = memberOf(properties, key);
    const type = jsonTextAt(member, 'type');
    return !isObject(member) || type === wanted
      ? []
      : [invalidCause(`${field}.properties[${key}].type`, type, `must be ${wanted}`)];
  });

function saysMoreThanNames({ properties, ...rest }: JsonObject): boolean {
  const names = isObject(properties) ? Object.keys(properties) : [];
  const restrictsNames = names.every((name) => name === 'name' || name === 'generateName');
  return !restrictsNames || Object.keys(rest).some((key) => key !== 'type' && key !== 'default');
}

/** What a list whose items have keys, or are a set, needs of its items. */
export function listTypeCauses(schema: JsonObject, field: string): Cause[] {
  const [listType, items] = [jsonTextAt(schema, 'x-kubernetes-list-type'), schema['items']];
  const keys = jsonTextsIn(schema['x-kubernetes-list-map-keys']);
  const mapRule = 'if x-kubernetes-list-map-keys is non-empty';
  if (keys.length > 0 && listType !== 'map') {
    const place = `${field}.x-kubernetes-list-type`;
    return [
      listType === ''
        ? requiredCause(place, `must be map ${mapRule}`)
        : invalidCause(place, listType, `must be map ${mapRule}`),
    ];
  }
  if (listType === 'map') return keyedListCauses(schema, keys, field);
  return listType === 'set' && isObject(items)
    ? [...setItemCauses(items, field), ...nullableItemCauses(items, listType, field)]
    : [];
}

/** Of a set only the whole items are compared. */
function setItemCauses(items: JsonObject, field: string): Cause[] {
  const because = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const refuse = (key: string): Cause[] => [
    invalidCause(`${field}.items.${key}`, readOwn(items, key) ?? null, because),
  ];
  const { type, 'x-kubernetes-list-type': listType, 'x-kubernetes-map-type': mapType } = items;
  if (type === 'array') return listType === undefined || listType === 'atomic' ? [] : refuse('x-kubernetes-list-type');
  return type === 'object' && mapType !== 'atomic' ? refuse('x-kubernetes-map-type') : [];
}

const nullableItemCauses = (items: JsonObject, listType: string, field: string): Cause[] =>
  items['nullable'] === true
    ? [forbiddenCause(`${field}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
    : [];

function keyedListCauses({ items }: JsonObject, keys: readonly string[], field: string): Cause[] {
  const ofMap = "if parent array's x-kubernetes-list-type is map";
  const place = `${field}.x-kubernetes-list-map-keys`;
  const missing = keys.length === 0 ? [requiredCause(place, 'must not be empty if x-kubernetes-list-type is map')] : [];
  if (!isObject(items))
    return [...missing, requiredCause(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  const type = jsonTextAt(items, 'type');
  if (type !== 'object')
    return [
      ...missing,
      invalidCause(`${field}.items.type`, type, `must be object ${ofMap}`),
      ...nullableItemCauses(items, 'map', field),
    ];
  const refuse = (because: string): Cause => invalidCause(place, [...keys], because);
  return [
    ...missing,
    ...keys.flatMap((key, index) => [
      ...keyCauses(items, key, { field: `${field}.items.properties[${key}]`, ofMap, refuse }),
      ...(keys.indexOf(key) < index ? [refuse('must not contain duplicate entries')] : []),
    ]),
    ...nullableItemCauses(items, 'map', field),
  ];
}

type KeyPlace = { readonly field: string; readonly ofMap: string; readonly refuse: (because: string) => Cause };

/** A key is a scalar that each item has. */
function keyCauses(items: JsonObject, key: string, { field, ofMap, refuse }: KeyPlace): Cause[] {
  const member = memberOf(items['properties'], key);
  if (!isObject(member)) return [refuse('entries must all be names of item properties')];
  const isThere = jsonTextsIn(items['required']).includes(key) || member['default'] !== undefined;
  const isKey = 'this property is in x-kubernetes-list-map-keys, so it';
  return [
    ...(member['type'] === 'array' || member['type'] === 'object'
      ? [invalidCause(`${field}.type`, jsonTextAt(items, 'type'), `must be a scalar type ${ofMap}`)]
      : []),
    ...(isThere ? [] : [requiredCause(`${field}.default`, `${isKey} must have a default or be a required property`)]),
    ...(member['nullable'] === true ? [forbiddenCause(`${field}.nullable`, `${isKey} cannot be nullable`)] : []),
  ];
}
