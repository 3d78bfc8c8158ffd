import { readOwn } from '@nodewright/apis';
import { type Cause, forbiddenCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { hasMembers, jsonObjectsIn, lengthOfList } from './checks.ts';

/** A schema inside `allOf`, `anyOf`, `oneOf` or `not`, with its place. */
export type JunctionPart = { readonly part: JsonObject; readonly field: string };

/** The schemas by which a schema is joined with others. */
export const listJunctionParts = (schema: JsonObject, field: string): readonly JunctionPart[] => [
  ...['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
    jsonObjectsIn(readOwn(schema, key)).map((part, index) => ({ part, field: `${field}.${key}[${index}]` })),
  ),
  ...(isObject(schema['not']) ? [{ part: schema['not'], field: `${field}.not` }] : []),
];

const openKey = 'x-kubernetes-preserve-unknown-fields';
const emptyKeys = ['description', 'title', 'type'];
const absentKeys = ['additionalProperties', 'default', 'x-kubernetes-list-type', 'x-kubernetes-map-type'];
const falseKeys = [openKey, 'nullable', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'];
const emptyLists = ['x-kubernetes-list-map-keys', 'x-kubernetes-validations'];

/** What a schema inside a junction may not say: the schema around it says it. */
export const junctionCauses = (part: JsonObject, field: string, { isTyped = false } = {}): Cause[] => {
  const forbid = (key: string, because: string): Cause =>
    forbiddenCause(`${field}.${key}`, `must be ${because} to be structural`);
  return [
    ...emptyKeys
      .filter((key) => jsonTextAt(part, key) !== '' && !(isTyped && key === 'type'))
      .map((key) => forbid(key, 'empty')),
    ...absentKeys.filter((key) => memberOf(part, key) !== undefined).map((key) => forbid(key, 'undefined')),
    ...falseKeys
      .filter((key) => memberOf(part, key) === true)
      .map((key) => forbid(key, key === openKey ? 'undefined' : 'false')),
    ...emptyLists.filter((key) => lengthOfList(memberOf(part, key)) > 0).map((key) => forbid(key, 'empty')),
  ];
};

/** Whether the junction only repeats that a value is a whole number or a text. */
export function repeatsIntOrString(schema: JsonObject, field: string): boolean {
  if (schema['x-kubernetes-int-or-string'] !== true || !/\.anyOf\[[01]\]$/.test(field)) return false;
  return (
    jsonObjectsIn(schema['anyOf'])
      .map((part) => jsonTextAt(part, 'type'))
      .join() === 'integer,string'
  );
}

/** What a junction speaks of is specified outside of it, too. */
export function unspecifiedCauses(part: JsonObject, whole: JsonValue | undefined, at: SpecifiedAt): Cause[] {
  const { items, properties } = part;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const known = memberOf(whole, 'properties');
  const isOpen = hasMembers(memberOf(whole, 'additionalProperties'));
  return [
    ...(isObject(items)
      ? isObject(memberOf(whole, 'items'))
        ? unspecifiedCauses(items, memberOf(whole, 'items'), inside(at, 'items'))
        : [missingCause(inside(at, 'items'))]
      : []),
    ...names.flatMap((name) => {
      const place = inside(at, `properties[${name}]`);
      const inner = memberOf(properties, name);
      if (memberOf(known, name) === undefined) return isOpen ? [] : [missingCause(place)];
      return isObject(inner) ? unspecifiedCauses(inner, memberOf(known, name), place) : [];
    }),
  ];
}

type SpecifiedAt = { readonly field: string; readonly by: string };

const inside = ({ field, by }: SpecifiedAt, part: string): SpecifiedAt => ({
  field: `${field}.${part}`,
  by: `${by}.${part}`,
});

const missingCause = ({ field, by }: SpecifiedAt): Cause => requiredCause(field, `because it is defined in ${by}`);
