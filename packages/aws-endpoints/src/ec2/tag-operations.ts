import type {
  CreateTagsRequest,
  DeleteTagsRequest,
  DescribeTagsRequest,
  DescribeTagsResult,
  ResourceType,
} from '@aws-sdk/client-ec2';
import { readOwn } from '@nodewright/apis';
import { takePage } from '../paging.ts';
import { dryRunWouldSucceed, ec2BadToken, missingParameter } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { checkTaggableResources, resourceTypeOfId } from './taggable-resources.ts';
import { checkEc2Tags, checkTagCount } from './tag-rules.ts';
import { readEc2Tags } from './tags.ts';

export function createTags(ec2: Ec2, { Resources: ids = [], Tags = [], DryRun }: CreateTagsRequest): object {
  if (ids.length === 0) throw missingParameter('ResourceId');
  if (Tags.length === 0) throw missingParameter('Tag');
  checkTaggableResources(ec2, ids);
  checkEc2Tags(Tags);
  const tags = readEc2Tags(Tags);
  for (const id of ids) checkTagCount({ ...ec2.tags.of(id), ...tags });
  if (DryRun === true) throw dryRunWouldSucceed();
  for (const id of ids) ec2.tags.add(id, tags);
  return {};
}

/** Deletes tags by key, or by key and value. Without a list of tags it deletes all but EC2's own. */
export function deleteTags(ec2: Ec2, { Resources: ids = [], Tags, DryRun }: DeleteTagsRequest): object {
  if (ids.length === 0) throw missingParameter('ResourceId');
  checkTaggableResources(ec2, ids);
  checkEc2Tags(Tags);
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

export function describeTags({ tags }: Ec2, request: DescribeTagsRequest): DescribeTagsResult {
  const found = applyFilters(tags.all(), request.Filters, {
    attributes: {
      'resource-id': ({ resourceId }) => resourceId,
      'resource-type': ({ resourceId }) => resourceTypeOfId(resourceId),
      key: ({ key }) => key,
      value: ({ value }) => value,
    },
    tags: ({ key, value }) => ({ [key]: value }),
  });
  const page = { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return {
    Tags: items.map(({ resourceId, key, value }) => ({
      ResourceId: resourceId,
      ResourceType: resourceTypeOfId(resourceId) as ResourceType,
      Key: key,
      Value: value,
    })),
    ...(next && { NextToken: next }),
  };
}
