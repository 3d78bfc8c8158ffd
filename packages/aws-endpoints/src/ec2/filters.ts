import { readOwn } from '@nodewright/apis';
import { invalidValue, filterLimitError } from './errors.ts';
import type { TagSet } from './tags.ts';
import { matchesWildcards, parseWildcards } from './wildcards.ts';

export type Filter = { readonly Name?: string | undefined; readonly Values?: readonly string[] | undefined };

/** What one filter looks at: one value, several, or none. */
type FilterValues = string | readonly string[] | undefined;

/** How a kind of resource answers filters. */
export type Filterable<T> = {
  readonly attributes: Readonly<Record<string, (resource: T) => FilterValues>>;
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
  const count = (filters ?? []).reduce((sum, { Values: values = [] }) => sum + values.length, 0);
  if (count > mostFilterValues) throw filterLimitError(mostFilterValues);
  const tests = (filters ?? []).map((filter) => testOf(filter, filterable));
  return resources.filter((resource) => tests.every((passes) => passes(resource)));
}

function testOf<T>(
  { Name: name = '', Values: values = [] }: Filter,
  filterable: Filterable<T>,
): (resource: T) => boolean {
  const read = chooseAttributeReader(name, filterable);
  const patterns = values.map(parseWildcards);
  return (resource) =>
    asList(read(resource)).some((value) => patterns.some((pattern) => matchesWildcards(pattern, value)));
}

function chooseAttributeReader<T>(name: string, { attributes, tags }: Filterable<T>): (resource: T) => FilterValues {
  const attribute = readOwn(attributes, name);
  if (attribute !== undefined) return attribute;
  if (tags !== undefined && name === 'tag-key') return (resource) => Object.keys(tags(resource));
  if (tags !== undefined && name.startsWith('tag:'))
    return (resource) => readOwn(tags(resource), name.slice('tag:'.length));
  throw invalidValue(`The filter '${name}' is invalid`);
}

const asList = (values: FilterValues): readonly string[] =>
  values === undefined ? [] : typeof values === 'string' ? [values] : values;
