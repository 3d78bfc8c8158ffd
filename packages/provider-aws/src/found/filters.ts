import type { Filter } from '@aws-sdk/client-ec2';
import { byTextOf } from '@nodewright/apis';

/** Filters for tags; the value `*` asks only that the tag is there. */
export const tagFilters = (tags: Readonly<Record<string, string>> = {}): Filter[] =>
  Object.entries(tags)
    .toSorted(byTextOf(([key]) => key))
    .map(([key, value]) =>
      value === '*' ? { Name: 'tag-key', Values: [key] } : { Name: `tag:${key}`, Values: [value] },
    );

type TagTerm = {
  readonly id?: string;
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
};

/**
 * The queries that selector terms come down to: all ids in one, all names in one, and one for each term
 * of tags. In a term that mixes them, id wins over name, and name over tags.
 */
export function queriesOf(
  terms: readonly TagTerm[],
  filterNames: { readonly id: string; readonly name?: string },
): readonly Filter[][] {
  const ids = terms.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const byName = filterNames.name;
  const names =
    byName === undefined ? [] : terms.flatMap(({ id, name }) => (id !== undefined || name === undefined ? [] : [name]));
  const byTags = terms.filter(
    ({ id, name, tags }) => id === undefined && (byName === undefined || name === undefined) && tags !== undefined,
  );
  return [
    ...(ids.length === 0 ? [] : [[{ Name: filterNames.id, Values: ids }]]),
    ...(names.length === 0 || byName === undefined ? [] : [[{ Name: byName, Values: names }]]),
    ...byTags.map(({ tags }) => tagFilters(tags)),
  ];
}
