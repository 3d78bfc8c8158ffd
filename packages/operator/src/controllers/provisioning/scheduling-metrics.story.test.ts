import { pods, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

const asking = (name: string, cpu: string): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }] },
});

test('metrics tell of rounds, and of the pods they leave behind', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const value = async (start: string): Promise<number> => {
    const [line = '', ...others] = await world.metric(start);
    expect(others, start).toEqual([]);
    return Number(line.split(' ').at(-1));
  };
  const rounds = 'karpenter_scheduler_scheduling_duration_seconds_count{controller="provisioner"}';
  const decided = 'karpenter_pods_scheduling_decision_duration_seconds_count';
  const unplaced = 'karpenter_scheduler_unschedulable_pods_count{controller="provisioner"}';
  const zones = 'karpenter_scheduler_pending_pods_by_effective_zone_count';
  const [roundsBefore, decidedBefore] = [await value(rounds), await value(decided)];
  expect(await value(unplaced)).toBe(0);
  await world.apply(world.client.create(pods, asking('huge', '900')));
  await world.advance(5_000);
  expect(await value(rounds)).toBeGreaterThan(roundsBefore);
  expect(await value(decided)).toBe(decidedBefore + 1);
  expect(await value(unplaced)).toBe(1);
  expect(await world.metric(zones)).toEqual([`${zones}{controller="provisioner",zone="flexible"} 1`]);
  // It was decided on, though in vain: it waits for a node, not for a decision.
  expect(await world.metric('karpenter_pods_provisioning_scheduling_undecided_time_seconds{')).toEqual([]);
  expect(await world.metric('karpenter_pods_provisioning_unbound_time_seconds{')).toEqual([]);
  expect(await value('karpenter_pods_unbound_time_seconds{name="huge",namespace="default"}')).toBeGreaterThan(4);
  // No round is at work now.
  expect(await world.metric('karpenter_scheduler_queue_depth{')).toEqual([]);
  expect(await world.metric('karpenter_scheduler_unfinished_work_seconds{')).toEqual([]);
  await world.stop();
});
