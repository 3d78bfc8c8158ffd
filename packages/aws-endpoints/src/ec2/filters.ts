import { readOwn } from '@nodewright/apis';
import { invalidValue, filterLimitError } from './errors.ts';
import { type RecordPaths, readRecordPath } from './record-paths.ts';
import type { TagSet } from './tags.ts';
import { matchesWildcards, parseWildcards } from './wildcards.ts';

export type Filter = { readonly Name?: string | undefined; readonly Values?: readonly string[] | undefined };

/** What one filter looks at: one value, several, or none. */
type FilterValues = string | readonly string[] | undefined;

/** How a kind of resource answers filters. */
export type Filterable<T> = {
  /** Filters that read the model: those of large lists, and those whose value no record has. */
  readonly attributes: Readonly<Record<string, (resource: T) => FilterValues>>;
  /** Filters that read the record which the operation answers with. */
  readonly records?: { readonly write: (resource: T) => object; readonly paths: RecordPaths };
  readonly tags?: (resource: T) => TagSet;
};

/** EC2's limit of values in all filters of one call. */
const mostFilterValues = 200;

/**
 * The resources that every filter admits; within a filter one value is enough. Values may hold
 * `*` and `?`.
 * @throws AwsError `InvalidParameterValue` for a filter the operation does not know, `FilterLimitExceeded`
 */
export function applyFilters<T>(
  resources: readonly T[],
  filters: readonly Filter[] | undefined,
  filterable: Filterable<T>,
): readonly T[] {
  if (filters === undefined || filters.length === 0) return resources;
  const count = filters.reduce((sum, { Values: values = [] }) => sum + values.length, 0);
  if (count > mostFilterValues) throw filterLimitError(mostFilterValues);
  const tests = filters.map((filter) => testOf(filter, filterable));
  return resources.filter((resource) => tests.every((passes) => passes(resource)));
}

function testOf<T>(
  { Name: name = '', Values: values = [] }: Filter,
  filterable: Filterable<T>,
): (resource: T) => boolean {
  const read = chooseAttributeReader(name, filterable);
  const matches = compileFilterValues(values);
  return (resource) => {
    const found = read(resource);
    if (found === undefined) return false;
    return typeof found === 'string' ? matches(found) : found.some(matches);
  };
}

/** Values without wildcards are compared as they are. */
function compileFilterValues(values: readonly string[]): (text: string) => boolean {
  const exact = new Set(values.filter((value) => !/[*?\\]/.test(value)));
  const patterns = values.filter((value) => !exact.has(value)).map(parseWildcards);
  return (text) => exact.has(text) || patterns.some((pattern) => matchesWildcards(pattern, text));
}

function chooseAttributeReader<T>(name: string, { attributes, records, tags }: Filterable<T>) {
  const attribute = readOwn(attributes, name);
  if (attribute !== undefined) return attribute;
  const path = records?.paths.get(name);
  if (records !== undefined && path !== undefined)
    return (resource: T): FilterValues => readRecordPath(records.write(resource), path);
  const tag = tags && chooseTagReader(name, tags);
  if (tag === undefined) throw invalidValue(`The filter '${name}' is invalid`);
  return tag;
}

function chooseTagReader<T>(name: string, tags: (resource: T) => TagSet) {
  if (name === 'tag-key') return (resource: T): FilterValues => Object.keys(tags(resource));
  if (name === 'tag-value') return (resource: T): FilterValues => Object.values(tags(resource));
  if (!name.startsWith('tag:')) return undefined;
  const key = name.slice('tag:'.length);
  return (resource: T): FilterValues => readOwn(tags(resource), key);
}
