import { CelEngine } from '../../schema/cel/engine.ts';
import { type Cause, invalid, required } from '../../schema/cause.ts';
import { isObject, type Json, type JsonObject, textAt } from '../../schema/json.ts';
import type { ValidationRule } from '../../schema/structural.ts';
import { objectsIn } from './checks.ts';

/** What keeps a schema from being structural, and rules that are no expressions. */
export const schemaCauses = (schema: JsonObject, field: string): Cause[] => [
  ...typeCauses(schema, { field, kind: 'at the root' }),
  ...partCauses(schema, field),
];

type Place = { readonly field: string; readonly kind: string };

function partCauses(schema: JsonObject, field: string): Cause[] {
  const { properties, items, additionalProperties } = schema;
  const inside = (part: Json | undefined, place: Place): Cause[] =>
    isObject(part) ? [...typeCauses(part, place), ...partCauses(part, place.field)] : [];
  return [
    ...listCauses(schema, field),
    ...ruleCauses(schema, field),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([key, part]) =>
      inside(part, { field: `${field}.properties[${key}]`, kind: 'for specified object fields' }),
    ),
    ...inside(items, { field: `${field}.items`, kind: 'for specified array items' }),
    ...inside(additionalProperties, { field: `${field}.additionalProperties`, kind: 'for specified object fields' }),
  ];
}

function typeCauses(schema: JsonObject, { field, kind }: Place): Cause[] {
  const isTyped =
    textAt(schema, 'type') !== '' ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isTyped ? [] : [required(`${field}.type`, `must not be empty ${kind}`)];
}

function listCauses(schema: JsonObject, field: string): Cause[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  return schema['x-kubernetes-list-type'] === 'map' && !(Array.isArray(keys) && keys.length > 0)
    ? [required(`${field}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')]
    : [];
}

const engine = new CelEngine();

function ruleCauses(schema: JsonObject, field: string): Cause[] {
  return objectsIn(schema['x-kubernetes-validations']).flatMap((rule, index) => {
    try {
      engine.compile(rule as unknown as ValidationRule, schema);
      return [];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const place = `${field}.x-kubernetes-validations[${index}].rule`;
      return [invalid(place, textAt(rule, 'rule'), `compilation failed: ${error.message}`)];
    }
  });
}
