import { nodeClaims } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

test('metrics tell how long claims, their instances and their nodes take to end', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  await world.apply(world.client.delete(nodeClaims, { name: claim?.metadata.name ?? '' }));
  await world.advance(300_000);
  for (const what of [
    'nodeclaims_termination_duration_seconds',
    'nodeclaims_instance_termination_duration_seconds',
    'nodes_termination_duration_seconds',
  ]) {
    expect(await world.metric(`karpenter_${what}_count`), what).toEqual([
      `karpenter_${what}_count{nodepool="default"} 1`,
    ]);
  }
  const [sum = ''] = await world.metric('karpenter_nodeclaims_instance_termination_duration_seconds_sum');
  const [whole = ''] = await world.metric('karpenter_nodeclaims_termination_duration_seconds_sum');
  const secondsOf = (line: string): number => Number(line.split(' ').at(-1));
  expect(secondsOf(sum)).toBeLessThanOrEqual(secondsOf(whole));
  await world.stop();
});
