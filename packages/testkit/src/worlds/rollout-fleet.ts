import {
  byText,
  type ImageRule,
  imageRules,
  instant,
  type Instant,
  minutes,
  nodePools,
  nodeRolloutPolicies,
  type NodeRolloutPolicySpec,
  nodeRollouts,
  ec2NodeClasses,
} from '@nodewright/apis';
import type { FoundImage } from '@nodewright/ports';
import { anInstanceType } from '../an-instance-type.ts';
import { aNodeClass, aPool, aWorld, worldStart, type World, type WorldOptions } from './operator-world.ts';

const fleetImageOfDay = (day: number): FoundImage => ({
  id: `ami-${day}`,
  name: `amazon-eks-node-1.28-v202401${String(day).padStart(2, '0')}`,
  version: `v202401${String(day).padStart(2, '0')}`,
  arch: 'amd64',
  variant: 'standard',
  createdAt: instant(worldStart + minutes(day) - minutes(100)),
  term: 0,
});

/** The image that the nodes of a fleet begin on, and the one that comes out. */
export const provenImageId = 'ami-10';
export const newImageId = 'ami-20';

/** Waves that are over soon: one node for ten minutes, then the others. */
export const quickWaves: NodeRolloutPolicySpec = {
  waves: [
    { name: 'canary', nodes: 1, soak: '10m' },
    { name: 'all', nodes: '100%' },
  ],
  pace: { minInterval: '1s' },
};

export type RolloutFleet = World & {
  /** The new image is out. */
  readonly publish: () => void;
  readonly imagesOfNodes: () => Promise<readonly string[]>;
  /** Images of everything that was launched so far. */
  readonly launchedImages: () => readonly (string | undefined)[];
  readonly rollouts: () => Promise<readonly Awaited<ReturnType<typeof readRollouts>>[number][]>;
  readonly rules: () => Promise<readonly ImageRule[]>;
  readonly request: (annotations: Readonly<Record<string, string | null>>, name?: string) => Promise<void>;
};

const readRollouts = async (world: World) => (await world.apply(world.client.list(nodeRollouts))).items;

/** Nodes of one pod each on the proven image, with a policy or without one. */
export async function aRolloutFleet(
  nodes: number,
  policy?: NodeRolloutPolicySpec,
  traits: Pick<WorldOptions, 'shared' | 'settings'> = {},
): Promise<RolloutFleet> {
  let isOut = false;
  const images = () => (isOut ? [fleetImageOfDay(10), fleetImageOfDay(20)] : [fleetImageOfDay(10)]);
  const offerings = [['us-east-1a', 'on-demand', 96_000]] as const;
  const world = aWorld({ ...traits, images, instanceTypes: [anInstanceType('m5.large', { cpu: 1, offerings })] });
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  const disruption = { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] } as const;
  await world.apply(world.client.create(nodePools, aPool({ expireAfter: 'Never' }, { disruption })));
  if (policy !== undefined)
    await world.apply(world.client.create(nodeRolloutPolicies, { metadata: { name: 'production' }, spec: policy }));
  world.keepPods(nodes, { nodeSelector: { team: 'my-team' } });
  await world.advance(minutes(4));
  return {
    ...world,
    publish: () => {
      isOut = true;
    },
    imagesOfNodes: async () => (await world.claims()).map(({ status }) => status?.imageID ?? '').toSorted(byText),
    launchedImages: () => world.cloud.fleet.requests.map(({ images: [first] }) => first?.id),
    rollouts: () => readRollouts(world),
    rules: async () => (await world.apply(world.client.list(imageRules))).items,
    request: async (annotations, name = 'production-1') => {
      const patch = { metadata: { annotations } };
      await world.apply(world.client.patch(nodeRollouts, { name }, { type: 'merge', patch }));
    },
  };
}

/** Lets minutes pass until something holds; says whether it does. */
export async function passesWithin(world: World, limit: number, holds: () => Promise<boolean>): Promise<boolean> {
  const end: Instant = instant(world.time.clock.now() + minutes(limit));
  while (world.time.clock.now() < end) {
    if (await holds()) return true;
    await world.advance(minutes(1));
  }
  return holds();
}
