import { events, instant, nodeGroups, nodes, podDisruptionBudgets, type NodeGroup } from '@nodewright/apis';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { scenarios } from '@nodewright/sandbox';
import { expect, test } from 'vitest';
import { createEmbeddedWorld } from '../packages/cli/src/world/embedded-world.ts';

const minute = 60_000;
const target = 'ami-0fcd72f3118e0dd88';

const keptUpToDate: NodeGroup = {
  metadata: { name: 'default' },
  spec: {
    eks: { name: 'default' },
    image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
    update: { mode: 'Automatic' },
  },
};

/** The sandbox's own managed node group, one image behind, and the operator beside it: all over the wire. */
async function aKeptGroup({ onFailure = 'leave' }: { onFailure?: 'leave' | 'revert' } = {}) {
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const scenario = scenarios.find(({ name }) => name === 'managed-node-group');
  const world = await createEmbeddedWorld({
    way: 'direct',
    clock: time.clock,
    gate: time.gate,
    random: seededRandom(1),
    clusterName: 'sandbox',
    kubernetesVersion: scenario?.kubernetesVersion ?? '',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    onFailure,
    controller: true,
  });
  const { sandbox } = world;
  const advance = (ms: number) => time.run(instant(time.clock.now() + ms));
  await time.finish(world.start());
  for (const step of scenario?.steps ?? []) {
    await time.finish(Promise.resolve(step.do(sandbox)));
    await advance(step.settlesInMs);
  }
  return {
    advance,
    setBudget: (maxUnavailable: number) =>
      time.finish(
        sandbox.admin.patch(
          podDisruptionBudgets,
          { name: 'ui', namespace: 'ui' },
          { type: 'merge', patch: { spec: { minAvailable: null, maxUnavailable } } },
        ),
      ),
    /** EKS recommends the release before again; images stay. */
    recall: () => sandbox.aws.releases.recall({ imageId: target }, time.clock.now()),
    told: async () =>
      (await time.finish(sandbox.admin.list(events, { namespace: 'default' }))).items.map(({ message }) => message),
    keep: () => time.finish(sandbox.admin.create(nodeGroups, keptUpToDate)),
    status: async () => (await time.finish(sandbox.admin.get(nodeGroups, { name: 'default' })))?.status,
    images: async () =>
      (await time.finish(sandbox.admin.list(nodes))).items.map(
        ({ metadata }) => metadata.labels?.['eks.amazonaws.com/nodegroup-image'],
      ),
    cordoned: async () =>
      (await time.finish(sandbox.admin.list(nodes))).items.filter(({ spec }) => spec?.unschedulable === true).length,
    stop: () => time.finish(world.stop()),
  };
}

test('scenario 1: a managed node group that a NodeGroup keeps reaches the newest image', async () => {
  const world = await aKeptGroup();
  await world.keep();
  await world.advance(45 * minute);
  expect(await world.images()).toEqual([target, target, target]);
  expect(await world.status()).toMatchObject({
    phase: 'UpToDate',
    target: { image: target, release: '1.23.14-20231002' },
    history: [{ number: 1, outcome: 'Successful' }],
  });
  await world.stop();
});

test('scenario 5: what would end in PodEvictionFailure is held before EKS is asked, and goes on when the budget yields', async () => {
  const world = await aKeptGroup();
  await world.setBudget(0);
  await world.advance(minute);
  await world.keep();
  await world.advance(30 * minute);
  expect(await world.status()).toMatchObject({
    phase: 'Blocked',
    blockedBy: [{ reason: 'PodDisruptionBudget', podDisruptionBudget: 'ui' }, {}, {}, {}],
  });
  expect(await world.images()).not.toContain(target);
  await world.setBudget(1);
  await world.advance(45 * minute);
  expect(await world.images()).toEqual([target, target, target]);
  await world.stop();
});

test('scenario 19, REL-7: a recommended release that is recalled moves no node back, and an event says why', async () => {
  const world = await aKeptGroup();
  await world.keep();
  await world.advance(45 * minute);
  expect(await world.images()).toEqual([target, target, target]);
  world.recall();
  await world.advance(60 * minute);
  expect(await world.images()).toEqual([target, target, target]);
  expect(await world.status()).toMatchObject({
    phase: 'Blocked',
    reason: 'the wanted release 1.23.14-20230919 is older than 1.23.14-20231002; name it in full to go back',
    history: [{ number: 1, outcome: 'Successful' }],
  });
  expect((await world.told()).join('\n')).toContain('name it in full to go back');
  await world.stop();
});

test('FAIL-10: an update that EKS turns around is told as one that was', async () => {
  const world = await aKeptGroup({ onFailure: 'revert' });
  await world.keep();
  for (let minutes = 0; minutes < 30 && (await world.cordoned()) === 0; minutes += 1) await world.advance(minute);
  await world.setBudget(0);
  await world.advance(35 * minute);
  await world.setBudget(1);
  await world.advance(10 * minute);
  expect(await world.images()).not.toContain(target);
  expect((await world.status())?.history).toMatchObject([{ outcome: 'Failed', reverted: true }]);
  const turned = (await world.told()).filter((message) => message.includes('turned around'));
  expect(turned).toEqual([expect.stringMatching(/: ip-[\w.-]+(, ip-[\w.-]+)* came back with the old image$/)]);
  await world.stop();
});
