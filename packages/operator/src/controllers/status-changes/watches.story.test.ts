import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

test('what becomes of a claim is told by an event for each condition, and counted', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  for (const reason of ['Launched', 'Registered', 'Initialized', 'Ready']) {
    const told = (await world.events(reason)).filter(({ involvedObject }) => involvedObject.kind === 'NodeClaim');
    expect(told, reason).toHaveLength(1);
    expect(told[0]?.message).toContain(`Type: ${reason}, Status: Unknown -> True`);
  }
  expect(await world.metric('operator_nodeclaim_status_condition_transitions_total')).toContain(
    'operator_nodeclaim_status_condition_transitions_total{type="Initialized",status="True",reason="Initialized",karpenter_k8s_aws_ec2nodeclass="default",karpenter_sh_nodepool="default"} 1',
  );
  await world.stop();
});
