import { unitsOf } from '@nodewright/apis';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown, field: string) => readonly string[];

const told = (field: string, right: string, value: unknown): readonly string[] => [
  `${field} must be ${right}, not ${value === undefined ? 'missing' : JSON.stringify(value)?.slice(0, 60)}`,
];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Check = (value, field) => (typeof value === 'string' && value !== '' ? [] : told(field, 'a text', value));
/** A label may be empty. */
const labelValue: Check = (value, field) => (typeof value === 'string' ? [] : told(field, 'a text', value));
const number: Check = (value, field) =>
  typeof value === 'number' && value >= 0 ? [] : told(field, 'a number from 0', value);
const flag: Check = (value, field) => (typeof value === 'boolean' ? [] : told(field, 'true or false', value));
const oneOf =
  (...words: readonly unknown[]): Check =>
  (value, field) =>
    words.includes(value) ? [] : told(field, `one of ${words.join(', ')}`, value);

const quantity: Check = (value, field) => {
  try {
    if (typeof value === 'string' || typeof value === 'number') unitsOf(value);
    else return told(field, 'a quantity such as 100m, 1.5 or 2Gi', value);
    return [];
  } catch {
    return told(field, 'a quantity such as 100m, 1.5 or 2Gi', value);
  }
};

const listOf =
  (check: Check): Check =>
  (value, field) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => check(each, `${field}[${index}]`))
      : told(field, 'a list', value);

const mapOf =
  (check: Check): Check =>
  (value, field) =>
    isFields(value)
      ? Object.entries(value).flatMap(([key, each]) => check(each, `${field}["${key}"]`))
      : told(field, 'an object', value);

const optional =
  (check: Check): Check =>
  (value, field) =>
    value === undefined ? [] : check(value, field);

const objectOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, field) =>
    isFields(value)
      ? Object.entries(checks).flatMap(([name, check]) => check(value[name], `${field}.${name}`))
      : told(field, 'an object', value);

const instanceType = objectOf({
  name: text,
  requirements: mapOf(listOf(labelValue)),
  capacity: mapOf(quantity),
  overhead: mapOf(quantity),
  offerings: listOf(
    objectOf({
      zone: text,
      capacityType: oneOf('on-demand', 'spot', 'reserved'),
      price: number,
      available: flag,
      capacityOverride: optional(mapOf(quantity)),
      overheadOverride: optional(mapOf(quantity)),
    }),
  ),
});

const named = objectOf({ name: text });
const pod = objectOf({ metadata: named, spec: objectOf({ containers: listOf(objectOf({})) }) });
const nodePool = objectOf({
  metadata: named,
  spec: objectOf({ template: objectOf({ spec: objectOf({ nodeClassRef: objectOf({}) }) }) }),
});

const checks: Readonly<Record<string, Check>> = {
  instanceTypes: listOf(instanceType),
  nodePools: listOf(nodePool),
  pods: listOf(pod),
};

/** What of a problem cannot be read, a sentence for each field with its value and what would be right. */
export const problemComplaints = (file: unknown, fields: readonly string[]): readonly string[] =>
  isFields(file)
    ? fields.flatMap((field) => checks[field]?.(file[field], field) ?? [])
    : told('the file', 'an object', file);
