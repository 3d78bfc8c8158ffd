import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EC2NodeClass } from '@nodewright/apis';
import { aNodeClassOfAccount, anAwsAccount, never, resolvedIn } from '@nodewright/testkit/worlds';
import { beforeAll, expect, test } from 'vitest';

type PublishedType = {
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
};
const publishedTypes = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/published-types.json'), 'utf8'),
) as readonly PublishedType[];

const units: Readonly<Record<string, (amount: number) => string>> = {
  cpu: (amount) => `${amount}m`,
  memory: (amount) => `${amount / 2 ** 20}Mi`,
  'ephemeral-storage': (amount) => `${amount / 2 ** 30}Gi`,
};
const printed = (resources: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(resources).map(([name, amount]) => [name, units[name]?.(amount) ?? String(amount)]),
  );

const { time, aws, cloudWith } = anAwsAccount({ zones: 3 });
const world = { time, cloud: cloudWith() };
beforeAll(() => aws.load());

const resolved = (nodeClass: EC2NodeClass): Promise<EC2NodeClass> => resolvedIn(world, nodeClass);

test('have the allocatable that Karpenter prints', async () => {
  const types = await world.time.finish(world.cloud.instanceTypes.list(await resolved(aNodeClassOfAccount()), never));
  const found = types.find(({ name }) => name === 'm6g.xlarge');
  expect(found?.allocatable).toEqual({
    cpu: 3920,
    memory: 14_103 * 2 ** 20,
    'ephemeral-storage': 17 * 2 ** 30,
    pods: 58,
    'vpc.amazonaws.com/pod-eni': 18,
  });
});

test('have room for fewer pods where network interfaces are reserved', async () => {
  const cloud = cloudWith({ reservedEnis: 1 });
  const types = await world.time.finish(cloud.instanceTypes.list(await resolved(aNodeClassOfAccount()), never));
  // Four interfaces with fifteen addresses each: (4 - 1) * 14 + 2.
  expect(types.find(({ name }) => name === 'm6g.xlarge')?.capacity['pods']).toBe(44);
});

test('have the published labels and allocatable, every one', async () => {
  const nodeClass = await resolved(aNodeClassOfAccount({ amiSelectorTerms: [{ alias: 'al2023@latest' }] }));
  const types = await world.time.finish(world.cloud.instanceTypes.list(nodeClass, never));
  for (const { type, labels, allocatable } of publishedTypes) {
    const found = types.find(({ name }) => name === type);
    const carried = Object.keys(labels).map((label) => {
      const key = label.includes('/') ? label : `karpenter.k8s.aws/${label}`;
      return [label, [...(found?.requirements.get(key)?.values ?? [])].join()];
    });
    expect({ type, labels: Object.fromEntries(carried) }).toEqual({ type, labels });
    expect({ type, ...printed(found?.allocatable ?? {}) }).toEqual({ type, ...allocatable });
  }
});

test('are not for sale while no selected image is for them', async () => {
  const nodeClass = await resolved(aNodeClassOfAccount());
  const status = nodeClass.status ?? {};
  const forSale = async (selected: typeof status) => {
    const types = await world.time.finish(world.cloud.instanceTypes.list({ ...nodeClass, status: selected }, never));
    const sells = (name: string) =>
      types.find((type) => type.name === name)?.offerings.some(({ available }) => available);
    return { amd64: sells('m5.large'), arm64: sells('m6g.large') };
  };
  const only = (arch: string) => ({
    ...status,
    amis: (status.amis ?? []).filter(({ requirements }) => requirements[0]?.values?.[0] === arch),
  });
  expect(await forSale(status)).toEqual({ amd64: true, arm64: true });
  expect(await forSale(only('arm64'))).toEqual({ amd64: false, arm64: true });
  expect(await forSale(only('amd64'))).toEqual({ amd64: true, arm64: false });
  const selected = { ...nodeClass, status: only('amd64') };
  const types = await world.time.finish(world.cloud.instanceTypes.list(selected, never));
  const shortages = types.find(({ name }) => name === 'm6g.large')?.offerings.map(({ shortage }) => shortage?.cause);
  expect(new Set(shortages)).toEqual(new Set(['no selected image is for arm64']));
});

test('carry the labels of their family', async () => {
  const types = await world.time.finish(world.cloud.instanceTypes.list(await resolved(aNodeClassOfAccount()), never));
  const requirements = types.find(({ name }) => name === 'm5.large')?.requirements;
  const value = (key: string) => [...(requirements?.get(key)?.values ?? [])];
  expect(value('karpenter.k8s.aws/instance-category')).toEqual(['m']);
  expect(value('karpenter.k8s.aws/instance-generation')).toEqual(['5']);
  expect(value('karpenter.k8s.aws/instance-memory')).toEqual(['8192']);
  expect(value('kubernetes.io/arch')).toEqual(['amd64']);
  expect(value('karpenter.k8s.aws/instance-gpu-count')).toEqual([]);
  expect(value('topology.kubernetes.io/zone').toSorted()).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
});
