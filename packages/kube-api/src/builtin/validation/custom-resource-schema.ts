import { CelEngine } from '../../schema/cel/engine.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt } from '../../schema/json.ts';
import { compilePattern, PatternError } from '../../schema/regular-expressions.ts';
import { checkValue } from '../../schema/checks/check-values.ts';
import { rootPlace } from '../../schema/checks/place.ts';
import type { CelRule, ValueSchema } from '../../schema/structural.ts';
import { jsonObjectsIn } from './checks.ts';

/** The parts of a schema that are not structural, and rules that do not parse. */
export const definitionSchemaCauses = (schema: JsonObject, field: string): Cause[] => [
  ...schemaTypeCauses(schema, { field, kind: 'at the root' }),
  ...partCauses(schema, field),
];

type SchemaPlace = { readonly field: string; readonly kind: string };

function partCauses(schema: JsonObject, field: string): Cause[] {
  const { properties, items, additionalProperties } = schema;
  const inside = (part: JsonValue | undefined, place: SchemaPlace): Cause[] =>
    isObject(part) ? [...schemaTypeCauses(part, place), ...partCauses(part, place.field)] : [];
  return [
    ...listTypeCauses(schema, field),
    ...patternCauses(schema, field),
    ...celRuleCauses(schema, field),
    ...schemaDefaultCauses(schema, field),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([key, part]) =>
      inside(part, { field: `${field}.properties[${key}]`, kind: 'for specified object fields' }),
    ),
    ...inside(items, { field: `${field}.items`, kind: 'for specified array items' }),
    ...inside(additionalProperties, { field: `${field}.additionalProperties`, kind: 'for specified object fields' }),
  ];
}

function schemaTypeCauses(schema: JsonObject, { field, kind }: SchemaPlace): Cause[] {
  const isTyped =
    jsonTextAt(schema, 'type') !== '' ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isTyped ? [] : [requiredCause(`${field}.type`, `must not be empty ${kind}`)];
}

function listTypeCauses(schema: JsonObject, field: string): Cause[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  return schema['x-kubernetes-list-type'] === 'map' && !(Array.isArray(keys) && keys.length > 0)
    ? [requiredCause(`${field}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')]
    : [];
}

function patternCauses({ pattern }: JsonObject, field: string): Cause[] {
  if (typeof pattern !== 'string') return [];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const detail = `must be a valid regular expression, but isn't: ${error.message}`;
    return [invalidCause(`${field}.pattern`, pattern, detail)];
  }
}

/** A default is a value that its own schema admits. */
function schemaDefaultCauses(schema: JsonObject, field: string): Cause[] {
  const value = schema['default'];
  if (value === undefined) return [];
  const check = { schema: schema as ValueSchema, value, old: undefined, place: rootPlace };
  return checkValue(check).map((cause) => ({
    ...cause,
    field: cause.field === rootPlace.root ? `${field}.default` : `${field}.default.${cause.field}`,
  }));
}

const definitionCelEngine = new CelEngine();

function celRuleCauses(schema: JsonObject, field: string): Cause[] {
  return jsonObjectsIn(schema['x-kubernetes-validations']).flatMap((rule, index) => {
    try {
      definitionCelEngine.compile(rule as unknown as CelRule, schema);
      return [];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const place = `${field}.x-kubernetes-validations[${index}].rule`;
      return [invalidCause(place, jsonTextAt(rule, 'rule'), `compilation failed: ${error.message}`)];
    }
  });
}
