import type {
  DescribeManagedPrefixListsRequest,
  DescribeManagedPrefixListsResult,
  DescribePrefixListsRequest,
  DescribePrefixListsResult,
  GetManagedPrefixListAssociationsRequest,
  GetManagedPrefixListAssociationsResult,
  GetManagedPrefixListEntriesRequest,
  GetManagedPrefixListEntriesResult,
  ManagedPrefixList,
  PrefixList,
} from '@aws-sdk/client-ec2';
import { partitionOfRegion } from '@nodewright/apis';
import { arnOf } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken, invalidValue } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import {
  isPrefixListChanging,
  type KeptPrefixList,
  listAwsPrefixLists,
  type PrefixListItem,
  type AwsPrefixList,
} from './prefix-lists.ts';
import { readRouting } from './read-routing.ts';
import { parseRecordPaths } from './record-paths.ts';
import { listGroupRules } from './security-group-rules.ts';
import { writeEc2Tags } from './tags.ts';

export const noSuchPrefixList = (id: string): AwsError =>
  new AwsError('InvalidPrefixListID.NotFound', `The prefix list ID '${id}' does not exist`);

/** Whether a list of AWS or of the account has the id. */
export const isPrefixList = ({ account, prefixLists }: Ec2, id: string): boolean =>
  prefixLists.has(id) || listAwsPrefixLists(account.region).some((list) => list.id === id);

/** Lists the services that routes lead to, and their addresses. */
export function describePrefixLists(ec2: Ec2, request: DescribePrefixListsRequest): DescribePrefixListsResult {
  const { PrefixListIds: ids = [] } = request;
  const all = listAwsPrefixLists(ec2.account.region).filter(({ isGateway }) => isGateway);
  const missing = ids.find((id) => !all.some((list) => list.id === id));
  if (missing !== undefined) throw noSuchPrefixList(missing);
  const asked = all.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters<PrefixList>(
    asked.map(({ id, name, cidrs }) => ({ PrefixListId: id, PrefixListName: name, Cidrs: [...cidrs] })),
    request.Filters,
    { records: { write: (list) => list, paths: listPaths }, attributes: {} },
  );
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { PrefixLists: [...items], ...(next && { NextToken: next }) };
}

const listPaths = parseRecordPaths(`
  prefix-list-id PrefixListId
  prefix-list-name PrefixListName
`);

const managedPaths = new Map([...listPaths, ...parseRecordPaths('owner-id OwnerId')]);

/** Lists the prefix lists of AWS and those of the account. */
export function describeManagedPrefixLists(
  ec2: Ec2,
  request: DescribeManagedPrefixListsRequest,
): DescribeManagedPrefixListsResult {
  const { PrefixListIds: ids = [] } = request;
  const all = [
    ...listAwsPrefixLists(ec2.account.region).map((list) => writePublicList(ec2, list)),
    ...[...ec2.prefixLists.values()].map((list) => writeKeptList(ec2, list)),
  ];
  const missing = ids.find((id) => !all.some(({ PrefixListId }) => PrefixListId === id));
  if (missing !== undefined) throw noSuchPrefixList(missing);
  const asked = all.filter(({ PrefixListId = '' }) => ids.length === 0 || ids.includes(PrefixListId));
  const found = applyFilters<ManagedPrefixList>(asked, request.Filters, {
    records: { write: (list) => list, paths: managedPaths },
    attributes: {},
    tags: ({ PrefixListId = '' }) => ec2.tags.of(PrefixListId),
  });
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { PrefixLists: [...items], ...(next && { NextToken: next }) };
}

const writePublicList = ({ account: { region } }: Ec2, { id, name }: AwsPrefixList): ManagedPrefixList => ({
  PrefixListId: id,
  AddressFamily: 'IPv4',
  State: 'create-complete',
  PrefixListArn: `arn:${partitionOfRegion(region).name}:ec2:${region}:aws:prefix-list/${id}`,
  PrefixListName: name,
  Tags: [],
  OwnerId: 'AWS',
});

export const writeKeptList = ({ account, clock, tags }: Ec2, list: KeptPrefixList): ManagedPrefixList => ({
  PrefixListId: list.id,
  AddressFamily: list.family,
  State: `${list.changed.by}-${isPrefixListChanging(list, clock.now()) ? 'in-progress' : 'complete'}`,
  PrefixListArn: arnOf(account, 'ec2', `prefix-list/${list.id}`),
  PrefixListName: list.name,
  MaxEntries: list.maxEntries,
  Version: list.versions.length,
  Tags: writeEc2Tags(tags.of(list.id)),
  OwnerId: account.id,
});

export function getPrefixListEntries(
  ec2: Ec2,
  request: GetManagedPrefixListEntriesRequest,
): GetManagedPrefixListEntriesResult {
  const { PrefixListId: id = '', TargetVersion: version } = request;
  const entries = readEntries(ec2, id, version).map(({ cidr, description }) => ({
    Cidr: cidr,
    ...(description !== undefined && { Description: description }),
  }));
  const { items, next } = takePage(entries, {
    size: request.MaxResults,
    token: request.NextToken,
    refuse: ec2BadToken,
  });
  return { Entries: [...items], ...(next && { NextToken: next }) };
}

function readEntries({ account, prefixLists }: Ec2, id: string, version?: number): readonly PrefixListItem[] {
  const ofAws = listAwsPrefixLists(account.region).find((list) => list.id === id);
  if (ofAws !== undefined) return ofAws.cidrs.map((cidr) => ({ cidr }));
  const kept = prefixLists.get(id);
  if (kept === undefined) throw noSuchPrefixList(id);
  const entries = kept.versions[(version ?? kept.versions.length) - 1];
  if (entries === undefined) throw invalidValue(`The prefix list ${id} has no version ${version}.`);
  return entries;
}

/** Lists the security groups and route tables that refer to a list. */
export function getPrefixListUsers(
  ec2: Ec2,
  request: GetManagedPrefixListAssociationsRequest,
): GetManagedPrefixListAssociationsResult {
  const { PrefixListId: id = '' } = request;
  if (!isPrefixList(ec2, id)) throw noSuchPrefixList(id);
  const associations = listPrefixListUsers(ec2, id).map((ResourceId) => ({
    ResourceId,
    ResourceOwner: ec2.account.id,
  }));
  const { items, next } = takePage(associations, {
    size: request.MaxResults,
    token: request.NextToken,
    refuse: ec2BadToken,
  });
  return { PrefixListAssociations: [...items], ...(next && { NextToken: next }) };
}

/** The ids of what refers to a list by a rule or a route. */
export const listPrefixListUsers = ({ network }: Ec2, id: string): readonly string[] => [
  ...network.securityGroups
    .filter((group) => listGroupRules(group).some(({ peer }) => peer.kind === 'prefix-list' && peer.value === id))
    .map((group) => group.id),
  ...readRouting(network)
    .tables.filter(({ routes }) => routes.some(({ destination }) => destination === id))
    .map((table) => table.id),
];
