import { readOwn } from '@nodewright/apis';
import { CelEngine } from '../../schema/cel/engine.ts';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { compilePattern, PatternError } from '../../schema/regular-expressions.ts';
import { checkValue } from '../../schema/checks/check-values.ts';
import { rootPlace } from '../../schema/checks/place.ts';
import { pruneUnknown } from '../../schema/prune.ts';
import type { CelRule, ValueSchema } from '../../schema/structural.ts';
import { checkEachItem, jsonObjectsIn, membersOf, validateChoice } from './checks.ts';
import { plainExpressionProblem } from './device-names.ts';
import { listTypeCauses, rootStructureCauses, definitionStructureCauses } from './schema-structure.ts';
import { junctionCauses, listJunctionParts, repeatsIntOrString, unspecifiedCauses } from './schema-junctions.ts';

/** The parts of a schema that are not structural, and rules that do not parse. */
export const definitionSchemaCauses = (schema: JsonObject, field: string): Cause[] => [
  ...schemaTypeCauses(schema, { field, kind: 'at the root' }),
  ...rootStructureCauses(schema, field),
  ...(hasSchemaMember(schema) ? [invalidCause(field, '', "OpenAPIV3Schema 'schema' is not supported")] : []),
  ...(schema['nullable'] === true ? [forbiddenCause(`${field}.nullable`, 'nullable cannot be true at the root')] : []),
  ...partCauses(schema, field),
];

/** Whether a schema, or one that is joined with it or inside of it, names a schema of schemas. */
function hasSchemaMember(schema: JsonObject): boolean {
  const { properties, items } = schema;
  const inner = [
    ...listJunctionParts(schema, '').map(({ part }) => part),
    ...membersOf(properties).map(([, part]) => part),
    ...(items === undefined ? [] : [items]),
  ];
  return jsonTextAt(schema, '$schema') !== '' || inner.some((part) => isObject(part) && hasSchemaMember(part));
}

type SchemaPlace = { readonly field: string; readonly kind: string };

function partCauses(schema: JsonObject, field: string): Cause[] {
  const { properties, items, additionalProperties } = schema;
  const inside = (part: JsonValue | undefined, place: SchemaPlace): Cause[] =>
    isObject(part) ? [...schemaTypeCauses(part, place), ...partCauses(part, place.field)] : [];
  return [
    ...keywordCauses(schema, field),
    ...sideSchemaCauses(schema, field),
    ...definitionStructureCauses(schema, field),
    ...listTypeCauses(schema, field),
    ...patternCauses(schema, field),
    ...celRuleCauses(schema, field),
    ...schemaDefaultCauses(schema, field),
    ...joinedCauses(schema, schema, { field, by: field }),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([key, part]) =>
      inside(part, { field: `${field}.properties[${key}]`, kind: 'for specified object fields' }),
    ),
    ...inside(items, { field: `${field}.items`, kind: 'for specified array items' }),
    ...inside(additionalProperties, { field: `${field}.additionalProperties`, kind: 'for specified object fields' }),
  ];
}

/** The schemas that are joined with this one, however deep. */
function joinedCauses(schema: JsonObject, whole: JsonObject, { field, by }: { field: string; by: string }): Cause[] {
  return listJunctionParts(schema, by).flatMap(({ part, field: place }) => [
    ...junctionCauses(part, place, { isTyped: repeatsIntOrString(whole, place) }),
    ...keywordCauses(part, place),
    ...listTypeCauses(part, place),
    ...patternCauses(part, place),
    ...ruleListCauses(part, place),
    ...unspecifiedCauses(part, whole, { field, by: place }),
    ...joinedCauses(part, whole, { field, by: place }),
    ...partsInside(part, place).flatMap(({ inner, at }) => [
      ...junctionCauses(inner, at),
      ...keywordCauses(inner, at),
      ...listTypeCauses(inner, at),
      ...patternCauses(inner, at),
    ]),
  ]);
}

/** What stands in keywords that are not supported is looked at nevertheless. */
const sideSchemaCauses = (schema: JsonObject, field: string): Cause[] =>
  ['definitions', 'dependencies', 'additionalItems'].flatMap((key) => {
    const place = `${field}.${key}`;
    const parts =
      key === 'additionalItems'
        ? [[readOwn(schema, key), place] as const]
        : membersOf(readOwn(schema, key)).map(([name, part]) => [part, `${place}[${name}]`] as const);
    return parts.flatMap(([part, at]) =>
      isObject(part)
        ? [
            ...keywordCauses(part, at),
            ...listTypeCauses(part, at),
            ...ruleListCauses(part, at),
            ...sideSchemaCauses(part, at),
          ]
        : [],
    );
  });

/** The schemas of the members and of the items. */
function partsInside(schema: JsonObject, field: string): { readonly inner: JsonObject; readonly at: string }[] {
  const { properties, items } = schema;
  const parts = [
    ...Object.entries(isObject(properties) ? properties : {}).map(
      ([key, inner]) => [inner, `${field}.properties[${key}]`] as const,
    ),
    ...(items === undefined ? [] : [[items, `${field}.items`] as const]),
  ];
  return parts.flatMap(([inner, at]) => (isObject(inner) ? [{ inner, at }, ...partsInside(inner, at)] : []));
}

const schemaTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords that a structural schema has not, and choices that are none. */
function keywordCauses(schema: JsonObject, field: string): Cause[] {
  const type = jsonTextAt(schema, 'type');
  const { 'x-kubernetes-map-type': mapType, 'x-kubernetes-list-type': listType } = schema;
  return [
    ...['$ref', 'additionalItems', 'definitions', 'dependencies', 'id', 'patternProperties']
      .filter((key) => memberOf(schema, key) !== undefined)
      .map((key) => forbiddenCause(`${field}.${key}`, `${key} is not supported`)),
    ...(schema['uniqueItems'] === true
      ? [
          forbiddenCause(
            `${field}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(schema['additionalProperties'] === false
      ? [forbiddenCause(`${field}.additionalProperties`, 'additionalProperties cannot be set to false')]
      : []),
    ...(isObject(schema['additionalProperties']) &&
    isObject(schema['properties']) &&
    Object.keys(schema['properties']).length > 0
      ? [forbiddenCause(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')]
      : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [invalidCause(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
    ...(type === '' ? [] : validateChoice(`${field}.type`, type, schemaTypes)),
    ...(listType === undefined ? [] : neededTypeCauses(field, type, ['array', 'x-kubernetes-list-type'])),
    ...(listType === undefined
      ? []
      : validateChoice(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map'])),
    ...(mapType === undefined ? [] : neededTypeCauses(field, type, ['object', 'x-kubernetes-map-type'])),
    ...(mapType === undefined ? [] : validateChoice(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular'])),
  ];
}

function neededTypeCauses(field: string, type: string, [needed, key]: readonly [needed: string, key: string]): Cause[] {
  const because = `must be ${needed} if ${key} is specified`;
  if (type === needed) return [];
  return [type === '' ? requiredCause(`${field}.type`, because) : invalidCause(`${field}.type`, type, because)];
}

function schemaTypeCauses(schema: JsonObject, { field, kind }: SchemaPlace): Cause[] {
  const isTyped =
    schema['x-kubernetes-embedded-resource'] === true ||
    jsonTextAt(schema, 'type') !== '' ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isTyped ? [] : [requiredCause(`${field}.type`, `must not be empty ${kind}`)];
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

/** A default is a value that its own schema admits, without members that the schema does not know. */
function schemaDefaultCauses(schema: JsonObject, field: string): Cause[] {
  const value = schema['default'];
  if (value === undefined) return [];
  if (pruneUnknown(schema, value).unknown.length > 0)
    return [invalidCause(`${field}.default`, value, 'must not have unknown fields')];
  const check = { schema: schema as ValueSchema, value, old: undefined, place: rootPlace };
  return checkValue(check).map((cause) => ({
    ...cause,
    field: cause.field === rootPlace.root ? `${field}.default` : `${field}.default.${cause.field}`,
  }));
}

const definitionCelEngine = new CelEngine();

const ruleReasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** A rule is compiled when nothing else is wrong with it. */
function celRuleCauses(schema: JsonObject, field: string): Cause[] {
  return jsonObjectsIn(schema['x-kubernetes-validations']).flatMap((rule, index) => {
    const place = `${field}.x-kubernetes-validations[${index}]`;
    const problems = ruleMemberCauses(rule, place);
    if (problems.length > 0) return problems;
    return [...expressionOfRuleCauses(rule, schema, `${place}.rule`), ...oldSelfCauses(rule, place)];
  });
}

/** A rule that compares no versions runs on every write. */
function oldSelfCauses(rule: JsonObject, field: string): Cause[] {
  const isOptional = rule['optionalOldSelf'];
  if (typeof isOptional !== 'boolean' || /\boldSelf\b/.test(jsonTextAt(rule, 'rule'))) return [];
  return [invalidCause(`${field}.optionalOldSelf`, isOptional, 'may not be set if oldSelf is not used in rule')];
}

const ruleListCauses = (schema: JsonObject, field: string): Cause[] =>
  checkEachItem(schema, 'x-kubernetes-validations', field, ruleMemberCauses);

function ruleMemberCauses(rule: JsonObject, field: string): Cause[] {
  const path = jsonTextAt(rule, 'fieldPath');
  return [
    ...ruleTextCauses(rule, field),
    ...validateChoice(`${field}.reason`, rule['reason'], ruleReasons),
    ...(path === '' || /^[.[]/.test(path) ? [] : [invalidCause(`${field}.fieldPath`, path, 'must be a valid path')]),
  ];
}

/** The texts of a rule: a message stands in one line, and says what a rule of several lines means. */
function ruleTextCauses(rule: JsonObject, field: string): Cause[] {
  const [text, message, expression] = ['rule', 'message', 'messageExpression'].map((key) => jsonTextAt(rule, key)) as [
    string,
    string,
    string,
  ];
  const hasLines = (written: string): boolean => /[\r\n]/.test(written.trim());
  return [
    ...(text.trim() === ''
      ? [requiredCause(`${field}.rule`, 'rule is not specified')]
      : message !== '' && message.trim() === ''
        ? [invalidCause(`${field}.message`, message, 'must be non-empty if specified')]
        : hasLines(message)
          ? [invalidCause(`${field}.message`, message, 'must not contain line breaks')]
          : hasLines(text) && message === ''
            ? [requiredCause(`${field}.message`, 'message must be specified if rule contains line breaks')]
            : []),
    ...(expression !== '' && expression.trim() === ''
      ? [requiredCause(`${field}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
  ];
}

function expressionOfRuleCauses(rule: JsonObject, schema: JsonObject, field: string): Cause[] {
  const text = jsonTextAt(rule, 'rule');
  const refuse = (because: string): Cause[] => [invalidCause(field, text, because)];
  try {
    definitionCelEngine.compile(rule as unknown as CelRule, schema);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`compilation failed: ${error.message}`);
  }
  const problem = plainExpressionProblem(text, ['self', 'oldSelf'], 'any');
  return problem === undefined ? [] : refuse(problem);
}
