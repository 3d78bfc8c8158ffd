import type { EC2NodeClass } from '@nodewright/apis';
import { anAwsAccount, clusterName, interceptCalls, never, resolvedIn } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const mib = 2 ** 20;

const nodeClass: EC2NodeClass = {
  metadata: { name: 'default', uid: 'class-uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
    securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
  },
};

async function anAccount(settings: Parameters<ReturnType<typeof anAwsAccount>['cloudWith']>[0] = {}) {
  const account = anAwsAccount();
  await account.aws.load();
  const cloud = account.cloudWith(settings);
  const resolved = await resolvedIn({ time: account.time, cloud }, nodeClass);
  const typeNamed = async (wanted: string, of = resolved) =>
    (await account.time.finish(cloud.instanceTypes.list(of, never))).find(({ name }) => name === wanted);
  return { ...account, cloud, resolved, typeNamed };
}

test('the memory of a node of the type and the image counts for the next ones, in capacity and in what is left for pods', async () => {
  const { cloud, resolved, typeNamed } = await anAccount();
  const [before, other] = [await typeNamed('m5.large'), await typeNamed('m5.xlarge')];
  const imageId = resolved.status?.amis?.find(({ requirements }) =>
    requirements.some(({ values = [] }) => values.includes('amd64')),
  )?.id;
  const bytes = 7_700 * mib;
  cloud.capacity.nodeMemorySeen({ instanceType: 'm5.large', imageId: imageId ?? '', bytes });
  const after = await typeNamed('m5.large');
  expect(after?.capacity['memory']).toBe(bytes);
  const gained = bytes - (before?.capacity['memory'] ?? 0);
  expect(after?.allocatable['memory']).toBe((before?.allocatable['memory'] ?? 0) + gained);
  expect((await typeNamed('m5.xlarge'))?.capacity['memory']).toBe(other?.capacity['memory']);
});

test('what nodes of another image had says nothing of the type, and neither does more than EC2 names', async () => {
  const { cloud, resolved, typeNamed } = await anAccount();
  const before = (await typeNamed('m5.large'))?.capacity['memory'];
  cloud.capacity.nodeMemorySeen({ instanceType: 'm5.large', imageId: 'ami-other', bytes: 7_700 * mib });
  for (const { id } of resolved.status?.amis ?? [])
    cloud.capacity.nodeMemorySeen({ instanceType: 'm5.large', imageId: id, bytes: 9_000 * mib });
  expect((await typeNamed('m5.large'))?.capacity['memory']).toBe(before);
});

/** A type that was made after this version: no table of ours has it. */
const newType = {
  InstanceType: 'm99.large',
  VCpuInfo: { DefaultVCpus: 2 },
  MemoryInfo: { SizeInMiB: 8192 },
  Hypervisor: 'nitro',
  ProcessorInfo: { SupportedArchitectures: ['x86_64'], Manufacturer: 'Intel' },
  SupportedUsageClasses: ['on-demand'],
  NetworkInfo: {
    MaximumNetworkInterfaces: 3,
    Ipv4AddressesPerInterface: 10,
    DefaultNetworkCardIndex: 0,
    NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3, BaselineBandwidthInGbps: 0.75 }],
  },
};
const itsPrice = JSON.stringify({
  product: { attributes: { instanceType: 'm99.large' } },
  terms: { OnDemand: { a: { priceDimensions: { b: { pricePerUnit: { USD: '0.1' } } } } } },
});

/** EC2 that sells the new type only. */
function newTypesOnly(PriceList: readonly string[]): Readonly<Record<string, object>> {
  const zones = ['us-east-1a', 'us-east-1b'];
  return {
    DescribeInstanceTypes: { InstanceTypes: [newType] },
    DescribeInstanceTypeOfferings: {
      InstanceTypeOfferings: zones.map((Location) => ({ InstanceType: 'm99.large', Location })),
    },
    GetProducts: { PriceList },
    DescribeSpotPriceHistory: { SpotPriceHistory: [] },
  };
}

for (const { fact, priceList, isSold } of [
  { fact: 'with a price it is sold', priceList: [itsPrice], isSold: true },
  { fact: 'without a price there is nothing to buy', priceList: [], isSold: false },
]) {
  test(`a type that no table has is what EC2 says of it; ${fact}`, async () => {
    const { resolved, time, wireClients, cloudWith } = await anAccount();
    const answers = newTypesOnly(priceList);
    const intercepted = interceptCalls(wireClients(), ({ operation }) => {
      const output = answers[operation];
      return output === undefined ? undefined : { kind: 'output', output };
    });
    const { instanceTypes } = cloudWith({ clients: intercepted });
    const [type] = await time.finish(instanceTypes.list(resolved, never));
    expect(type).toMatchObject({ name: 'm99.large', capacity: { cpu: 2_000, pods: 29, memory: 7_577 * mib } });
    expect(type?.capacity).not.toHaveProperty(['vpc.amazonaws.com/pod-eni']);
    expect(type?.requirements.get('karpenter.k8s.aws/instance-network-bandwidth')?.values).toEqual(new Set(['750']));
    expect(new Set(type?.offerings.map(({ available }) => available))).toEqual(new Set([isSold]));
  });
}
