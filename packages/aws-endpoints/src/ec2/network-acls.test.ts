import { expect, test } from 'vitest';
import { anEc2, never } from '@nodewright/testkit/worlds';

type Acl = {
  readonly NetworkAclId: string;
  readonly VpcId: string;
  readonly IsDefault: boolean;
  readonly Associations: readonly { readonly NetworkAclAssociationId: string; readonly SubnetId: string }[];
  readonly Entries: readonly { readonly RuleNumber: number; readonly Egress: boolean; readonly Protocol: string }[];
};
type Answer = {
  readonly NetworkAcl?: Acl;
  readonly NetworkAcls?: readonly Acl[];
  readonly NextToken?: string;
  readonly NewAssociationId?: string;
  readonly Vpc?: { readonly VpcId: string };
  readonly Subnet?: { readonly SubnetId: string };
};

async function aVpc() {
  const { aws } = await anEc2();
  const call = async (operation: string, input: object = {}): Promise<Answer> => {
    const served = { signal: never, serving: { wait: (work: () => Promise<void>) => work() } };
    const answer = await aws.answer({ service: 'ec2', operation, input }, served);
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  const VpcId = (await call('CreateVpc', { CidrBlock: '10.0.0.0/16' })).Vpc?.VpcId ?? '';
  const addSubnet = async (CidrBlock: string): Promise<string> =>
    (await call('CreateSubnet', { VpcId, CidrBlock })).Subnet?.SubnetId ?? '';
  const aclsWhere = async (Name: string, value: string) =>
    (await call('DescribeNetworkAcls', { Filters: [{ Name, Values: [value] }] })).NetworkAcls ?? [];
  const createAcl = async (): Promise<string> =>
    (await call('CreateNetworkAcl', { VpcId })).NetworkAcl?.NetworkAclId ?? '';
  const defaultAcl = async (): Promise<Acl | undefined> =>
    (await aclsWhere('vpc-id', VpcId)).find(({ IsDefault }) => IsDefault);
  return { call, VpcId, addSubnet, aclsWhere, createAcl, defaultAcl, own: aws.ec2.network };
}

const http = { Protocol: 'tcp', RuleAction: 'allow', CidrBlock: '0.0.0.0/0', PortRange: { From: 80, To: 80 } };

test('each VPC has a default ACL for all of its subnets, which allows everything', async () => {
  const { aclsWhere, own } = await aVpc();
  const acls = await aclsWhere('default', 'true');
  expect(acls).toHaveLength(2);
  const [ofCluster] = await aclsWhere('vpc-id', own.vpcId);
  expect(ofCluster?.Associations.map(({ SubnetId }) => SubnetId)).toEqual(own.subnets.map(({ id }) => id));
  expect(ofCluster?.Entries).toEqual([
    { RuleNumber: 100, Egress: true, Protocol: '-1', RuleAction: 'allow', CidrBlock: '0.0.0.0/0' },
    { RuleNumber: 100, Egress: false, Protocol: '-1', RuleAction: 'allow', CidrBlock: '0.0.0.0/0' },
    { RuleNumber: 32_767, Egress: true, Protocol: '-1', RuleAction: 'deny', CidrBlock: '0.0.0.0/0' },
    { RuleNumber: 32_767, Egress: false, Protocol: '-1', RuleAction: 'deny', CidrBlock: '0.0.0.0/0' },
  ]);
});

test('rules are added, replaced and deleted by number and direction', async () => {
  const { call, createAcl, aclsWhere } = await aVpc();
  const NetworkAclId = await createAcl();
  const place = { NetworkAclId, RuleNumber: 10, Egress: false };
  await call('CreateNetworkAclEntry', { ...place, ...http });
  await expect(call('CreateNetworkAclEntry', { ...place, ...http })).rejects.toThrow(
    'NetworkAclEntryAlreadyExists: The network acl entry identified by 10 already exists.',
  );
  await call('ReplaceNetworkAclEntry', { ...place, ...http, PortRange: { From: 443, To: 444 } });
  expect((await aclsWhere('entry.port-range.from', '443'))[0]?.Entries[0]).toEqual({
    RuleNumber: 10,
    Egress: false,
    Protocol: '6',
    RuleAction: 'allow',
    CidrBlock: '0.0.0.0/0',
    PortRange: { From: 443, To: 444 },
  });
  await expect(call('DeleteNetworkAclEntry', { ...place, Egress: true })).rejects.toThrow(
    `InvalidNetworkAclEntry.NotFound: The network acl entry identified by rule number 10 does not exist in network acl ${NetworkAclId}`,
  );
  await call('DeleteNetworkAclEntry', place);
  expect((await aclsWhere('network-acl-id', NetworkAclId))[0]?.Entries.map((rule) => rule.RuleNumber)).toEqual([
    32_767, 32_767,
  ]);
});

test.each([
  { fact: 'a number of the last rules', change: { RuleNumber: 32_767 }, error: 'The rule number 32767 is not valid' },
  { fact: 'TCP without ports', change: { PortRange: undefined }, error: 'MissingParameter' },
  { fact: 'ports the wrong way round', change: { PortRange: { From: 2, To: 1 } }, error: 'port range (2:1)' },
  { fact: 'ICMP without a type', change: { Protocol: '1' }, error: 'MissingParameter' },
  { fact: 'an unknown protocol', change: { Protocol: 'web' }, error: "Invalid value 'web' for IP protocol" },
  { fact: 'no addresses', change: { CidrBlock: undefined }, error: 'MissingParameter' },
  { fact: 'addresses that are none', change: { CidrBlock: '10.0.0.0' }, error: 'Value (10.0.0.0) for parameter' },
  { fact: 'addresses of both kinds', change: { Ipv6CidrBlock: '::/0' }, error: 'InvalidParameterCombination' },
])('a rule with $fact is refused', async ({ change, error }) => {
  const { call, createAcl } = await aVpc();
  const place = { NetworkAclId: await createAcl(), RuleNumber: 10, Egress: false };
  await expect(call('CreateNetworkAclEntry', { ...place, ...http, ...change })).rejects.toThrow(error);
});

test('a subnet has one ACL, and goes from one to another by its association', async () => {
  const { call, addSubnet, createAcl, aclsWhere, defaultAcl, own } = await aVpc();
  const SubnetId = await addSubnet('10.0.0.0/24');
  const NetworkAclId = await createAcl();
  const [before] = (await defaultAcl())?.Associations ?? [];
  expect(before?.SubnetId).toBe(SubnetId);
  const AssociationId = before?.NetworkAclAssociationId;
  const { NewAssociationId } = await call('ReplaceNetworkAclAssociation', { AssociationId, NetworkAclId });
  expect((await defaultAcl())?.Associations).toEqual([]);
  expect((await aclsWhere('association.subnet-id', SubnetId)).map((acl) => acl.NetworkAclId)).toEqual([NetworkAclId]);
  await expect(call('ReplaceNetworkAclAssociation', { AssociationId, NetworkAclId })).rejects.toThrow(
    `InvalidAssociationID.NotFound: The association ID '${AssociationId}' does not exist`,
  );
  await expect(call('DeleteNetworkAcl', { NetworkAclId })).rejects.toThrow('DependencyViolation');
  const [elsewhere] = await aclsWhere('vpc-id', own.vpcId);
  await expect(
    call('ReplaceNetworkAclAssociation', {
      AssociationId: NewAssociationId,
      NetworkAclId: elsewhere?.NetworkAclId,
    }),
  ).rejects.toThrow('belong to different networks');
  await call('ReplaceNetworkAclAssociation', {
    AssociationId: NewAssociationId,
    NetworkAclId: (await defaultAcl())?.NetworkAclId,
  });
  await call('DeleteNetworkAcl', { NetworkAclId });
  await expect(call('DescribeNetworkAcls', { NetworkAclIds: [NetworkAclId] })).rejects.toThrow(
    `InvalidNetworkAclID.NotFound: The networkAcl ID '${NetworkAclId}' does not exist`,
  );
});

test('a VPC goes with its default ACL, changed or not, and stays for the sake of another one', async () => {
  const { call, VpcId, createAcl, defaultAcl, aclsWhere } = await aVpc();
  const fallback = await defaultAcl();
  const place = { NetworkAclId: fallback?.NetworkAclId, RuleNumber: 100 };
  await call('DeleteNetworkAclEntry', { ...place, Egress: true });
  expect((await defaultAcl())?.Entries).toHaveLength(3);
  await expect(call('DeleteNetworkAcl', place)).rejects.toThrow('Cannot delete default network ACL');
  const NetworkAclId = await createAcl();
  await call('CreateTags', { Resources: [NetworkAclId], Tags: [{ Key: 'Name', Value: 'web' }] });
  expect(await aclsWhere('tag:Name', 'web')).toHaveLength(1);
  await expect(call('DeleteVpc', { VpcId })).rejects.toThrow('DependencyViolation');
  await call('DeleteNetworkAcl', { NetworkAclId });
  await call('DeleteVpc', { VpcId });
  expect(await aclsWhere('vpc-id', VpcId)).toEqual([]);
});

test('a subnet that is deleted leaves its ACL', async () => {
  const { call, addSubnet, createAcl, defaultAcl } = await aVpc();
  const SubnetId = await addSubnet('10.0.0.0/24');
  const NetworkAclId = await createAcl();
  const AssociationId = (await defaultAcl())?.Associations[0]?.NetworkAclAssociationId;
  await call('ReplaceNetworkAclAssociation', { AssociationId, NetworkAclId });
  await call('DeleteSubnet', { SubnetId });
  await call('DeleteNetworkAcl', { NetworkAclId });
});
