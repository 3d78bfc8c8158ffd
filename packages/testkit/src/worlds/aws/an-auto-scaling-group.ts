import { minutes } from '@nodewright/apis';
import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { anEc2, templateName } from './an-ec2.ts';
import { inProcess } from './sdk-in-process.ts';

export const AutoScalingGroupName = 'workers';

/** A group over three zones, one private subnet each. */
export async function anAutoScalingGroup(sizes: { MinSize: number; MaxSize: number; DesiredCapacity: number }) {
  const ec2 = await anEc2();
  const client = new AutoScalingClient(inProcess(ec2.aws.handle));
  const subnets = ['us-east-1a', 'us-east-1b', 'us-east-1c'].map(ec2.subnetIn);
  await client.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName,
      ...sizes,
      VPCZoneIdentifier: subnets.join(','),
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '1' },
          Overrides: [{ InstanceType: 'm5.large' }],
        },
      },
      Tags: [{ Key: 'team', Value: 'web', PropagateAtLaunch: true }],
    }),
  );
  const group = async () => {
    const { AutoScalingGroups = [] } = await client.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
    );
    return AutoScalingGroups[0];
  };
  const zones = async () =>
    ((await group())?.Instances ?? [])
      .map(({ AvailabilityZone = '' }) => AvailabilityZone.slice(-1))
      .toSorted()
      .join('');
  const update = (change: object) =>
    client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, ...change }));
  const end = (InstanceId: string, ShouldDecrementDesiredCapacity: boolean) =>
    client.send(new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity }));
  await ec2.clock.advance(minutes(1));
  return { ...ec2, asg: client, group, zones, update, end };
}
