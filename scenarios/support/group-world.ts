import { CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSubnetsCommand,
} from '@aws-sdk/client-ec2';
import { CreateNodegroupCommand, ListUpdatesCommand } from '@aws-sdk/client-eks';
import {
  type Deployment,
  deployments,
  type NodeGroup,
  nodeGroups,
  nodes,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
  byTextOf,
  inReverse,
  minutes,
} from '@nodewright/apis';
import { createAwsClients, createAwsCloud, inProcessRequestHandler } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { clusterName, type ForceOptions, forceWorld, start } from './force-world.ts';

const region = 'us-east-1';
const never = new AbortController().signal;

/** The AL2 images of the cluster's version that are out when the world begins, newest first. */
const [newest, previous] = builtInReleases()
  .of('1.28')
  .filter(({ family, variant, arch }) => `${family} ${variant} ${arch}` === 'AL2 standard amd64')
  .filter(({ publishedAt }) => Date.parse(publishedAt) <= start)
  .toSorted(inReverse(byTextOf(({ publishedAt }) => publishedAt)));
export const targetImage = newest?.imageId ?? '';

export type GroupSpec = { readonly name: string; readonly kind: 'eks' | 'plain'; readonly size: number };

/** A world with node groups one image behind, and an application with a budget on their nodes. */
export async function groupWorld(groups: readonly GroupSpec[], options: ForceOptions) {
  const world = await forceWorld(options);
  const { gate, clock } = world.time;
  const clients = createAwsClients({ region, requestHandler: inProcessRequestHandler(gate, world.sandbox.aws.handle) });
  const cloud = createAwsCloud({ clock, gate, random: seededRandom(9), clusterName, region, clients });
  const send = <T>(work: (options: object) => Promise<T>): Promise<T> =>
    world.apply(gate.call((ticket) => work({ ticket })));
  const { Subnets = [] } = await send((how) => clients.ec2.send(new DescribeSubnetsCommand({}), how));
  const subnets = Subnets.filter(({ MapPublicIpOnLaunch }) => MapPublicIpOnLaunch !== true).map(
    ({ SubnetId = '' }) => SubnetId,
  );
  const makers = {
    eks: ({ name, size }: GroupSpec) =>
      send((how) =>
        clients.eks.send(
          new CreateNodegroupCommand({
            clusterName,
            nodegroupName: name,
            subnets,
            nodeRole: `arn:aws:iam::111122223333:role/karpenterNodeRole-${clusterName}`,
            instanceTypes: ['m5.large'],
            amiType: 'AL2_x86_64',
            releaseVersion: releaseOf(previous),
            scalingConfig: { minSize: 1, maxSize: size + 1, desiredSize: size },
          }),
          how,
        ),
      ),
    plain: async ({ name, size }: GroupSpec) => {
      const LaunchTemplateData = {
        ImageId: previous?.imageId,
        InstanceType: 'm5.large' as const,
        UserData: Buffer.from(`#!/bin/bash\n/etc/eks/bootstrap.sh ${clusterName}\n`).toString('base64'),
      };
      await send((how) =>
        clients.ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: name, LaunchTemplateData }), how),
      );
      return send((how) =>
        clients.autoScaling.send(
          new CreateAutoScalingGroupCommand({
            AutoScalingGroupName: name,
            LaunchTemplate: { LaunchTemplateName: name, Version: '1' },
            MinSize: 1,
            MaxSize: size + 1,
            DesiredCapacity: size,
            VPCZoneIdentifier: subnets.join(','),
            Tags: [{ Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned', PropagateAtLaunch: true }],
          }),
          how,
        ),
      );
    },
  };
  for (const group of groups) await makers[group.kind](group);
  await world.advance(minutes(5));
  const replicas = groups.reduce((sum, { size }) => sum + size, 0);
  await world.apply(world.client.create(deployments, application(replicas)));
  await world.apply(world.client.create(podDisruptionBudgets, budget));
  await world.advance(minutes(1));
  return {
    ...world,
    replicas,
    keep: async () => {
      for (const group of groups) await world.apply(world.client.create(nodeGroups, keptGroup(group)));
    },
    nodeGroups: async () => (await world.apply(world.client.list(nodeGroups))).items,
    nodes: async () => (await world.apply(world.client.list(nodes))).items,
    readyPods: async () =>
      (await world.apply(world.client.list(pods, { namespace: 'default' }))).items.filter(
        ({ metadata, status }) =>
          metadata.deletionTimestamp === undefined &&
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
      ).length,
    /** As the provider describes it. */
    scaling: async ({ name, kind }: GroupSpec) => {
      const managed = kind === 'eks' ? await world.apply(cloud.managedGroups.describe(name, never)) : undefined;
      const described = await world.apply(cloud.scalingGroups.describe(managed?.scalingGroup ?? name, never));
      if (described === undefined) throw new Error(`there is no group ${name}`);
      return described;
    },
    updates: async (nodegroupName: string) =>
      (await send((how) => clients.eks.send(new ListUpdatesCommand({ name: clusterName, nodegroupName }), how)))
        .updateIds ?? [],
    versions: async (LaunchTemplateName: string) =>
      (await send((how) => clients.ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName }), how)))
        .LaunchTemplateVersions ?? [],
  };
}

export type GroupWorld = Awaited<ReturnType<typeof groupWorld>>;

/** `1.28.5-20240117`. */
const releaseOf = (release: typeof newest): string =>
  `${release?.kubeletVersion.replace(/^v/, '').replace(/-.*$/, '')}-${release?.version.replace('v', '')}`;

const keptGroup = ({ name, kind }: GroupSpec): NodeGroup => ({
  metadata: { name },
  spec: {
    ...(kind === 'eks' ? { eks: { name } } : { autoScalingGroup: { name } }),
    image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
    update: { mode: 'Automatic' },
  },
});

const labels = { app: 'web' };
const metadata = { namespace: 'default', name: 'web' };

const application = (replicas: number): Deployment => ({
  metadata: { ...metadata, labels },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '500m', memory: '512Mi' } } }],
      },
    },
  },
});

const budget: PodDisruptionBudget = {
  metadata,
  spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
};
