import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { millisOf, quantityUnits } from '@nodewright/apis';
import { aNodeClass } from '@nodewright/testkit';
import { anAwsAccount, never } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

/** Figures of one type of each family, as Karpenter publishes them for Amazon Linux 2023 with default settings. */
type PublishedType = {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  readonly gpus: number;
  readonly neuron: number;
  readonly usdPerHour: number;
};

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/current-types.json'), 'utf8'),
) as readonly PublishedType[];

test('types of every family have the published allocatable resources, pods and prices', async () => {
  const world = anAwsAccount({ catalogue: 'current', zones: 3 });
  const cloud = world.cloudWith();
  const subnets = ['a', 'b', 'c'].map((zone) => ({ id: `subnet-${zone}`, zone: `us-east-1${zone}` }));
  const nodeClass = aNodeClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }] }, { subnets });
  const types = await world.time.finish(cloud.instanceTypes.list(nodeClass, never));
  const byName = new Map(types.map((type) => [type.name, type]));
  expect(types.length).toBeGreaterThan(1300);
  for (const { name, cpu, memory, pods, gpus, neuron, usdPerHour } of published) {
    const type = byName.get(name);
    const { allocatable = {} } = type ?? {};
    const devices = (allocatable['nvidia.com/gpu'] ?? 0) + (allocatable['amd.com/gpu'] ?? 0);
    expect(
      {
        cpu: allocatable['cpu'],
        memory: allocatable['memory'],
        pods: allocatable['pods'],
        devices,
        neuron: allocatable['aws.amazon.com/neuron'] ?? 0,
        price: type?.offerings.find(({ capacityType }) => capacityType === 'on-demand')?.priceMicroUsdPerHour,
      },
      name,
    ).toEqual({
      cpu: millisOf(cpu),
      memory: quantityUnits(memory),
      pods,
      devices: gpus,
      neuron,
      price: Math.round(usdPerHour * 1e6),
    });
  }
});

test('all offerings of a zone and a capacity type have one set of requirements', async () => {
  const world = anAwsAccount({ catalogue: 'current', zones: 3 });
  const subnets = ['a', 'b', 'c'].map((zone) => ({ id: `subnet-${zone}`, zone: `us-east-1${zone}` }));
  const nodeClass = aNodeClass({}, { subnets });
  const types = await world.time.finish(world.cloudWith().instanceTypes.list(nodeClass, never));
  const offerings = types.flatMap((type) => type.offerings);
  expect(offerings.length).toBeGreaterThan(5000);
  expect(new Set(offerings.map(({ requirements }) => requirements)).size).toBe(6);
});
