import type { Tag } from '@aws-sdk/client-iam';
import { byTextOf } from '@nodewright/apis';

export const readIamTags = (tags: readonly Tag[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));

/** In the order of their keys. */
export const writeIamTags = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags)
    .toSorted(byTextOf(([key]) => key))
    .map(([Key, Value]) => ({ Key, Value }));
