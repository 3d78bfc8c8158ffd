import { goodTexts, oddNumbers, oddTexts, portions, quantities, times, wholeNumbers } from './draw-value.ts';
import type { DrawnSchema, SchemaTable } from './kinds.ts';
import type { Json } from './step.ts';

/** A value that most members of the schema take: texts by the member's name, and what is required of maps. */
export function goodValue(table: SchemaTable, given: DrawnSchema, name: string): Json {
  const schema = table.resolve(given);
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  switch (schema.type) {
    case 'string':
      return goodTextsOf(schema, name)[0] ?? 'a';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items === undefined ? [] : [goodValue(table, schema.items, name.replace(/s$/, ''))];
    default:
      return goodMap(table, schema);
  }
}

const goodMap = (table: SchemaTable, { properties = {}, required = [] }: DrawnSchema): Json =>
  Object.fromEntries(required.map((member) => [member, goodValue(table, properties[member] ?? {}, member)]));

function goodTextsOf(schema: DrawnSchema, name: string): readonly string[] {
  if (schema.format === 'quantity') return ['1'];
  if (schema.format === 'date-time') return times.slice(0, 1);
  if (schema.format === 'byte') return ['YQ=='];
  if (schema.enum !== undefined && schema.enum.length > 0) return schema.enum.map(String);
  return (Object.hasOwn(goodTexts, name) ? goodTexts[name] : undefined) ?? ['a', 'b', 'web'];
}

const wrongTypes: readonly Json[] = [null, 'a', 1, true, [], {}];

/** Values to try in a member: good ones, odd ones, and ones of another type. */
export function valuesToTry(table: SchemaTable, given: DrawnSchema, name: string): readonly Json[] {
  const schema = table.resolve(given);
  return [...ownValues(table, schema, name), ...wrongTypes.slice(0, 2), wrongTypes[2 + (name.length % 4)] ?? null];
}

function ownValues(table: SchemaTable, schema: DrawnSchema, name: string): readonly Json[] {
  if (schema['x-kubernetes-int-or-string'] === true) return portions;
  if (schema.format === 'quantity') return quantities;
  switch (schema.type) {
    case 'string':
      return [...goodTextsOf(schema, name), ...(schema.format === 'date-time' ? times : oddTexts)];
    case 'integer':
    case 'number':
      return [...wholeNumbers.slice(0, 5), ...oddNumbers];
    case 'boolean':
      return [true, false];
    case 'array': {
      const good = goodValue(table, schema.items ?? {}, name.replace(/s$/, ''));
      return [[], [good], [good, good], [null]];
    }
    default:
      return [{}, ...mapsToTry(table, schema)];
  }
}

function mapsToTry(table: SchemaTable, schema: DrawnSchema): readonly Json[] {
  if (schema.properties !== undefined) return [goodMap(table, schema)];
  if (typeof schema.additionalProperties !== 'object') return [{ a: 'b' }, { a: 1 }];
  const good = goodValue(table, schema.additionalProperties, 'value');
  return ['a', 'example.com/a', '', 'A b', 'a/b/c', 'x'.repeat(64)].map((key) => ({ [key]: good }));
}
