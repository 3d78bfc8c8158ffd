import type {
  CreatePlacementGroupRequest,
  CreatePlacementGroupResult,
  DeletePlacementGroupRequest,
  DescribePlacementGroupsRequest,
  DescribePlacementGroupsResult,
  PlacementGroup as WireGroup,
} from '@aws-sdk/client-ec2';
import { arnOf } from '../account.ts';
import { dryRunWouldSucceed, invalidCombination, invalidValue, missingParameter } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import type { Ec2 } from './model.ts';
import type { PlacementGroup } from './placement-groups.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { writeEc2Tags, readTagSpecifications } from './tags.ts';

const mostPartitions = 7;

export function createPlacementGroup(ec2: Ec2, request: CreatePlacementGroupRequest): CreatePlacementGroupResult {
  const { GroupName: name, Strategy: strategy = 'cluster', PartitionCount: count, SpreadLevel: level } = request;
  if (name === undefined) throw missingParameter('GroupName');
  if (strategy === 'precision-time') throw invalidValue(`Value (${strategy}) for parameter strategy is not supported.`);
  if (count !== undefined && strategy !== 'partition')
    throw invalidCombination('The parameter PartitionCount can only be used with the partition strategy.');
  if (level !== undefined && strategy !== 'spread')
    throw invalidCombination('The parameter SpreadLevel can only be used with the spread strategy.');
  const partitionCount = count ?? 2;
  if (partitionCount < 1 || partitionCount > mostPartitions)
    throw invalidValue(
      `Value (${count}) for parameter partitionCount is invalid. It must be from 1 to ${mostPartitions}.`,
    );
  checkTagSpecifications(request.TagSpecifications, ['placement-group']);
  ec2.placementGroups.requireFree(name);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const kind = {
    ...(strategy === 'partition' && { partitionCount }),
    ...(strategy === 'spread' && { spreadLevel: level ?? ('rack' as const) }),
  };
  const tags = readTagSpecifications('placement-group', request.TagSpecifications);
  return { PlacementGroup: writePlacementGroup(ec2, ec2.placementGroups.create({ name, strategy, ...kind }, tags)) };
}

export function deletePlacementGroup(ec2: Ec2, { GroupName: name, DryRun }: DeletePlacementGroupRequest): object {
  if (name === undefined) throw missingParameter('GroupName');
  const group = ec2.placementGroups.named(name);
  ec2.placementGroups.requireEmpty(group, ec2.instances.all());
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.placementGroups.delete(group, ec2.instances.all());
  return {};
}

export function describePlacementGroups(
  ec2: Ec2,
  { GroupIds, GroupNames, Filters }: DescribePlacementGroupsRequest,
): DescribePlacementGroupsResult {
  const groups = ec2.placementGroups;
  const asked =
    GroupIds === undefined && GroupNames === undefined
      ? groups.all()
      : [...(GroupIds ?? []).map((id) => groups.get(id)), ...(GroupNames ?? []).map((name) => groups.named(name))];
  return {
    PlacementGroups: applyFilters(asked, Filters, filterablePlacementGroup(ec2)).map((each) =>
      writePlacementGroup(ec2, each),
    ),
  };
}

const filterablePlacementGroup = (ec2: Ec2): Filterable<PlacementGroup> => ({
  attributes: {
    'group-arn': (group) => arnIn(ec2, group),
    'group-name': ({ name }) => name,
    'spread-level': ({ spreadLevel }) => spreadLevel,
    state: () => 'available',
    strategy: ({ strategy }) => strategy,
  },
  tags: ({ id }) => ec2.tags.of(id),
});

const arnIn = ({ account }: Ec2, { name }: PlacementGroup): string => arnOf(account, 'ec2', `placement-group/${name}`);

const writePlacementGroup = (ec2: Ec2, group: PlacementGroup): WireGroup => ({
  GroupId: group.id,
  GroupName: group.name,
  GroupArn: arnIn(ec2, group),
  State: 'available',
  Strategy: group.strategy,
  ...(group.partitionCount !== undefined && { PartitionCount: group.partitionCount }),
  ...(group.spreadLevel !== undefined && { SpreadLevel: group.spreadLevel }),
  Tags: writeEc2Tags(ec2.tags.of(group.id)),
});
