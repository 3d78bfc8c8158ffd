import type { EC2NodeClass } from '@nodewright/apis';
import type { Cloud, LaunchOutcome } from '@nodewright/ports';
import { createMetrics } from '@nodewright/runtime';
import { aNodeClassOfAccount, anAwsAccount, never, resolvedIn } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function countedAccount() {
  const { time, aws, cloudWith } = anAwsAccount({ zones: 3 });
  await aws.load();
  const metrics = createMetrics();
  const cloud = cloudWith({ metrics });
  const lines = async (name: string): Promise<readonly string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`karpenter_cloudprovider_${name}`));
  const nodeClass = await resolvedIn({ time, cloud: cloudWith() }, aNodeClassOfAccount());
  return { time, aws, cloud, metrics, lines, nodeClass, launch: () => time.finish(launchWith(cloud, nodeClass)) };
}

const claim = {
  metadata: {
    name: 'default-abcde',
    uid: 'claim-uid',
    labels: { 'karpenter.sh/nodepool': 'default', 'node.kubernetes.io/instance-type': 'm5.large' },
  },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [],
  },
};

async function launchWith(cloud: Cloud, nodeClass: EC2NodeClass): Promise<LaunchOutcome> {
  const instanceTypes = await cloud.instanceTypes.list(nodeClass, never);
  const images = nodeClass.status?.amis ?? [];
  return cloud.instances.launch({ claim, attempt: 1, nodeClass, instanceTypes, images }, never);
}

test('each place of a fleet that EC2 did not grant is counted, with its code', async () => {
  const { aws, launch, lines } = await countedAccount();
  aws.faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1a' });
  aws.faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1b' });
  aws.faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1c' });
  await launch();
  const found = await lines('instance_launch_failures_total');
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]).toMatch(
    /\{zone="us-east-1[abc]",zone_id="use1-az\d",capacity_type="spot",reason="InsufficientInstanceCapacity"\} \d+$/,
  );
});

test('a launch that is refused as a whole is counted without a place', async () => {
  const { aws, launch, lines } = await countedAccount();
  aws.faults.add({ kind: 'deny', operation: 'CreateFleet' });
  await launch();
  expect(await lines('instance_launch_failures_total')).toEqual([
    'karpenter_cloudprovider_instance_launch_failures_total{zone="",zone_id="",capacity_type="spot",reason="UnauthorizedOperation"} 1',
  ]);
});

test('the user data of a launch template is shown by its EC2NodeClass, until that is gone', async () => {
  const { time, cloud, launch, metrics, nodeClass } = await countedAccount();
  await launch();
  const { name } = nodeClass.metadata;
  expect(await metrics.text()).toMatch(
    new RegExp(`^karpenter_ec2nodeclasses_userdata_bytes\\{nodeclass="${name}"\\} [1-9]\\d+$`, 'm'),
  );
  await time.finish(cloud.nodeClasses.cleanUp(nodeClass, never));
  expect(await metrics.text()).not.toMatch(/^karpenter_ec2nodeclasses_userdata_bytes\{/m);
});

test('an end that is refused is counted, and so are the batches of ends and descriptions', async () => {
  const { time, aws, cloud, launch, lines } = await countedAccount();
  const outcome = await launch();
  if (outcome.kind !== 'launched') throw new Error(outcome.message);
  const { providerId, zone } = outcome.instance;
  aws.faults.add({ kind: 'deny', operation: 'TerminateInstances' });
  await expect(time.finish(cloud.instances.terminate(providerId, never))).rejects.toThrow();
  const [failed] = await lines('instance_termination_failures_total');
  expect(failed).toMatch(new RegExp(`\\{zone="${zone}",zone_id="[^"]*"\\} 1$`));
  const batches = await lines('batcher_batch_size_count');
  expect(batches).toEqual([
    'karpenter_cloudprovider_batcher_batch_size_count{batcher="describe_instances"} 1',
    'karpenter_cloudprovider_batcher_batch_size_count{batcher="terminate_instances"} 1',
  ]);
  expect(await lines('batcher_batch_time_seconds_sum')).toEqual([
    'karpenter_cloudprovider_batcher_batch_time_seconds_sum{batcher="describe_instances"} 0.1',
    'karpenter_cloudprovider_batcher_batch_time_seconds_sum{batcher="terminate_instances"} 0.1',
  ]);
});
