import { type JsonObject, type JsonValue, isObject, jsonTextAt, memberOf, valueAtPath } from '../schema/json.ts';
import { jsonObjectsIn } from './validation/checks.ts';

/** Formats of texts that a server checks, without their hyphens. */
const textFormats = new Set(
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'.split(
    ' ',
  ),
);

const numberFormats = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
]);

/** Tells formats in the schemas of a definition that no server checks, unless the definition had them before. */
export function tellUnknownFormats(definition: JsonObject, old: JsonObject | undefined): string[] {
  const known = new Set(old === undefined ? [] : listUnknownFormats(old));
  return listUnknownFormats(definition)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

const listUnknownFormats = (definition: JsonObject): string[] =>
  jsonObjectsIn(valueAtPath(definition, 'spec', 'versions')).flatMap((version) =>
    formatsInside(valueAtPath(version, 'schema', 'openAPIV3Schema')),
  );

function formatsInside(schema: JsonValue | undefined): string[] {
  if (!isObject(schema)) return [];
  const format = jsonTextAt(schema, 'format');
  const parts = [
    ...['items', 'not', 'additionalProperties', 'additionalItems'].map((key) => memberOf(schema, key)),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => jsonObjectsIn(memberOf(schema, key))),
    ...['properties', 'patternProperties', 'definitions', 'dependencies'].flatMap((key) => {
      const schemas = memberOf(schema, key);
      return isObject(schemas) ? Object.values(schemas) : [];
    }),
  ];
  return [
    ...(format === '' || isKnownFormat(jsonTextAt(schema, 'type'), format) ? [] : [format]),
    ...parts.flatMap(formatsInside),
  ];
}

function isKnownFormat(type: string, format: string): boolean {
  if (type === '' || type === 'string') return textFormats.has(format.replaceAll('-', ''));
  return numberFormats.get(type)?.includes(format) === true;
}
