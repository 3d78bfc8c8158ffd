import type { StructuralSchema } from '../../schema/structural.ts';
import { readOwn } from '../../values/own-property.ts';
import { patternWords } from '../v1/patterns.ts';

/** What is wrong with one field of an object: its path, what it holds, and what would be right. */
export type FieldComplaint = { readonly field: string; readonly value?: unknown; readonly remedy: string };

/**
 * Everything about a value that its schema does not admit: types, missing and unknown members, choices,
 * patterns, bounds. Rules between fields (CEL) are not looked at. Members with a default may be left out.
 * @param field path of the value, `spec.amiFamily`; the empty text for a whole object
 */
export function shapeComplaints(schema: StructuralSchema, value: unknown, field: string): readonly FieldComplaint[] {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return [];
  if (schema['x-kubernetes-int-or-string'] === true) return numberOrText(schema, value, field);
  switch (schema.type) {
    case 'object':
      return isFieldObject(value)
        ? objectComplaints(schema, value, field)
        : [{ field, value, remedy: 'must be a map' }];
    case 'array':
      return Array.isArray(value) ? listComplaints(schema, value, field) : [{ field, value, remedy: 'must be a list' }];
    case 'string':
      return typeof value === 'string' ? textComplaints(schema, value, field) : [notText(value, field)];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [{ field, value, remedy: 'must be true or false' }];
    case 'integer':
      return Number.isSafeInteger(value)
        ? boundComplaints(schema, Number(value), field)
        : [{ field, value, remedy: 'must be a whole number' }];
    default:
      return [];
  }
}

/** A number where a text belongs is nearly always a text that lost its quotes. */
function notText(value: unknown, field: string): FieldComplaint {
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean';
  return { field, value, remedy: isUnquoted ? 'must be a text: put it in quotes' : 'must be a text' };
}

function numberOrText(schema: StructuralSchema, value: unknown, field: string): readonly FieldComplaint[] {
  if (typeof value === 'number') return [];
  return typeof value === 'string'
    ? textComplaints(schema, value, field)
    : [{ field, value, remedy: 'must be a quantity such as 1000 or 10Gi' }];
}

function textComplaints(schema: StructuralSchema, value: string, field: string): readonly FieldComplaint[] {
  const { enum: choices, pattern, maxLength } = schema;
  if (choices !== undefined && !choices.includes(value)) {
    return [{ field, value, remedy: `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}` }];
  }
  if (pattern !== undefined && !new RegExp(pattern).test(value)) {
    return [
      {
        field,
        value,
        remedy: `must be ${patternWords.get(pattern) ?? `a text that matches ${pattern}`}`,
      },
    ];
  }
  const isLong = maxLength !== undefined && value.length > maxLength;
  return isLong ? [{ field, value, remedy: `must have at most ${maxLength} characters` }] : [];
}

function boundComplaints({ minimum, maximum }: StructuralSchema, value: number, field: string) {
  if (minimum !== undefined && value < minimum) return [{ field, value, remedy: `must be at least ${minimum}` }];
  return maximum !== undefined && value > maximum ? [{ field, value, remedy: `must be at most ${maximum}` }] : [];
}

function listComplaints(schema: StructuralSchema, value: readonly unknown[], field: string): readonly FieldComplaint[] {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const many =
    value.length > maxItems ? [{ field, remedy: `has ${value.length} items, at most ${maxItems} may be` }] : [];
  const few = value.length < minItems ? [{ field, remedy: `needs at least ${minItems} items` }] : [];
  return [...many, ...few, ...value.flatMap((item, index) => shapeComplaints(items, item, `${field}[${index}]`))];
}

function objectComplaints(
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>>,
  field: string,
): readonly FieldComplaint[] {
  const { properties, additionalProperties, required = [] } = schema;
  const missing = required
    .filter((name) => readOwn(value, name) === undefined && readOwn(properties, name)?.default === undefined)
    .map((name) => ({ field: fieldBelow(field, name), remedy: 'is missing' }));
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const memberSchema = readOwn(properties, name) ?? additionalProperties;
    if (memberSchema !== undefined) return shapeComplaints(memberSchema, member, fieldBelow(field, name));
    return properties === undefined ? [] : [unknownMember(Object.keys(properties), { field, name, member })];
  });
  return [...missing, ...wrong];
}

const unknownMember = (
  known: readonly string[],
  { field, name, member }: { readonly field: string; readonly name: string; readonly member: unknown },
): FieldComplaint => ({
  field: fieldBelow(field, name),
  value: member,
  remedy: `is not known here; ${field === '' ? 'the object' : field} has ${known.toSorted().join(', ')}`,
});

const fieldBelow = (field: string, name: string): string => {
  const step = /^[A-Za-z][A-Za-z0-9]*$/.test(name) ? name : `[${JSON.stringify(name)}]`;
  return field === '' || step.startsWith('[') ? `${field}${step}` : `${field}.${step}`;
};

const isFieldObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
