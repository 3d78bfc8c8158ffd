import {
  events,
  nodeGroups,
  podDisruptionBudgets,
  pods,
  type NodeGroup,
  type PodDisruptionBudget,
  minutes,
} from '@nodewright/apis';
import type { FoundImage, ScalingGroup, ScalingHook, ScalingTemplate } from '@nodewright/ports';
import { expect } from 'vitest';
import { groupMachines } from './group-machines.ts';
import { aWorld, type World } from './operator-world.ts';

export const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
export const wanted = 'ami-al2-1.28';

export const aScalingGroup = (update: NodeGroup['spec']['update'] = {}): NodeGroup => ({
  metadata: { name: 'workers' },
  spec: {
    autoScalingGroup: { name: 'workers' },
    image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
    update: { mode: 'Automatic', ...update },
  },
});

type Traits = {
  readonly broken?: string;
  readonly size?: number;
  readonly hooks?: readonly ScalingHook[];
  readonly images?: readonly FoundImage[];
};

export async function aWorldWithGroup({ broken = '', size = 3, hooks = [], images }: Traits = {}): Promise<World> {
  const world = aWorld(images === undefined ? {} : { images });
  groupMachines(world, { broken });
  world.cloud.scalingGroups.put({
    name: 'workers',
    min: 1,
    max: size + 1,
    desired: size,
    zones,
    subnets: zones.map((zone) => ({ id: `subnet-${zone}`, zone, freeAddresses: 100 })),
    warm: [],
    bought: { onDemand: 100 },
    template: {
      id: 'lt-1',
      version: '1',
      isPinned: true,
      imageId: 'ami-old',
      arch: 'amd64',
      variant: 'standard',
      versions: { 'ami-old': '1' },
    },
    instanceTypes: [],
    typesWithOwnTemplate: [],
    suspended: [],
    isRefreshing: false,
    hooks,
    tags: {},
    isOfCluster: true,
  });
  await world.advance(minutes(2));
  return world;
}

export async function anApp(world: World, budget?: PodDisruptionBudget['spec']): Promise<void> {
  for (const { metadata } of await world.nodes()) {
    const name = `web-${metadata.name}`;
    const pod = { metadata: { name, namespace: 'default', labels: { app: 'web' } } };
    const spec = { nodeName: metadata.name, containers: [{ name: 'web', image: 'web' }] };
    await world.apply(world.client.create(pods, { ...pod, spec }));
    await markReady(world, { name, namespace: 'default' });
  }
  if (budget === undefined) return;
  const selector = { matchLabels: { app: 'web' } };
  const metadata = { name: 'web', namespace: 'default' };
  await world.apply(world.client.create(podDisruptionBudgets, { metadata, spec: { selector, ...budget } }));
}

/** As a kubelet would write it. */
const markReady = (world: World, pod: { readonly name: string; readonly namespace: string }) => {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  return world.apply(world.client.patch(pods, pod, { type: 'merge', patch: { status } }, { subresource: 'status' }));
};

/** As the disruption controller would write it. */
export const setBudget = (world: World, figures: NonNullable<PodDisruptionBudget['status']>) =>
  world.apply(
    world.client.patch(
      podDisruptionBudgets,
      { name: 'web', namespace: 'default' },
      { type: 'merge', patch: { status: { observedGeneration: 1, ...figures } } },
      { subresource: 'status' },
    ),
  );

export const groupOf = async (world: World) => world.apply(world.client.get(nodeGroups, { name: 'workers' }));
export const imagesOf = ({ cloud }: World) => cloud.scalingGroups.instances('workers').map(({ imageId }) => imageId);
export const eventsOf = async (world: World, reason: string) =>
  (await world.apply(world.client.list(events))).items.filter((event) => event.reason === reason);

/** What an update may leave behind: nothing. */
export async function expectTidy(world: World): Promise<void> {
  const group = await world.apply(world.cloud.scalingGroups.describe('workers'));
  expect(group).toMatchObject({ max: 4, desired: 3, suspended: [] });
  for (const { metadata, spec } of await world.nodes()) {
    expect(metadata.annotations ?? {}).not.toHaveProperty(['nodewright.dev/scale-down-disabled']);
    expect(spec?.taints ?? []).toEqual([]);
  }
}

/** A change of the group from outside. */
export async function setGroup(world: World, change: Partial<ScalingGroup>): Promise<void> {
  const group = await world.apply(world.cloud.scalingGroups.describe('workers'));
  if (group?.template === undefined) return;
  world.cloud.scalingGroups.put({ ...group, ...change, template: { ...group.template, ...change.template } });
}

export const setTemplate = async (world: World, change: Partial<ScalingTemplate>): Promise<void> => {
  const group = await world.apply(world.cloud.scalingGroups.describe('workers'));
  if (group?.template !== undefined) await setGroup(world, { template: { ...group.template, ...change } });
};
