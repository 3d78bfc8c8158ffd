import type {
  AddPrefixListEntry,
  CreateManagedPrefixListRequest,
  CreateManagedPrefixListResult,
  DeleteManagedPrefixListRequest,
  DeleteManagedPrefixListResult,
  ModifyManagedPrefixListRequest,
  ModifyManagedPrefixListResult,
  RestoreManagedPrefixListVersionRequest,
  RestoreManagedPrefixListVersionResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { readCidr } from './cidr.ts';
import { listPrefixListUsers, noSuchPrefixList, writeKeptList } from './describe-prefix-lists.ts';
import { dryRunWouldSucceed, invalidValue, malformedBlock, missingParameter } from './errors.ts';
import { readIpv6Block } from './ipv6-block.ts';
import type { Ec2 } from './model.ts';
import { isPrefixListChanging, type KeptPrefixList, listAwsPrefixLists, type PrefixListItem } from './prefix-lists.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';

const invalidListRequest = (message: string): AwsError => new AwsError('InvalidRequest', message);

export function createPrefixList(ec2: Ec2, request: CreateManagedPrefixListRequest): CreateManagedPrefixListResult {
  const { PrefixListName: name = '', AddressFamily: family = '', MaxEntries: maxEntries = 0 } = request;
  checkListName(name);
  if (family !== 'IPv4' && family !== 'IPv6')
    throw invalidValue(`Value (${family}) for parameter addressFamily is invalid. Valid values are: IPv4, IPv6.`);
  checkListSize(maxEntries);
  checkTagSpecifications(request.TagSpecifications, ['prefix-list']);
  const entries = addEntries([], request.Entries ?? [], family);
  checkEntryCount(entries, maxEntries);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const { ClientToken: token } = request;
  return ec2.idempotency.once({ operation: 'CreateManagedPrefixList', token, request }, () => {
    const id = `pl-0${ec2.random.hex(16)}`;
    ec2.tags.add(id, readTagSpecifications('prefix-list', request.TagSpecifications));
    const changed = { by: 'create' as const, at: ec2.clock.now() };
    return { PrefixList: keepList(ec2, { id, name, family, maxEntries, versions: [entries], changed }) };
  });
}

function checkListName(name: string): void {
  if (name.length > 255) throw invalidValue('The name of a prefix list has 255 characters at most.');
  if (name.startsWith('com.amazonaws'))
    throw invalidValue(
      `Value (${name}) for parameter prefixListName is invalid. It must not start with com.amazonaws.`,
    );
}

/** EC2 lets a list have up to a thousand entries. */
const mostListEntries = 1_000;

function checkListSize(size: number): void {
  if (size < 1 || size > mostListEntries)
    throw invalidValue(`Value (${size}) for parameter maxEntries is invalid. It must be from 1 to ${mostListEntries}.`);
}

function checkEntryCount(entries: readonly PrefixListItem[], most: number): void {
  if (entries.length > most)
    throw new AwsError(
      'PrefixListMaxEntriesExceeded',
      `The prefix list would have ${entries.length} entries, its maximum is ${most}.`,
    );
}

/** An entry of the same block is described anew. @throws AwsError for a block of the other family, or one that comes twice */
function addEntries(
  before: readonly PrefixListItem[],
  added: readonly AddPrefixListEntry[],
  family: KeptPrefixList['family'],
): readonly PrefixListItem[] {
  const blocks = added.map(({ Cidr = '' }) => Cidr);
  for (const [at, cidr] of blocks.entries()) {
    if ((family === 'IPv4' ? readCidr(cidr) : readIpv6Block(cidr)) === undefined) throw malformedBlock(cidr);
    if (blocks.indexOf(cidr) < at) throw invalidListRequest(`The request contains the CIDR block ${cidr} twice.`);
  }
  return [
    ...before.filter(({ cidr }) => !blocks.includes(cidr)),
    ...added.map(({ Cidr = '', Description }) => ({
      cidr: Cidr,
      ...(Description !== undefined && { description: Description }),
    })),
  ];
}

function keepList(ec2: Ec2, list: KeptPrefixList) {
  ec2.prefixLists.set(list.id, list);
  return writeKeptList(ec2, list);
}

/** @throws AwsError for a list that is not there, is AWS's own, or is being changed */
function findChangeableList({ account, clock, prefixLists }: Ec2, id = ''): KeptPrefixList {
  if (listAwsPrefixLists(account.region).some((list) => list.id === id))
    throw new AwsError('OperationNotPermitted', `The prefix list ${id} is owned by AWS.`);
  const found = prefixLists.get(id);
  if (found === undefined) throw noSuchPrefixList(id);
  if (isPrefixListChanging(found, clock.now()))
    throw new AwsError(
      'IncorrectState',
      `The request cannot be completed while the prefix list (${id}) is in the current state (${found.changed.by}-in-progress).`,
    );
  return found;
}

function checkListVersion({ versions }: KeptPrefixList, current: number): void {
  if (current !== versions.length)
    throw new AwsError('PrefixListVersionMismatch', 'The prefix list has the incorrect version number.');
}

export function changePrefixList(ec2: Ec2, request: ModifyManagedPrefixListRequest): ModifyManagedPrefixListResult {
  const before = findChangeableList(ec2, request.PrefixListId);
  const { AddEntries: added = [], RemoveEntries: removed = [], CurrentVersion: version } = request;
  const { PrefixListName: name = before.name, MaxEntries: maxEntries = before.maxEntries } = request;
  const changesEntries = added.length + removed.length > 0;
  checkListName(name);
  checkListSize(maxEntries);
  if (changesEntries && request.MaxEntries !== undefined)
    throw invalidListRequest('The entries and the maximum size of a prefix list cannot change at the same time.');
  if (changesEntries && version === undefined) throw missingParameter('currentVersion');
  if (version !== undefined) checkListVersion(before, version);
  const entries = changeEntries(before, { added, removed });
  checkEntryCount(entries, maxEntries);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const versions = changesEntries ? [...before.versions, entries] : before.versions;
  const changed = { by: 'modify' as const, at: ec2.clock.now() };
  return { PrefixList: keepList(ec2, { ...before, name, maxEntries, versions, changed }) };
}

type EntryChanges = {
  readonly added: readonly AddPrefixListEntry[];
  readonly removed: readonly { readonly Cidr: string | undefined }[];
};

function changeEntries({ id, family, versions }: KeptPrefixList, { added, removed }: EntryChanges) {
  const entries = versions.at(-1) ?? [];
  const gone = removed.map(({ Cidr = '' }) => Cidr);
  const unknown = gone.find((cidr) => !entries.some((entry) => entry.cidr === cidr));
  if (unknown !== undefined)
    throw invalidListRequest(`The prefix list ${id} has no entry with the CIDR block ${unknown}.`);
  return addEntries(
    entries.filter(({ cidr }) => !gone.includes(cidr)),
    added,
    family,
  );
}

export function restorePrefixListVersion(
  ec2: Ec2,
  request: RestoreManagedPrefixListVersionRequest,
): RestoreManagedPrefixListVersionResult {
  const before = findChangeableList(ec2, request.PrefixListId);
  const { PreviousVersion = 0, CurrentVersion = 0 } = request;
  checkListVersion(before, CurrentVersion);
  const restored = before.versions[PreviousVersion - 1];
  if (restored === undefined) throw invalidValue(`The prefix list ${before.id} has no version ${PreviousVersion}.`);
  checkEntryCount(restored, before.maxEntries);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const changed = { by: 'restore' as const, at: ec2.clock.now() };
  return { PrefixList: keepList(ec2, { ...before, versions: [...before.versions, restored], changed }) };
}

export function deletePrefixList(ec2: Ec2, request: DeleteManagedPrefixListRequest): DeleteManagedPrefixListResult {
  const found = findChangeableList(ec2, request.PrefixListId);
  const users = listPrefixListUsers(ec2, found.id);
  if (users.length > 0)
    throw new AwsError('DependencyViolation', `The prefix list ${found.id} is used by ${users.join(', ')}.`);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.prefixLists.delete(found.id);
  ec2.tags.forget(found.id);
  return { PrefixList: { ...writeKeptList(ec2, found), State: 'delete-in-progress' } };
}
