import { byTextOf } from '@nodewright/apis';
import type {
  CreateOrUpdateTagsType,
  DeleteTagsType,
  DescribeTagsType,
  Tag,
  TagsType,
} from '@aws-sdk/client-auto-scaling';
import { readOwn } from '@nodewright/apis';
import { takePage } from '../../paging.ts';
import { autoScalingBadToken } from '../errors.ts';
import type { GroupTag } from '../group/group.ts';
import { tagOnTheWire } from '../wire/group.ts';
import type { AutoScalingService } from '../model.ts';

export function createOrUpdateTags({ autoScaling }: AutoScalingService, request: CreateOrUpdateTagsType): object {
  for (const tag of request.Tags ?? [])
    changeTags(autoScaling, tag, (tags) => [...withoutGroupTag(tags, tag), tagOf(tag)]);
  return {};
}

export function deleteGroupTags({ autoScaling }: AutoScalingService, request: DeleteTagsType): object {
  for (const tag of request.Tags ?? []) changeTags(autoScaling, tag, (tags) => withoutGroupTag(tags, tag));
  return {};
}

export function describeGroupTags({ autoScaling }: AutoScalingService, request: DescribeTagsType): TagsType {
  const all = autoScaling.all().flatMap(({ name, tags }) => tags.map((tag) => tagOnTheWire(name, tag)));
  const fields = { 'auto-scaling-group': 'ResourceId', key: 'Key', value: 'Value' } as const;
  const found = all.filter((tag) =>
    (request.Filters ?? []).every(({ Name, Values = [] }) =>
      Values.includes(String(tag[readOwn(fields, Name ?? '') ?? 'Key'])),
    ),
  );
  const page = { size: request.MaxRecords ?? 50, token: request.NextToken, refuse: autoScalingBadToken };
  const { items, next } = takePage(found, page);
  return { Tags: [...items], ...(next && { NextToken: next }) };
}

type TaggedGroups = AutoScalingService['autoScaling'];

function changeTags(
  groups: TaggedGroups,
  { ResourceId = '' }: Tag,
  change: (tags: readonly GroupTag[]) => readonly GroupTag[],
) {
  const { name, tags } = groups.group(ResourceId);
  groups.change(name, { tags: change(tags).toSorted(byTextOf(({ key }) => key)) });
}

const withoutGroupTag = (tags: readonly GroupTag[], { Key }: Tag): readonly GroupTag[] =>
  tags.filter(({ key }) => key !== Key);

const tagOf = ({ Key = '', Value = '', PropagateAtLaunch }: Tag): GroupTag => ({
  key: Key,
  value: Value,
  atLaunch: PropagateAtLaunch ?? true,
});
