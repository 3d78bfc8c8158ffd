import { instant, nodes, pods, type Node } from '@nodewright/apis';
import type { ScalingInstance } from '@nodewright/ports';
import type { World } from './operator-world.ts';

const bootMs = 40_000;
const endMs = 20_000;

export const nodeNameOf = ({ id }: Pick<ScalingInstance, 'id'>): string => `node-${Number(id.slice(2))}`;

/** Makes the instances of the Auto Scaling groups of a world boot into nodes and take them along when they end. */
export function groupMachines({ time: { clock }, client, cloud }: World, { broken = '' } = {}): void {
  const later = (ms: number, work: () => Promise<unknown>): void => {
    clock.at(instant(clock.now() + ms), () => void work().catch(() => undefined));
  };
  cloud.scalingGroups.onLaunch = (instance) => {
    if (instance.imageId !== broken) later(bootMs, () => join(client, instance));
  };
  cloud.scalingGroups.onEnd = (instance) => later(endMs, () => leave(client, nodeNameOf(instance)));
  const converge = (): void => {
    cloud.scalingGroups.converge();
    clock.at(instant(clock.now() + 30_000), converge);
  };
  clock.at(instant(clock.now() + 1_000), converge);
}

type Client = World['client'];

async function join(client: Client, { id, zone, imageId }: ScalingInstance): Promise<void> {
  const name = nodeNameOf({ id });
  await client.create(nodes, {
    metadata: { name, labels: { 'topology.kubernetes.io/zone': zone, image: imageId } },
    spec: { providerID: `aws:///${zone}/${id}` },
  });
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] } satisfies Node['status'];
  await client.patch(nodes, { name }, { type: 'merge', patch: { status: ready } }, { subresource: 'status' });
  // As the node lifecycle controller does with the taint that every new node has.
  await client.patch(nodes, { name }, { type: 'merge', patch: { spec: { taints: null } } });
}

async function leave(client: Client, name: string): Promise<void> {
  const { items } = await client.list(pods, { fieldSelector: `spec.nodeName=${name}` });
  for (const { metadata } of items) {
    const key = { name: metadata.name, namespace: metadata.namespace ?? 'default' };
    await client.delete(pods, key, { gracePeriodSeconds: 0 });
  }
  await client.delete(nodes, { name });
}
