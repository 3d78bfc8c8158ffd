import { CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { CreateCapacityReservationCommand, CreateLaunchTemplateCommand } from '@aws-sdk/client-ec2';
import { CreateNodegroupCommand } from '@aws-sdk/client-eks';
import { type EC2NodeClass, instant, minutes, byTextOf, inReverse } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import type { Cloud } from '@nodewright/ports';
import { seededRandom } from '@nodewright/runtime';
import {
  aGroup,
  anAwsAccount,
  clusterName,
  describeAccountContract,
  describeInstanceContract,
  describeInterruptionContract,
  describeManagedGroupContract,
  describeMarketContract,
  describeNodeClassContract,
  describeScalingGroupContract,
  groupWorld,
  newRelease,
  resolvedIn,
} from '@nodewright/testkit/worlds';
import { createInProcessClients } from './calls/in-process-clients.ts';
import { createAwsCloud } from './cloud.ts';

const nodeClass: EC2NodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default', uid: 'class-uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
    securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
  },
};

async function anAccount() {
  const account = anAwsAccount();
  const { time, aws } = account;
  await aws.load();
  const clients = account.clients();
  const cloud: Cloud = account.cloudWith({ clients });
  const finish = <T>(work: Promise<T>): Promise<T> => time.finish(work);
  return {
    ...account,
    clients,
    cloud,
    nodeClass: await resolvedIn({ time, cloud }, nodeClass),
    finish,
    /** A call of a test, outside of the cloud under test. */
    send: <T>(call: (options: object) => Promise<T>): Promise<T> =>
      finish(time.gate.call((ticket) => call({ ticket }))),
    pass: (ms: number): Promise<void> => time.run(instant(time.clock.now() + ms)),
  };
}

const name = 'AWS';

describeInstanceContract(name, anAccount);
describeMarketContract(name, anAccount);
describeNodeClassContract(name, anAccount);

describeAccountContract(name, async () => {
  const account = await anAccount();
  const request = {
    InstanceType: 'm5.large',
    InstancePlatform: 'Linux/UNIX',
    InstanceCount: 1,
    AvailabilityZone: 'us-east-1b',
    InstanceMatchCriteria: 'targeted',
  } as const;
  return {
    ...account,
    reserve: async () => {
      const { CapacityReservation } = await account.send((options) =>
        account.clients.ec2.send(new CreateCapacityReservationCommand(request), options),
      );
      return CapacityReservation?.CapacityReservationId ?? '';
    },
  };
});

describeInterruptionContract(name, async () => {
  const { aws, time, cloudWith, finish } = await anAccount();
  const { interruptions } = cloudWith({ interruptionQueue: clusterName });
  if (interruptions === undefined) throw new Error('there is no queue');
  const announcementOf = (instanceId: string) => ({
    version: '0',
    source: 'aws.ec2',
    'detail-type': 'EC2 Spot Instance Interruption Warning',
    detail: { 'instance-id': instanceId },
  });
  return {
    interruptions,
    announce: (id) => void aws.queues.send(clusterName, { body: JSON.stringify(announcementOf(id)), sender: 'test' }),
    now: () => time.clock.now(),
    finish,
  };
});

const [newImage = '', oldImage = ''] = builtInReleases()
  .of('1.28')
  .filter(({ family, variant, arch }) => `${family} ${variant} ${arch}` === 'AL2 standard amd64')
  .filter(({ publishedAt }) => publishedAt < '2024-01-28')
  .toSorted(inReverse(byTextOf(({ createdAt }) => createdAt)))
  .map(({ imageId }) => imageId);

describeScalingGroupContract(name, async () => {
  const { cloud, clients, nodeClass: resolved, send, finish, pass } = await anAccount();
  const template = { LaunchTemplateName: 'workers' };
  const data = { ImageId: oldImage, InstanceType: 'm5.large' } as const;
  const subnets = (resolved.status?.subnets ?? []).slice(0, 2).map(({ id }) => id);
  const group = {
    AutoScalingGroupName: 'workers',
    MinSize: 1,
    MaxSize: 4,
    DesiredCapacity: 3,
    VPCZoneIdentifier: subnets.join(','),
    LaunchTemplate: template,
    Tags: [{ Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned', PropagateAtLaunch: true }],
  };
  await send((options) =>
    clients.ec2.send(new CreateLaunchTemplateCommand({ ...template, LaunchTemplateData: data }), options),
  );
  await send((options) => clients.autoScaling.send(new CreateAutoScalingGroupCommand(group), options));
  await pass(minutes(2));
  return { scalingGroups: cloud.scalingGroups, newImage, finish, pass };
});

describeManagedGroupContract(name, async () => {
  const world = await groupWorld();
  const { aws, time, after, eks } = world;
  const { clock, gate } = time;
  await eks.send(
    new CreateNodegroupCommand({
      ...aGroup(aws),
      nodegroupName: 'workers',
      scalingConfig: { minSize: 1, maxSize: 2, desiredSize: 1 },
    }),
  );
  await after(5);
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const { managedGroups } = createAwsCloud({
    clock,
    gate,
    random: seededRandom(2),
    clusterName: 'sandbox',
    region: 'us-east-1',
    clients,
  });
  return {
    managedGroups,
    kubernetesVersion: '1.23',
    newRelease,
    finish: (work) => time.finish(work),
    pass: (ms) => time.run(instant(clock.now() + ms)),
  };
});
