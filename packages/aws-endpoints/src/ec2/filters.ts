import { readOwn } from '@nodewright/apis';
import { invalidValue } from './errors.ts';
import type { TagSet } from './tags.ts';

export type Filter = { readonly Name?: string | undefined; readonly Values?: readonly string[] | undefined };

/** What one filter looks at: one value, several, or none. */
type Values = string | readonly string[] | undefined;

/** How a kind of resource answers filters. */
export type Filterable<T> = {
  readonly attributes: Readonly<Record<string, (resource: T) => Values>>;
  readonly tags?: (resource: T) => TagSet;
};

/**
 * The resources that every filter admits; within a filter one value is enough. Values may hold
 * `*` and `?`.
 * @throws AwsError `InvalidParameterValue` for a filter the operation does not know
 */
export function filtered<T>(
  resources: readonly T[],
  filters: readonly Filter[] | undefined,
  filterable: Filterable<T>,
): readonly T[] {
  const tests = (filters ?? []).map((filter) => testOf(filter, filterable));
  return resources.filter((resource) => tests.every((passes) => passes(resource)));
}

function testOf<T>(
  { Name: name = '', Values: values = [] }: Filter,
  filterable: Filterable<T>,
): (resource: T) => boolean {
  const read = readerOf(name, filterable);
  const patterns = values.map(patternOf);
  return (resource) => asList(read(resource)).some((value) => patterns.some((pattern) => pattern.test(value)));
}

function readerOf<T>(name: string, { attributes, tags }: Filterable<T>): (resource: T) => Values {
  const attribute = readOwn(attributes, name);
  if (attribute !== undefined) return attribute;
  if (tags !== undefined && name === 'tag-key') return (resource) => Object.keys(tags(resource));
  if (tags !== undefined && name.startsWith('tag:'))
    return (resource) => readOwn(tags(resource), name.slice('tag:'.length));
  throw invalidValue(`The filter '${name}' is invalid`);
}

const asList = (values: Values): readonly string[] =>
  values === undefined ? [] : typeof values === 'string' ? [values] : values;

/** `*` and `?` are wildcards, a backslash takes their meaning away. */
function patternOf(text: string): RegExp {
  const pattern = text.replace(/\\[*?\\]|[*?]|[.+^${}()|[\]\\]/g, (mark) => {
    if (mark === '*') return '.*';
    if (mark === '?') return '.';
    return mark.length === 2 ? mark : `\\${mark}`;
  });
  return new RegExp(`^${pattern}$`, 's');
}
