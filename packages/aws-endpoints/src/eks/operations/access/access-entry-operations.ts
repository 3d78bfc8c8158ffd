import type {
  AccessEntry,
  AssociateAccessPolicyRequest,
  AssociateAccessPolicyResponse,
  CreateAccessEntryRequest,
  CreateAccessEntryResponse,
  DeleteAccessEntryRequest,
  DescribeAccessEntryRequest,
  DescribeAccessEntryResponse,
  DisassociateAccessPolicyRequest,
  ListAccessEntriesRequest,
  ListAccessEntriesResponse,
  ListAccessPoliciesRequest,
  ListAccessPoliciesResponse,
  ListAssociatedAccessPoliciesRequest,
  ListAssociatedAccessPoliciesResponse,
  UpdateAccessEntryRequest,
  UpdateAccessEntryResponse,
} from '@aws-sdk/client-eks';
import { byTextOf, partitionOfRegion, toTimestamp } from '@nodewright/apis';
import { arnOf } from '../../../account.ts';
import { AwsError } from '../../../codec/aws-error.ts';
import { takePage } from '../../../paging.ts';
import type { EksCluster } from '../../clusters/cluster.ts';
import { accessEntryKey, type KeptAccessEntry, type KeptAccessPolicy } from '../../access-entry.ts';
import { accessPolicyNames } from '../../access-policies.ts';
import { inUse, invalidParameter } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import { eksPage } from '../page.ts';

const principalForm = /^arn:aws[\w-]*:iam::\d{12}:(role|user)\/.+$/;
const nodeTypes = ['EC2_LINUX', 'EC2_WINDOWS', 'FARGATE_LINUX', 'EC2', 'HYBRID_LINUX', 'HYPERPOD_LINUX'];
const entryTypes = ['STANDARD', ...nodeTypes];

/** @throws AwsError when the cluster knows its users from the ConfigMap `aws-auth` only */
function findEntryCluster(eks: Eks, { clusterName = '' }: EntryPlace): EksCluster {
  const cluster = eks.clusters.cluster(clusterName);
  if (cluster.authenticationMode !== 'CONFIG_MAP') return cluster;
  throw new AwsError(
    'InvalidRequestException',
    "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] to perform this operation.",
    { details: { clusterName } },
  );
}

export function createAccessEntry(eks: Eks, request: CreateAccessEntryRequest): CreateAccessEntryResponse {
  const { principalArn = '', type = 'STANDARD', kubernetesGroups: groups = [], tags = {} } = request;
  const { name: clusterName } = findEntryCluster(eks, request);
  const place = { clusterName };
  if (!principalForm.test(principalArn))
    throw invalidParameter(place, 'The specified principalArn is invalid: invalid principal.');
  if (!entryTypes.includes(type))
    throw invalidParameter(place, `The specified type is invalid: ${type}. Valid types are ${entryTypes.join(', ')}.`);
  if (type !== 'STANDARD' && groups.length > 0)
    throw invalidParameter(place, `The kubernetesGroups parameter is not supported for entries of the type ${type}.`);
  checkAccessGroups(groups, clusterName);
  if (eks.accessEntries.has(accessEntryKey(clusterName, principalArn)))
    throw inUse(place, 'The specified access entry resource is already in use on this cluster.');
  const now = toTimestamp(eks.clusters.now());
  const username = request.username ?? usernameOf(principalArn, type);
  const times = { createdAt: now, modifiedAt: now };
  return {
    accessEntry: keepEntry(eks, { clusterName, principalArn, groups, username, type, tags, ...times, policies: [] }),
  };
}

function checkAccessGroups(groups: readonly string[], clusterName: string): void {
  const reserved = groups.find((group) => /^(system:|eks:|aws:|amazon:|iam:)/.test(group));
  if (reserved !== undefined)
    throw invalidParameter(
      { clusterName },
      `The kubernetes group name ${reserved} is invalid, it cannot start with ${reserved.split(':')[0]}:`,
    );
}

const usernameOf = (principalArn: string, type: string): string => {
  if (type !== 'STANDARD') return 'system:node:{{EC2PrivateDNSName}}';
  return principalArn.includes(':role/')
    ? `${principalArn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/{{SessionName}}`
    : principalArn;
};

function keepEntry(eks: Eks, entry: KeptAccessEntry): AccessEntry {
  eks.accessEntries.set(accessEntryKey(entry.clusterName, entry.principalArn), entry);
  return writeEntry(eks, entry);
}

const writeEntry = ({ account }: Eks, entry: KeptAccessEntry): AccessEntry => ({
  clusterName: entry.clusterName,
  principalArn: entry.principalArn,
  kubernetesGroups: [...entry.groups],
  accessEntryArn: arnOf(
    account,
    'eks',
    `access-entry/${entry.clusterName}/${entry.principalArn.split(':').slice(4).join('/')}`,
  ),
  createdAt: new Date(entry.createdAt),
  modifiedAt: new Date(entry.modifiedAt),
  tags: { ...entry.tags },
  username: entry.username,
  type: entry.type,
});

type EntryPlace = { readonly clusterName?: string | undefined; readonly principalArn?: string | undefined };

function findEntry(eks: Eks, { clusterName = '', principalArn = '' }: EntryPlace): KeptAccessEntry {
  const { name } = findEntryCluster(eks, { clusterName });
  const found = eks.accessEntries.get(accessEntryKey(name, principalArn));
  if (found !== undefined) return found;
  throw new AwsError(
    'ResourceNotFoundException',
    `The specified principalArn could not be found. You should specify a valid principalArn: ${principalArn}`,
    { status: 404, details: { clusterName: name } },
  );
}

export const describeAccessEntry = (eks: Eks, request: DescribeAccessEntryRequest): DescribeAccessEntryResponse => ({
  accessEntry: writeEntry(eks, findEntry(eks, request)),
});

export function listAccessEntries(eks: Eks, request: ListAccessEntriesRequest): ListAccessEntriesResponse {
  const { name } = findEntryCluster(eks, request);
  const { associatedPolicyArn: policy } = request;
  const found = [...eks.accessEntries.values()]
    .filter(({ clusterName }) => clusterName === name)
    .filter(({ policies }) => policy === undefined || policies.some(({ policyArn }) => policyArn === policy))
    .map(({ principalArn }) => principalArn)
    .toSorted(byTextOf((arn) => arn));
  const { items, next } = takePage(found, eksPage(request));
  return { accessEntries: [...items], ...(next && { nextToken: next }) };
}

export function updateAccessEntry(eks: Eks, request: UpdateAccessEntryRequest): UpdateAccessEntryResponse {
  const entry = findEntry(eks, request);
  const { kubernetesGroups: groups = entry.groups, username = entry.username } = request;
  checkAccessGroups(groups, entry.clusterName);
  return { accessEntry: keepEntry(eks, { ...entry, groups, username, modifiedAt: toTimestamp(eks.clusters.now()) }) };
}

export function deleteAccessEntry(eks: Eks, request: DeleteAccessEntryRequest): object {
  const { clusterName, principalArn } = findEntry(eks, request);
  eks.accessEntries.delete(accessEntryKey(clusterName, principalArn));
  return {};
}

const policyArns = ({ account }: Eks): readonly { readonly name: string; readonly arn: string }[] => {
  const partition = partitionOfRegion(account.region).name;
  return accessPolicyNames.map((name) => ({ name, arn: `arn:${partition}:eks::aws:cluster-access-policy/${name}` }));
};

export function listAccessPolicies(eks: Eks, request: ListAccessPoliciesRequest): ListAccessPoliciesResponse {
  const { items, next } = takePage(policyArns(eks), eksPage(request));
  return { accessPolicies: [...items], ...(next && { nextToken: next }) };
}

export function associateAccessPolicy(eks: Eks, request: AssociateAccessPolicyRequest): AssociateAccessPolicyResponse {
  const entry = findEntry(eks, request);
  const { clusterName, principalArn } = entry;
  const { policyArn = '', accessScope: scope = { type: 'cluster' } } = request;
  if (!policyArns(eks).some(({ arn }) => arn === policyArn))
    throw invalidParameter({ clusterName }, 'The specified policyArn is invalid: invalid policy.');
  if (entry.type !== 'STANDARD')
    throw invalidParameter({ clusterName }, `Policies cannot be associated with entries of the type ${entry.type}.`);
  if (scope.type === 'namespace' && (scope.namespaces ?? []).length === 0)
    throw invalidParameter({ clusterName }, 'The access scope namespace needs namespaces.');
  const now = toTimestamp(eks.clusters.now());
  const before = entry.policies.find((each) => each.policyArn === policyArn);
  const policy = { policyArn, scope, associatedAt: before?.associatedAt ?? now, modifiedAt: now };
  const others = entry.policies.filter((each) => each.policyArn !== policyArn);
  keepEntry(eks, { ...entry, policies: [...others, policy] });
  return { clusterName, principalArn, associatedAccessPolicy: writeAssociated(policy) };
}

export function disassociateAccessPolicy(eks: Eks, request: DisassociateAccessPolicyRequest): object {
  const entry = findEntry(eks, request);
  const policies = entry.policies.filter(({ policyArn }) => policyArn !== request.policyArn);
  if (policies.length === entry.policies.length)
    throw new AwsError('ResourceNotFoundException', `The policy ${request.policyArn} is not associated.`, {
      status: 404,
    });
  keepEntry(eks, { ...entry, policies });
  return {};
}

export function listAssociatedPolicies(
  eks: Eks,
  request: ListAssociatedAccessPoliciesRequest,
): ListAssociatedAccessPoliciesResponse {
  const { clusterName, principalArn, policies } = findEntry(eks, request);
  const { items, next } = takePage(policies.map(writeAssociated), eksPage(request));
  return { clusterName, principalArn, associatedAccessPolicies: [...items], ...(next && { nextToken: next }) };
}

const writeAssociated = ({ policyArn, scope, associatedAt, modifiedAt }: KeptAccessPolicy) => ({
  policyArn,
  accessScope: scope,
  associatedAt: new Date(associatedAt),
  modifiedAt: new Date(modifiedAt),
});
