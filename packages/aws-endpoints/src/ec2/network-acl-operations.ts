import type {
  CreateNetworkAclEntryRequest,
  CreateNetworkAclRequest,
  CreateNetworkAclResult,
  DeleteNetworkAclEntryRequest,
  DeleteNetworkAclRequest,
  DescribeNetworkAclsRequest,
  DescribeNetworkAclsResult,
  NetworkAcl,
  NetworkAclEntry,
  ReplaceNetworkAclAssociationRequest,
  ReplaceNetworkAclAssociationResult,
  ReplaceNetworkAclEntryRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { createNotFoundError } from './change-routing.ts';
import { readCidr } from './cidr.ts';
import {
  dependencyViolation,
  dryRunWouldSucceed,
  ec2BadToken,
  invalidCombination,
  invalidValue,
  missingParameter,
} from './errors.ts';
import { applyFilters } from './filters.ts';
import { getVpc } from './get-vpc.ts';
import type { Ec2 } from './model.ts';
import type { KeptNetworkAcl, NetworkAclRule } from './network-acl.ts';
import { aclAssociationId, isDefaultAcl, lastRules, listNetworkAcls, listSubnetsOfAcl } from './network-acls.ts';
import { parseRecordPaths } from './record-paths.ts';
import { putById } from './routing.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';
import { isIpv6Text } from './vpc-blocks.ts';
import { findVpc } from './vpcs.ts';

/** EC2's quotas: of ACLs in a VPC, and of rules for one direction. */
const mostAcls = 200;
const mostRules = 20;
/** Rules for all addresses at the end have the numbers after it. */
const highestNumber = 32_766;

const aclPaths = parseRecordPaths(`
  association.association-id Associations.NetworkAclAssociationId
  association.network-acl-id Associations.NetworkAclId
  association.subnet-id Associations.SubnetId
  default IsDefault
  entry.cidr Entries.CidrBlock
  entry.egress Entries.Egress
  entry.icmp.code Entries.IcmpTypeCode.Code
  entry.icmp.type Entries.IcmpTypeCode.Type
  entry.ipv6-cidr Entries.Ipv6CidrBlock
  entry.port-range.from Entries.PortRange.From
  entry.port-range.to Entries.PortRange.To
  entry.protocol Entries.Protocol
  entry.rule-action Entries.RuleAction
  entry.rule-number Entries.RuleNumber
  network-acl-id NetworkAclId
  owner-id OwnerId
  vpc-id VpcId
`);

export const noSuchNetworkAcl = (id: string): AwsError =>
  createNotFoundError('InvalidNetworkAclID.NotFound', 'networkAcl ID', id);

export function describeNetworkAcls(ec2: Ec2, request: DescribeNetworkAclsRequest): DescribeNetworkAclsResult {
  const { NetworkAclIds: ids = [] } = request;
  const all = listNetworkAcls(ec2.network);
  const missing = ids.find((id) => !all.some((acl) => acl.id === id));
  if (missing !== undefined) throw noSuchNetworkAcl(missing);
  const asked = all.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (acl) => writeAcl(ec2, acl), paths: aclPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const page = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return {
    NetworkAcls: page.items.map((acl) => writeAcl(ec2, acl)),
    ...(page.next !== undefined && { NextToken: page.next }),
  };
}

const writeAcl = (ec2: Ec2, acl: KeptNetworkAcl): NetworkAcl => ({
  NetworkAclId: acl.id,
  VpcId: acl.vpcId,
  OwnerId: ec2.account.id,
  IsDefault: isDefaultAcl(acl),
  Associations: listSubnetsOfAcl(ec2.network, acl).map(({ id }) => ({
    NetworkAclAssociationId: aclAssociationId(acl.id, id),
    NetworkAclId: acl.id,
    SubnetId: id,
  })),
  Entries: [...acl.rules.toSorted(byPlace), ...lastRules(findVpc(ec2.network, acl.vpcId))].map(writeRule),
  Tags: writeEc2Tags(ec2.tags.of(acl.id)),
});

/** EC2 lists what leaves first, then what comes in. */
const byPlace = (a: NetworkAclRule, b: NetworkAclRule): number =>
  Number(b.egress) - Number(a.egress) || a.number - b.number;

const writeRule = ({ number, egress, protocol, action, block, ports, icmp }: NetworkAclRule): NetworkAclEntry => ({
  RuleNumber: number,
  Egress: egress,
  Protocol: protocol,
  RuleAction: action,
  [isIpv6Text(block) ? 'Ipv6CidrBlock' : 'CidrBlock']: block,
  ...(ports && { PortRange: { From: ports.from, To: ports.to } }),
  ...(icmp && { IcmpTypeCode: { Type: icmp.type, Code: icmp.code } }),
});

/** @throws AwsError `InvalidNetworkAclID.NotFound` */
function getAcl({ network }: Ec2, id: string | undefined): KeptNetworkAcl {
  if (id === undefined) throw missingParameter('networkAclId');
  const found = listNetworkAcls(network).find((acl) => acl.id === id);
  if (found === undefined) throw noSuchNetworkAcl(id);
  return found;
}

function keepAcls(ec2: Ec2, networkAcls: readonly KeptNetworkAcl[]): void {
  ec2.network.networkAcls = networkAcls;
  ec2.keepNetwork();
}

const putAcl = (ec2: Ec2, acl: KeptNetworkAcl): void => keepAcls(ec2, putById(ec2.network.networkAcls ?? [], acl));

/** A new one denies everything, and no subnet has it. */
export function createNetworkAcl(ec2: Ec2, request: CreateNetworkAclRequest): CreateNetworkAclResult {
  const { ClientToken: token, TagSpecifications: tags } = request;
  const { id: vpcId } = getVpc(ec2, request.VpcId);
  checkTagSpecifications(tags, ['network-acl']);
  return ec2.idempotency.once({ operation: 'CreateNetworkAcl', token, request }, () => {
    if (listNetworkAcls(ec2.network).filter((each) => each.vpcId === vpcId).length >= mostAcls)
      throw new AwsError('NetworkAclLimitExceeded', 'The maximum number of network ACLs has been reached.');
    if (request.DryRun === true) throw dryRunWouldSucceed();
    const acl: KeptNetworkAcl = { id: `acl-0${ec2.random.hex(16)}`, vpcId, rules: [], subnetIds: [] };
    ec2.tags.add(acl.id, readTagSpecifications('network-acl', tags));
    putAcl(ec2, acl);
    return { NetworkAcl: writeAcl(ec2, acl), ...(token !== undefined && { ClientToken: token }) };
  });
}

export function deleteNetworkAcl(ec2: Ec2, request: DeleteNetworkAclRequest): object {
  const acl = getAcl(ec2, request.NetworkAclId);
  if (isDefaultAcl(acl)) throw invalidValue(`Cannot delete default network ACL ${acl.id}`);
  if (listSubnetsOfAcl(ec2.network, acl).length > 0) throw dependencyViolation('networkAcl', acl.id);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.tags.forget(acl.id);
  keepAcls(
    ec2,
    (ec2.network.networkAcls ?? []).filter(({ id }) => id !== acl.id),
  );
  return {};
}

export function createNetworkAclEntry(ec2: Ec2, request: CreateNetworkAclEntryRequest): object {
  const acl = getAcl(ec2, request.NetworkAclId);
  const rule = readRule(request);
  if (findRule(acl, rule) !== undefined)
    throw new AwsError(
      'NetworkAclEntryAlreadyExists',
      `The network acl entry identified by ${rule.number} already exists.`,
    );
  if (acl.rules.filter(({ egress }) => egress === rule.egress).length >= mostRules)
    throw new AwsError('NetworkAclEntryLimitExceeded', 'The maximum number of network acl entries has been reached.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  putAcl(ec2, { ...acl, rules: [...acl.rules, rule] });
  return {};
}

export function replaceNetworkAclEntry(ec2: Ec2, request: ReplaceNetworkAclEntryRequest): object {
  const acl = getAcl(ec2, request.NetworkAclId);
  const rule = readRule(request);
  const replaced = getRule(acl, rule);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  putAcl(ec2, { ...acl, rules: acl.rules.map((each) => (each === replaced ? rule : each)) });
  return {};
}

export function deleteNetworkAclEntry(ec2: Ec2, request: DeleteNetworkAclEntryRequest): object {
  const acl = getAcl(ec2, request.NetworkAclId);
  const deleted = getRule(acl, readRulePlace(request));
  if (request.DryRun === true) throw dryRunWouldSucceed();
  putAcl(ec2, { ...acl, rules: acl.rules.filter((each) => each !== deleted) });
  return {};
}

type RulePlace = Pick<NetworkAclRule, 'number' | 'egress'>;

function readRulePlace({ RuleNumber: number, Egress: egress }: DeleteNetworkAclEntryRequest): RulePlace {
  if (number === undefined) throw missingParameter('ruleNumber');
  if (egress === undefined) throw missingParameter('egress');
  if (number < 1 || number > highestNumber)
    throw invalidValue(`The rule number ${number} is not valid: it must be between 1 and ${highestNumber}`);
  return { number, egress };
}

const findRule = ({ rules }: KeptNetworkAcl, { number, egress }: RulePlace): NetworkAclRule | undefined =>
  rules.find((rule) => rule.number === number && rule.egress === egress);

function getRule(acl: KeptNetworkAcl, place: RulePlace): NetworkAclRule {
  const found = findRule(acl, place);
  if (found === undefined)
    throw new AwsError(
      'InvalidNetworkAclEntry.NotFound',
      `The network acl entry identified by rule number ${place.number} does not exist in network acl ${acl.id}`,
    );
  return found;
}

const tcp = '6';
const udp = '17';
const icmpProtocols = ['1', '58'];
/** The names that the API takes for numbers. */
const protocolNumbers = new Map([
  ['all', '-1'],
  ['icmp', '1'],
  ['tcp', tcp],
  ['udp', udp],
  ['icmpv6', '58'],
]);

function readRule(request: CreateNetworkAclEntryRequest): NetworkAclRule {
  const place = readRulePlace(request);
  const { Protocol: given, RuleAction: action, PortRange: ports, IcmpTypeCode: icmp } = request;
  if (given === undefined) throw missingParameter('protocol');
  if (action === undefined) throw missingParameter('ruleAction');
  const protocol = protocolNumbers.get(given.toLowerCase()) ?? given;
  if (!/^(?:-1|\d{1,3})$/.test(protocol) || Number(protocol) > 255)
    throw invalidValue(`Invalid value '${given}' for IP protocol. Unknown protocol.`);
  const needsPorts = protocol === tcp || protocol === udp;
  if (needsPorts && (ports?.From === undefined || ports.To === undefined)) throw missingParameter('portRange');
  if (icmpProtocols.includes(protocol) && (icmp?.Type === undefined || icmp.Code === undefined))
    throw missingParameter('icmpTypeCode');
  return {
    ...place,
    protocol,
    action,
    block: readBlock(request),
    ...(needsPorts && { ports: readPorts(ports?.From ?? 0, ports?.To ?? 0) }),
    ...(icmpProtocols.includes(protocol) && { icmp: { type: icmp?.Type ?? -1, code: icmp?.Code ?? -1 } }),
  };
}

function readPorts(from: number, to: number) {
  if (from < 0 || to > 65_535 || from > to) throw invalidValue(`Invalid TCP/UDP port range (${from}:${to})`);
  return { from, to };
}

function readBlock({ CidrBlock: block, Ipv6CidrBlock: block6 }: CreateNetworkAclEntryRequest): string {
  if (block !== undefined && block6 !== undefined)
    throw invalidCombination('The parameters CidrBlock and Ipv6CidrBlock cannot be used together.');
  const given = block ?? block6;
  if (given === undefined) throw missingParameter('cidrBlock');
  const isRight = block === undefined ? isIpv6Text(given) && given.includes('/') : readCidr(given) !== undefined;
  if (!isRight)
    throw invalidValue(`Value (${given}) for parameter cidrBlock is invalid. This is not a valid CIDR block.`);
  return given;
}

/** Gives a subnet another ACL of its VPC. */
export function replaceNetworkAclAssociation(
  ec2: Ec2,
  request: ReplaceNetworkAclAssociationRequest,
): ReplaceNetworkAclAssociationResult {
  const { AssociationId: associationId = '', NetworkAclId, DryRun } = request;
  const acl = getAcl(ec2, NetworkAclId);
  const all = listNetworkAcls(ec2.network);
  const holder = all
    .flatMap((each) => listSubnetsOfAcl(ec2.network, each).map(({ id: subnetId }) => ({ acl: each, subnetId })))
    .find((each) => aclAssociationId(each.acl.id, each.subnetId) === associationId);
  if (holder === undefined) throw createNotFoundError('InvalidAssociationID.NotFound', 'association ID', associationId);
  if (holder.acl.vpcId !== acl.vpcId)
    throw invalidValue(`Network ACL ${acl.id} and subnet ${holder.subnetId} belong to different networks`);
  if (DryRun === true) throw dryRunWouldSucceed();
  const { subnetId } = holder;
  const kept = (ec2.network.networkAcls ?? []).map((each) => ({
    ...each,
    subnetIds: each.subnetIds.filter((id) => id !== subnetId),
  }));
  const given = kept.map((each) =>
    each.id === acl.id && !isDefaultAcl(acl) ? { ...each, subnetIds: [...each.subnetIds, subnetId] } : each,
  );
  keepAcls(ec2, given);
  return { NewAssociationId: aclAssociationId(acl.id, subnetId) };
}
