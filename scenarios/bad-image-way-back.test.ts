import { type Pod, type PodDisruptionBudget, podDisruptionBudgets, pods } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';

/** The newest AL2 release of 1.29 when the story begins, and one that came out with containers that do not start. */
const good = 'v20240129';
const bad = 'v20240202';

const badRelease = {
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: bad,
  imageId: 'ami-0bad0bad0bad0bad0',
  name: `amazon-eks-node-1.29-${bad}`,
  createdAt: '2024-02-02T20:00:00Z',
  publishedAt: '2024-02-03T18:00:00Z',
  behavior: 'containersFail',
};

const budgetOf = (spec: Partial<PodDisruptionBudget['spec']>): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'inflate' } }, ...spec },
});

type World = Awaited<ReturnType<typeof imageWorld>>;

/** Six nodes have gone to the bad image as far as the PodDisruptionBudget let them. */
async function worldOnBadImage(spec: Partial<PodDisruptionBudget['spec']>): Promise<World> {
  const world = await imageWorld({ start: '2024-02-03T16:00:00Z', releases: [badRelease] });
  await world.time.finish(world.admin.create(podDisruptionBudgets, budgetOf(spec)));
  await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), nodePoolOf(), deploymentOf(6));
  await world.until('2024-02-03T17:30:00Z');
  expect(new Set(await world.running())).toEqual(new Set([good]));
  await world.until('2024-02-03T20:00:00Z');
  return world;
}

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
const appPods = async ({ time, admin }: World): Promise<readonly Pod[]> =>
  (await time.finish(admin.list(pods))).items.filter(({ metadata }) => metadata.labels?.['app'] === 'inflate');

describe('an image on which containers do not start', () => {
  test('holds no node after it was withdrawn, although the PodDisruptionBudget of their pods allows no disruption', async () => {
    const world = await worldOnBadImage({ minAvailable: 4 });
    const before = await appPods(world);
    expect(before.filter((pod) => !isReady(pod)).length).toBeGreaterThan(0);
    expect(await world.running()).toContain(bad);
    const [budget] = (await world.time.finish(world.admin.list(podDisruptionBudgets))).items;
    expect(budget?.status?.disruptionsAllowed).toBe(0);

    world.aws.releases.withdraw({ family: 'AL2', version: bad }, world.time.clock.now());
    await world.until('2024-02-03T21:00:00Z');
    expect(new Set(await world.running())).toEqual(new Set([good]));
    expect((await appPods(world)).filter(isReady)).toHaveLength(6);
    await world.end();
  });
});
