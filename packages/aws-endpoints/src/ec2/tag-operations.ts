import type {
  CreateTagsRequest,
  DeleteTagsRequest,
  DescribeTagsRequest,
  DescribeTagsResult,
  ResourceType,
} from '@aws-sdk/client-ec2';
import { readOwn } from '@nodewright/apis';
import { pageOf } from '../paging.ts';
import { badNextToken, dryRunWouldSucceed, invalidValue, noSuchInstances } from './errors.ts';
import { filtered } from './filters.ts';
import type { Ec2 } from './model.ts';
import { tagSet } from './tags.ts';

export function createTags(ec2: Ec2, { Resources: ids = [], Tags, DryRun }: CreateTagsRequest): object {
  checkResources(ec2, ids);
  const tags = tagSet(Tags);
  const reserved = Object.keys(tags).find((key) => key.startsWith('aws:'));
  if (reserved !== undefined) {
    throw invalidValue(`Tag keys starting with 'aws:' are reserved for internal use: ${reserved}`);
  }
  if (DryRun === true) throw dryRunWouldSucceed();
  for (const id of ids) ec2.tags.add(id, tags);
  return {};
}

/** Without tags to delete, all that are not EC2's own go. A value, where one is given, must be the tag's. */
export function deleteTags(ec2: Ec2, { Resources: ids = [], Tags, DryRun }: DeleteTagsRequest): object {
  checkResources(ec2, ids);
  if (DryRun === true) throw dryRunWouldSucceed();
  for (const id of ids) {
    const current = ec2.tags.of(id);
    const asked = Tags ?? Object.keys(current).map((Key) => ({ Key, Value: undefined }));
    const going = asked.filter(({ Key = '', Value }) => Value === undefined || readOwn(current, Key) === Value);
    ec2.tags.remove(
      id,
      going.map(({ Key = '' }) => Key).filter((key) => !key.startsWith('aws:')),
    );
  }
  return {};
}

function checkResources({ instances }: Ec2, ids: readonly string[]): void {
  const missing = ids.filter((id) => id.startsWith('i-') && instances.get(id) === undefined);
  if (missing.length > 0) throw noSuchInstances(missing);
}

export function describeTags({ tags }: Ec2, request: DescribeTagsRequest): DescribeTagsResult {
  const found = filtered(tags.all(), request.Filters, {
    attributes: {
      'resource-id': ({ resourceId }) => resourceId,
      'resource-type': ({ resourceId }) => resourceTypeOf(resourceId),
      key: ({ key }) => key,
      value: ({ value }) => value,
    },
  });
  const page = { size: request.MaxResults, token: request.NextToken, refuse: badNextToken };
  const { items, next } = pageOf(found, page);
  return {
    Tags: items.map(({ resourceId, key, value }) => ({
      ResourceId: resourceId,
      ResourceType: resourceTypeOf(resourceId) as ResourceType,
      Key: key,
      Value: value,
    })),
    ...(next && { NextToken: next }),
  };
}

const resourceTypes: Readonly<Record<string, string>> = {
  ami: 'image',
  cr: 'capacity-reservation',
  fleet: 'fleet',
  i: 'instance',
  lt: 'launch-template',
  sg: 'security-group',
  subnet: 'subnet',
  vol: 'volume',
  vpc: 'vpc',
};

const resourceTypeOf = (id: string): string => readOwn(resourceTypes, id.split('-', 1).join('')) ?? 'unknown';
