import {
  conditionOf,
  fromTimestamp,
  imageRules,
  instant,
  type KubernetesObject,
  minutes,
  nodeRolloutPolicies,
  type NodeRollout,
  type NodeRolloutPolicySpec,
  nodeRollouts,
  pods,
} from '@nodewright/apis';
import type { NodeBehavior } from '@nodewright/aws-endpoints';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from '../support/image-world.ts';

/** The newest AL2 release of 1.29 when a story begins, and the one that comes out in it. */
export const provenRelease = 'v20240129';
export const triedRelease = 'v20240202';
export const rolloutStart = '2024-02-03T16:00:00Z';
/** When the moving parameter comes to the new release. */
export const releaseAt = '2024-02-03T16:20:00Z';

const releaseThat = (behavior: NodeBehavior | undefined) => ({
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: triedRelease,
  imageId: 'ami-0bad0bad0bad0bad0',
  name: `amazon-eks-node-1.29-${triedRelease}`,
  createdAt: '2024-02-02T20:00:00Z',
  publishedAt: releaseAt,
  ...(behavior === undefined ? {} : { behavior }),
});

export type RolloutWorldTraits = {
  readonly nodes: number;
  readonly behavior?: NodeBehavior;
  readonly policy?: NodeRolloutPolicySpec;
};

/** A pool of nodes with a pod each, on the good release, with or without a policy; the new release comes soon after. */
export async function rolloutWorld({ nodes, behavior, policy }: RolloutWorldTraits) {
  const world = await imageWorld({ start: rolloutStart, releases: [releaseThat(behavior)] });
  const { time, admin } = world;
  await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), nodePoolOf(), deploymentOf(nodes));
  if (policy !== undefined)
    await time.finish(admin.create(nodeRolloutPolicies, { metadata: { name: 'production' }, spec: policy }));
  const rollouts = async (): Promise<readonly NodeRollout[]> => (await time.finish(admin.list(nodeRollouts))).items;
  /** Pods of the application that are Ready. */
  const readyPods = async (): Promise<number> => {
    const { items } = await time.finish(admin.list(pods));
    return items.filter(
      (pod) => pod.metadata.labels?.['app'] === 'inflate' && conditionOf(pod, 'Ready')?.status === 'True',
    ).length;
  };
  return {
    ...world,
    rollouts,
    /** Every instance that was launched from the new release, as long as EC2 tells of it. */
    everOnNewRelease: (): number => world.launched().filter((version) => version === triedRelease).length,
    onNewRelease: async (): Promise<number> =>
      (await world.running()).filter((version) => version === triedRelease).length,
    rules: async () => (await time.finish(admin.list(imageRules))).items,
    readyPods,
    annotate: (name: string, annotations: Readonly<Record<string, string>>): Promise<KubernetesObject> =>
      time.finish(admin.patch(nodeRollouts, { name }, { type: 'merge', patch: { metadata: { annotations } } })),
    minutesAfterRelease: (count: number) => time.run(instant(fromTimestamp(releaseAt) + minutes(count))),
  };
}
