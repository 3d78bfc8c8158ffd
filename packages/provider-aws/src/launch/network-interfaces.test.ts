import {
  DescribeInstancesCommand,
  type CreateLaunchTemplateRequest,
  type LaunchTemplateInstanceNetworkInterfaceSpecificationRequest,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { anAwsAccount, clusterName, never, resolvedIn } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';
import { callAws } from '../calls/call-aws.ts';
import { launchTemplateData } from './templates/launch-template-data.ts';

let account: ReturnType<typeof anAwsAccount>;
let cloud: ReturnType<typeof account.cloudWith>;

beforeEach(async () => {
  account = anAwsAccount();
  cloud = account.cloudWith();
  await account.aws.load();
});

const aNodeClass = (spec: Partial<EC2NodeClass['spec']> = {}): Promise<EC2NodeClass> =>
  resolvedIn(
    { time: account.time, cloud },
    {
      metadata: { name: 'default', uid: 'class-uid', generation: 1 },
      spec: {
        amiSelectorTerms: [{ alias: 'al2023@latest' }],
        role: `karpenterNodeRole-${clusterName}`,
        subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
        securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
        ...spec,
      },
    },
  );

const aClaim = (type: string, requests: Readonly<Record<string, string>> = {}): NodeClaim => ({
  metadata: { name: 'default-abcde', uid: 'claim-uid', labels: { 'karpenter.sh/nodepool': 'default' } },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [type] }],
    resources: { requests },
  },
});

async function launch(claim: NodeClaim, nodeClass: EC2NodeClass) {
  const [type = ''] = claim.spec.requirements[0]?.values ?? [];
  return account.time.finish(
    (async () => {
      const instanceTypes = (await cloud.instanceTypes.list(nodeClass, never)).filter(({ name }) => name === type);
      const images = nodeClass.status?.amis ?? [];
      return cloud.instances.launch({ claim, attempt: 1, nodeClass, instanceTypes, images }, never);
    })(),
  );
}

/** Of the template that was made last. */
function templateData(): CreateLaunchTemplateRequest['LaunchTemplateData'] {
  const made = account.aws.calls().findLast(({ operation }) => operation === 'CreateLaunchTemplate');
  return (made?.input as CreateLaunchTemplateRequest | undefined)?.LaunchTemplateData;
}

const interfacesOfTemplate = (): readonly LaunchTemplateInstanceNetworkInterfaceSpecificationRequest[] =>
  templateData()?.NetworkInterfaces ?? [];

const placesOf = (interfaces: readonly LaunchTemplateInstanceNetworkInterfaceSpecificationRequest[]) =>
  interfaces.map(({ NetworkCardIndex: card = 0, DeviceIndex, InterfaceType = 'interface' }) => [
    card,
    DeviceIndex,
    InterfaceType,
  ]);

describe('a claim that asks for EFA', () => {
  test('gets an interface with EFA on each network card of its instance', async () => {
    const nodeClass = await aNodeClass({ connectionTracking: { udpTimeout: 45 } });
    const outcome = await launch(aClaim('p4d.24xlarge', { 'vpc.amazonaws.com/efa': '1' }), nodeClass);
    expect(outcome).toMatchObject({ kind: 'launched', instanceType: { capacity: { 'vpc.amazonaws.com/efa': 4 } } });
    const interfaces = interfacesOfTemplate();
    expect(placesOf(interfaces)).toEqual([
      [0, 0, 'efa'],
      [1, 1, 'efa'],
      [2, 1, 'efa'],
      [3, 1, 'efa'],
    ]);
    const groups = nodeClass.status?.securityGroups?.map(({ id }) => id);
    expect(interfaces.map(({ Groups }) => Groups)).toEqual([groups, groups, groups, groups]);
    expect(interfaces.map((each) => each.ConnectionTrackingSpecification?.UdpTimeout)).toEqual([45, 45, 45, 45]);
  });

  test('has an instance whose kubelet announces the adapters', async () => {
    await launch(aClaim('p4d.24xlarge', { 'vpc.amazonaws.com/efa': '4' }), await aNodeClass());
    expect(account.machines[0]?.shape.devices).toEqual({ 'nvidia.com/gpu': 8, 'vpc.amazonaws.com/efa': 4 });
    const call = callAws({ ...account.time, random: seededRandom(4) });
    const { Reservations } = await account.time.finish(
      call((options) => account.clients().ec2.send(new DescribeInstancesCommand({}), options)),
    );
    const described = Reservations?.[0]?.Instances?.[0]?.NetworkInterfaces ?? [];
    expect(described.map(({ InterfaceType, Attachment }) => [InterfaceType, Attachment?.NetworkCardIndex])).toEqual([
      ['efa', 0],
      ['efa', 1],
      ['efa', 2],
      ['efa', 3],
    ]);
  });

  test('shares no template with one that does not', async () => {
    const nodeClass = await aNodeClass();
    await launch(aClaim('p4d.24xlarge'), nodeClass);
    expect(placesOf(interfacesOfTemplate())).toEqual([[0, 0, 'interface']]);
    const other = { ...aClaim('p4d.24xlarge', { 'vpc.amazonaws.com/efa': '1' }) };
    await launch({ ...other, metadata: { ...other.metadata, name: 'other', uid: 'other-uid' } }, nodeClass);
    expect(account.machines.map(({ shape }) => shape.devices?.['vpc.amazonaws.com/efa'])).toEqual([undefined, 4]);
  });
});

test('a claim that asks for no EFA has none in its capacity', async () => {
  const outcome = await launch(aClaim('p4d.24xlarge'), await aNodeClass());
  if (outcome.kind !== 'launched') throw new Error('expected a launch');
  expect(outcome.instanceType.capacity).not.toHaveProperty(['vpc.amazonaws.com/efa']);
  expect(outcome.instanceType.allocatable).not.toHaveProperty(['vpc.amazonaws.com/efa']);
});

describe('spec.networkInterfaces', () => {
  const onTwoCards = [
    { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
    { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' },
    { networkCardIndex: 1, deviceIndex: 0, interfaceType: 'efa-only' },
  ] as const;

  test('goes before what the claim asks for', async () => {
    const nodeClass = await aNodeClass({ networkInterfaces: onTwoCards, ipPrefixCount: 2 });
    const outcome = await launch(aClaim('p4d.24xlarge', { 'vpc.amazonaws.com/efa': '2' }), nodeClass);
    expect(outcome).toMatchObject({ kind: 'launched', instanceType: { capacity: { 'vpc.amazonaws.com/efa': 2 } } });
    const interfaces = interfacesOfTemplate();
    expect(placesOf(interfaces)).toEqual([
      [0, 0, 'interface'],
      [0, 1, 'efa-only'],
      [1, 0, 'efa-only'],
    ]);
    expect(interfaces.map(({ Ipv4PrefixCount }) => Ipv4PrefixCount)).toEqual([2, undefined, undefined]);
  });

  test('takes addresses for pods from the first card only', async () => {
    const pods = async (nodeClass: EC2NodeClass) =>
      (await account.time.finish(cloud.instanceTypes.list(nodeClass, never))).find(
        ({ name }) => name === 'p4d.24xlarge',
      )?.capacity['pods'];
    expect(await pods(await aNodeClass())).toBe(15 * 49 + 2);
    expect(await pods(await aNodeClass({ networkInterfaces: onTwoCards }))).toBe(14 * 49 + 2);
  });

  test.each([
    ['m5.large', 'the type has no network card 1'],
    ['m4.large', 'networkInterfaces needs types with network cards for ENA'],
  ])('leaves nothing to buy of %s, which cannot have them', async (type, cause) => {
    const nodeClass = await aNodeClass({ networkInterfaces: onTwoCards });
    const types = await account.time.finish(cloud.instanceTypes.list(nodeClass, never));
    const offerings = types.find(({ name }) => name === type)?.offerings ?? [];
    expect(new Set(offerings.map(({ available, shortage }) => `${available} ${shortage?.cause}`))).toEqual(
      new Set([`false ${cause}`]),
    );
  });

  test('that is empty counts as absent', async () => {
    const outcome = await launch(
      aClaim('p4d.24xlarge', { 'vpc.amazonaws.com/efa': '1' }),
      await aNodeClass({ networkInterfaces: [] }),
    );
    expect(outcome).toMatchObject({ kind: 'launched', instanceType: { capacity: { 'vpc.amazonaws.com/efa': 4 } } });
  });
});

describe('in an IPv6 cluster', () => {
  const dns = 'fd00:10::a';
  beforeEach(() => {
    cloud = account.cloudWith({ clusterDns: async () => dns });
  });
  const ipv6 = { Ipv6AddressCount: 1, PrimaryIpv6: true };

  test('a node has an IPv6 address that stays, and pods have IPv6 prefixes', async () => {
    await launch(aClaim('m5.large'), await aNodeClass({ ipPrefixCount: 3 }));
    expect(interfacesOfTemplate()).toEqual([expect.objectContaining({ ...ipv6, Ipv6PrefixCount: 3 })]);
    expect(interfacesOfTemplate()[0]).not.toHaveProperty('Ipv4PrefixCount');
  });

  test('every interface with EFA has one, and none that is for EFA only', async () => {
    await launch(aClaim('p4d.24xlarge', { 'vpc.amazonaws.com/efa': '1' }), await aNodeClass());
    expect(interfacesOfTemplate()).toEqual([1, 2, 3, 4].map(() => expect.objectContaining(ipv6)));
    const networkInterfaces = [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 1, deviceIndex: 0, interfaceType: 'efa-only' },
    ] as const;
    const other = { ...aClaim('p4d.24xlarge'), metadata: { ...aClaim('x').metadata, name: 'other', uid: 'other' } };
    await launch(other, await aNodeClass({ networkInterfaces }));
    expect(interfacesOfTemplate().map((each) => each.PrimaryIpv6)).toEqual([true, undefined]);
  });

  test('the metadata service speaks IPv6 unless the NodeClass says otherwise, and nodes are told the DNS', async () => {
    await launch(aClaim('m5.large'), await aNodeClass());
    expect(templateData()?.MetadataOptions?.HttpProtocolIpv6).toBe('enabled');
    expect(account.machines[0]?.userData).toContain(`- ${dns}`);
  });

  test('EC2 gives the instance its address', async () => {
    await launch(aClaim('m5.large'), await aNodeClass());
    const call = callAws({ ...account.time, random: seededRandom(4) });
    const { Reservations } = await account.time.finish(
      call((options) => account.clients().ec2.send(new DescribeInstancesCommand({}), options)),
    );
    const [instance] = Reservations?.[0]?.Instances ?? [];
    expect(instance?.Ipv6Address).toMatch(/^2600:1f18:[0-9a-f:]+$/);
    expect(instance?.NetworkInterfaces?.[0]?.Ipv6Addresses).toEqual([
      { Ipv6Address: instance?.Ipv6Address, IsPrimaryIpv6: true },
    ]);
  });
});

test('in an IPv4 cluster a node has no IPv6 address', async () => {
  await launch(aClaim('m5.large'), await aNodeClass({ ipPrefixCount: 3 }));
  expect(interfacesOfTemplate()).toEqual([{ DeviceIndex: 0, Groups: expect.any(Array), Ipv4PrefixCount: 3 }]);
  expect(templateData()?.MetadataOptions?.HttpProtocolIpv6).toBe('disabled');
});

test.each([
  ['us-iso-east-1', undefined],
  ['us-isob-east-1', undefined],
  ['us-isof-east-1', undefined],
  ['us-east-1', 'disabled'],
])('the template of %s has HttpProtocolIpv6 %s', (region, wanted) => {
  const nodeClass: EC2NodeClass = {
    metadata: { name: 'default' },
    spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  };
  const data = launchTemplateData({
    nodeClass,
    family: 'AL2023',
    imageId: 'ami-1',
    userData: '',
    capacityType: 'spot',
    tenancy: 'default',
    ipFamily: 'ipv4',
    region,
    fabricAdapters: 0,
    tags: {},
    reservations: 'notOurs',
  });
  expect(data.MetadataOptions?.HttpProtocolIpv6).toBe(wanted);
});
