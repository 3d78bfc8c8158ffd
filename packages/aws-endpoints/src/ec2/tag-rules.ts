import { AwsError } from '../codec/aws-error.ts';
import { invalidValue } from './errors.ts';
import type { TagSet } from './tags.ts';

const longestTagKey = 127;
const longestTagValue = 255;
const mostTagsPerResource = 50;

type RequestedTag = { readonly Key?: string | undefined; readonly Value?: string | undefined };
type RequestedTagSpecification = {
  readonly ResourceType?: string | undefined;
  readonly Tags?: readonly RequestedTag[] | undefined;
};

/** Checks the tags of a request. @throws AwsError for a key of EC2's own, one that comes twice, or a text that is too long */
export function checkEc2Tags(tags: readonly RequestedTag[] = []): void {
  const keys = new Set<string>();
  for (const { Key: key = '', Value: value = '' } of tags) {
    if (key.startsWith('aws:'))
      throw invalidValue(`Tag keys starting with 'aws:' are reserved for internal use: ${key}`);
    if (key === '') throw invalidValue('Tag key cannot be empty.');
    if (key.length > longestTagKey)
      throw invalidValue(`Tag key exceeds the maximum length of ${longestTagKey} characters.`);
    if (value.length > longestTagValue)
      throw invalidValue(`Tag value exceeds the maximum length of ${longestTagValue} characters.`);
    if (keys.has(key)) throw invalidValue(`Duplicate tag key '${key}' specified.`);
    keys.add(key);
  }
}

/**
 * Checks the tag specifications of a request that creates resources.
 * @throws AwsError for a type of resource that the operation does not create, or tags that EC2 refuses
 */
export function checkTagSpecifications(
  specifications: readonly RequestedTagSpecification[] | undefined,
  creates: readonly string[],
): void {
  for (const { ResourceType: type = '', Tags } of specifications ?? []) {
    if (!creates.includes(type))
      throw invalidValue(`'${type}' is not a valid taggable resource type for this operation.`);
    checkEc2Tags(Tags);
    checkTagCount(Object.fromEntries((Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value])));
  }
}

/** Checks how many tags a resource would have. EC2's own tags do not count. @throws AwsError `TagLimitExceeded` */
export function checkTagCount(tags: TagSet): void {
  const count = Object.keys(tags).filter((key) => !key.startsWith('aws:')).length;
  if (count <= mostTagsPerResource) return;
  throw new AwsError(
    'TagLimitExceeded',
    `More than ${mostTagsPerResource} tags are not allowed on a resource: the request makes it ${count}.`,
  );
}
