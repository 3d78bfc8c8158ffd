import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

test('metrics show what is there when somebody looks', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const value = async (start: string): Promise<number> => {
    const [line = '', ...others] = await world.metric(start);
    expect(others, start).toEqual([]);
    return Number(line.split(' ').at(-1));
  };
  const [node] = await world.nodes();
  expect(await value('karpenter_nodepools_limit{resource_type="cpu",nodepool="default"}')).toBe(1_000);
  expect(await value('karpenter_nodepools_usage{resource_type="nodes",nodepool="default"}')).toBe(1);
  expect(await value('karpenter_nodepools_allowed_disruptions{nodepool="default",reason="Drifted"}')).toBe(1);
  expect(await value('karpenter_cluster_state_node_count')).toBe(1);
  expect(await value('karpenter_cluster_state_synced')).toBe(1);
  const requests = (await world.metric('karpenter_nodes_total_pod_requests')).filter((line) =>
    line.includes('resource_type="cpu"'),
  );
  expect(requests).toHaveLength(1);
  expect(requests[0]).toContain(`node_name="${node?.metadata.name}"`);
  expect(requests[0]).toMatch(/capacity_type="on-demand".* 1\.4$/);
  expect((await world.metric('karpenter_pods_state')).map((line) => line.includes('phase="Running"'))).toEqual([
    true,
    true,
  ]);
  const ready = (await world.metric('operator_nodeclaim_status_condition_count')).filter((line) =>
    line.includes('type="Ready",status="True"'),
  );
  expect(ready).toHaveLength(1);
  expect(await value('karpenter_pods_bound_duration_seconds_count')).toBe(2);
  expect(await value('karpenter_pods_startup_duration_seconds_count')).toBe(2);
  expect(await value('karpenter_nodepools_cost_total{nodepool="default"}')).toBeGreaterThan(0);
  expect(await value('karpenter_pods_scheduling_decision_duration_seconds_count')).toBe(2);
  expect(await world.metric('karpenter_pods_provisioning_scheduling_undecided_time_seconds{')).toEqual([]);
  const created = 'controller="nodeclaim.lifecycle",method="Create",provider="aws"';
  expect(await value(`karpenter_cloudprovider_duration_seconds_count{${created}}`)).toBe(1);
  expect(await world.metric('karpenter_scheduler_queue_depth{')).toEqual([]);
  await world.stop();
  expect(await world.metric('karpenter_pods_state{')).toEqual([]);
});

test('metrics show what instance types have and cost, as found after the reading before', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const ofTypes = () => world.metric('karpenter_cloudprovider_instance_type_');
  expect(await ofTypes()).toEqual([]);
  await world.advance(1_000);
  const lines = await ofTypes();
  const valueOf = (start: string) =>
    lines.filter((line) => line.startsWith(`karpenter_cloudprovider_instance_type_${start}`));
  expect(valueOf('cpu_cores{instance_type="m5.large"}')).toEqual([expect.stringMatching(/ 2$/)]);
  expect(valueOf('memory_bytes{instance_type="m5.large"}')).toHaveLength(1);
  const offering = 'instance_type="m5.large",capacity_type="on-demand",zone="us-east-1a"';
  expect(valueOf(`offering_available{${offering}}`)).toEqual([expect.stringMatching(/ 1$/)]);
  expect(valueOf(`offering_price_estimate{${offering}}`)).toEqual([expect.stringMatching(/ 0\.\d+$/)]);
  await world.stop();
  expect(await ofTypes()).toEqual([]);
});
