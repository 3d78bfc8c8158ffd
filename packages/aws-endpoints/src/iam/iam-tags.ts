import type { Tag } from '@aws-sdk/client-iam';
import { byTextOf } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';

/** @throws AwsError for two keys that differ in their case at most */
export function readIamTags(tags: readonly Tag[] = []): Readonly<Record<string, string>> {
  if (new Set(tags.map(({ Key = '' }) => Key.toLowerCase())).size < tags.length)
    throw new AwsError('InvalidInput', 'Duplicate tag keys found. Please note that Tag keys are case insensitive.');
  return Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));
}

/** In the order of their keys. */
export const writeIamTags = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags)
    .toSorted(byTextOf(([key]) => key))
    .map(([Key, Value]) => ({ Key, Value }));
