import { hours, instant, nodeGroups, nodes, type NodeGroup } from '@nodewright/apis';
import type { FoundImage, ManagedGroup } from '@nodewright/ports';
import { aWorld, worldStart, type World } from './operator-world.ts';

/** What managed groups have before an update. */
export const oldGroupRelease = '1.28.0-20240101';

export const aGroupRelease = (version: string, traits: Partial<FoundImage> = {}): FoundImage => ({
  id: `ami-${version}`,
  name: `amazon-eks-node-1.28-${version}`,
  arch: 'amd64',
  variant: 'standard',
  createdAt: instant(worldStart - hours(30 * 24)),
  term: 0,
  version,
  recommended: true,
  ...traits,
});

export const anAutomaticGroup = (update: NodeGroup['spec']['update'] = {}): NodeGroup => ({
  metadata: { name: 'default' },
  spec: {
    eks: { name: 'default' },
    image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
    update: { mode: 'Automatic', ...update },
  },
});

type Traits = { readonly images?: readonly FoundImage[]; readonly group?: Partial<ManagedGroup> };

export async function aWorldWithManagedGroup({
  images = [aGroupRelease('v20240117')],
  group = {},
}: Traits = {}): Promise<World> {
  const world = aWorld({ images });
  world.cloud.managedGroups.put({
    name: 'default',
    status: 'ACTIVE',
    kubernetesVersion: '1.28',
    release: oldGroupRelease,
    imageKind: { family: 'al2', arch: 'amd64', variant: 'standard' },
    updateConfig: { maxUnavailable: 1 },
    issues: [],
    ...group,
  });
  for (const name of ['node-1', 'node-2']) await aManagedNode(world, name, 'ami-v20240101');
  return world;
}

export async function aManagedNode(world: World, name: string, image: string): Promise<void> {
  const labels = { 'eks.amazonaws.com/nodegroup': 'default', 'eks.amazonaws.com/nodegroup-image': image };
  await world.apply(world.client.create(nodes, { metadata: { name, labels } }));
}

export const createNodeGroup = (world: World, group = anAutomaticGroup()) =>
  world.apply(world.client.create(nodeGroups, group));
export const nodeGroupStatusOf = async (world: World) =>
  (await world.apply(world.client.get(nodeGroups, { name: 'default' })))?.status;
