import {
  fromTimestamp,
  imageRules,
  instant,
  type KubernetesObject,
  minutes,
  nodeRolloutPolicies,
  type NodeRollout,
  type NodeRolloutPolicySpec,
  nodeRollouts,
} from '@nodewright/apis';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from '../support/image-world.ts';

const rolloutStart = '2024-02-03T16:00:00Z';
/** When the moving parameter comes to the new release. */
const triedReleaseAt = '2024-02-03T16:20:00Z';

const triedRelease = {
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: 'v20240202',
  imageId: 'ami-0bad0bad0bad0bad0',
  name: 'amazon-eks-node-1.29-v20240202',
  createdAt: '2024-02-02T20:00:00Z',
  publishedAt: triedReleaseAt,
};

/** A pool of nodes with a pod each, under a policy; a release comes out soon after. */
export async function rolloutWorld(nodes: number, policy: NodeRolloutPolicySpec) {
  const world = await imageWorld({ start: rolloutStart, releases: [triedRelease] });
  const { time, admin } = world;
  await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), nodePoolOf(), deploymentOf(nodes));
  await time.finish(admin.create(nodeRolloutPolicies, { metadata: { name: 'production' }, spec: policy }));
  return {
    rollouts: async (): Promise<readonly NodeRollout[]> => (await time.finish(admin.list(nodeRollouts))).items,
    rules: async () => (await time.finish(admin.list(imageRules))).items,
    annotate: (name: string, annotations: Readonly<Record<string, string>>): Promise<KubernetesObject> =>
      time.finish(admin.patch(nodeRollouts, { name }, { type: 'merge', patch: { metadata: { annotations } } })),
    minutesAfterRelease: (count: number) => time.run(instant(fromTimestamp(triedReleaseAt) + minutes(count))),
    end: () => world.end(),
  };
}
