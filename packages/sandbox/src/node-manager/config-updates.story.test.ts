import { UpdateNodegroupConfigCommand } from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { groupWorld } from '@nodewright/testkit/worlds';

const names = { clusterName: 'sandbox', nodegroupName: 'default' };

test('CFG-1, LBL-5: labels and taints reach running nodes, and those that are launched later', async () => {
  const world = await groupWorld();
  await world.started({ labels: { team: 'a', go: 'x' } });
  await world.eks.send(
    new UpdateNodegroupConfigCommand({
      ...names,
      labels: { addOrUpdateLabels: { team: 'b' }, removeLabels: ['go'] },
      taints: { addOrUpdateTaints: [{ key: 'only', value: 'web', effect: 'NO_SCHEDULE' }] },
      scalingConfig: { desiredSize: 4 },
    }),
  );
  await world.after(5);
  expect((await world.group()).status).toBe('ACTIVE');
  const nodes = await world.nodes();
  expect(nodes).toHaveLength(4);
  for (const { metadata, spec } of nodes) {
    expect([metadata.labels?.['team'], metadata.labels?.['go']]).toEqual(['b', undefined]);
    expect(spec?.taints).toEqual([{ key: 'only', value: 'web', effect: 'NoSchedule' }]);
  }
});

test('scenario 20, TRM-1, TRM-2: a smaller size takes its nodes within 15 minutes, whatever a budget says', async () => {
  const world = await groupWorld();
  await world.started();
  await world.deploy(6, 6);
  await world.eks.send(new UpdateNodegroupConfigCommand({ ...names, scalingConfig: { minSize: 1, desiredSize: 1 } }));
  await world.after(10);
  expect((await world.nodes()).length).toBeGreaterThan(1);
  await world.after(10);
  expect(await world.nodes()).toHaveLength(1);
});

test('TRM-1: a terminate hook of our own gives an instance more time than EKS does, and EKS does not answer it', async () => {
  const world = await groupWorld();
  await world.started();
  const { autoScaling } = world.aws;
  const name = world.scaling()?.name ?? '';
  autoScaling.putHook(name, {
    name: 'a-hook-of-ours',
    transition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    heartbeatSeconds: 3600,
    defaultResult: 'CONTINUE',
  });
  autoScaling.terminate(world.scaling()?.instances[0]?.id ?? '', false);
  await world.after(20);
  const ending = world.scaling()?.instances.filter(({ lifecycle }) => lifecycle === 'Terminating:Wait');
  expect(ending?.map(({ waits }) => waits?.map(({ hook }) => hook))).toEqual([['a-hook-of-ours']]);
  autoScaling.completeAction(name, { hook: 'a-hook-of-ours', instanceId: ending?.[0]?.id ?? '' }, 'CONTINUE');
  await world.after(5);
  expect(world.scaling()?.instances.map(({ lifecycle }) => lifecycle)).toEqual(['InService', 'InService', 'InService']);
});

test('a group for which nobody names a type gets t3.medium', async () => {
  const world = await groupWorld();
  await world.started({ instanceTypes: undefined });
  expect(await world.group()).toMatchObject({ status: 'ACTIVE', instanceTypes: ['t3.medium'] });
  expect((await world.nodes()).map(({ status }) => status?.capacity?.['pods'])).toEqual(['17', '17', '17']);
});
