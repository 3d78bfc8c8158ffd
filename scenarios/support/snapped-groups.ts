import { CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand } from '@aws-sdk/client-ec2';
import { CreateNodegroupCommand } from '@aws-sdk/client-eks';
import { type NodeGroup, nodeGroups, byTextOf, inReverse } from '@nodewright/apis';
import { builtInReleases, releaseVersionOf } from '@nodewright/aws-endpoints';
import { createInProcessClients } from '@nodewright/provider-aws';
import type { ForecastWorld } from '../../packages/forecast/src/world/forecast-world.ts';

/** Node groups of a cluster that is read, with two nodes each. Their names are `managed` and `plain`. */
export type SnappedGroups = {
  readonly which: readonly SnappedGroupKind[];
  /** The release that they launch first. */
  readonly release: 'newest' | 'previous';
  /** Whether the controllers keep them from the beginning. */
  readonly isKept: boolean;
};

/** A managed node group, or an Auto Scaling group without an owner. */
export type SnappedGroupKind = 'managed' | 'plain';

/** Images of AL2023 for amd64, from the newest, that were there at that instant. */
export const listGroupImages = (minor: string, at: string) =>
  builtInReleases()
    .of(minor)
    .filter(({ family, variant, arch }) => `${family} ${variant} ${arch}` === 'AL2023 standard amd64')
    .filter(({ publishedAt }) => publishedAt <= at)
    .toSorted(inReverse(byTextOf(({ publishedAt }) => publishedAt)));

/** The NodeGroup with which the controllers keep a group on the newest release. */
export const snappedNodeGroup = (name: string, group: Pick<NodeGroup['spec'], 'eks' | 'autoScalingGroup'>) => ({
  apiVersion: 'nodewright.dev/v1alpha1',
  kind: 'NodeGroup',
  metadata: { name },
  spec: {
    ...group,
    image: { amiSelectorTerms: [{ alias: 'al2023@latest' }] },
    update: { mode: 'Automatic' as const },
  },
});

export const snappedNodeGroups: Readonly<Record<SnappedGroupKind, NodeGroup>> = {
  managed: snappedNodeGroup('managed', { eks: { name: 'managed' } }),
  plain: snappedNodeGroup('plain', { autoScalingGroup: { name: 'plain' } }),
};

/** EKS grows a group by two nodes for each zone before it replaces one. */
export const zonesOfSnappedGroups = ['us-east-1a', 'us-east-1b'];

type GroupPlace = { readonly clusterName: string; readonly start: string };

export async function createSnappedGroups(
  world: ForecastWorld,
  { which, release, isKept }: SnappedGroups,
  { clusterName, start }: GroupPlace,
): Promise<void> {
  const { time, aws, admin } = world;
  const [newest, previous] = listGroupImages(aws.eks.controlPlane.version, start);
  const image = release === 'newest' ? newest : previous;
  if (image === undefined) throw new Error(`no image of AL2023 was there at ${start}`);
  const subnetIds = aws.ec2.network.subnets
    .filter(({ public: isPublic, zone }) => !isPublic && zonesOfSnappedGroups.includes(zone))
    .map(({ id }) => id);
  for (const kind of which) {
    if (kind === 'managed') await createManaged(world, { clusterName, subnetIds, release: releaseVersionOf(image) });
    else await createPlain(world, { clusterName, subnetIds, imageId: image.imageId });
    if (isKept) await time.finish(admin.create(nodeGroups, snappedNodeGroups[kind]));
  }
}

type NewGroup = { readonly clusterName: string; readonly subnetIds: string[] };

async function createManaged(
  world: ForecastWorld,
  { clusterName, subnetIds, release }: NewGroup & { release: string },
) {
  const group = new CreateNodegroupCommand({
    clusterName,
    nodegroupName: 'managed',
    subnets: subnetIds,
    nodeRole: `arn:aws:iam::111122223333:role/KarpenterNodeRole-${clusterName}`,
    instanceTypes: ['m5.large'],
    amiType: 'AL2023_x86_64_STANDARD',
    releaseVersion: release,
    scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 2 },
  });
  await sendToAws(world, ({ eks }, options) => eks.send(group, options));
}

async function createPlain(world: ForecastWorld, { clusterName, subnetIds, imageId }: NewGroup & { imageId: string }) {
  const LaunchTemplateData = {
    ImageId: imageId,
    InstanceType: 'm5.large' as const,
    UserData: Buffer.from(joiningText(clusterName)).toString('base64'),
  };
  const template = new CreateLaunchTemplateCommand({ LaunchTemplateName: 'plain', LaunchTemplateData });
  await sendToAws(world, ({ ec2 }, options) => ec2.send(template, options));
  const scaling = new CreateAutoScalingGroupCommand({
    AutoScalingGroupName: 'plain',
    LaunchTemplate: { LaunchTemplateName: 'plain', Version: '1' },
    MinSize: 1,
    MaxSize: 3,
    DesiredCapacity: 2,
    VPCZoneIdentifier: subnetIds.join(','),
    Tags: [{ Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned', PropagateAtLaunch: true }],
  });
  await sendToAws(world, ({ autoScaling }, options) => autoScaling.send(scaling, options));
}

type Clients = ReturnType<typeof createInProcessClients>;

function sendToAws<T>(
  { time, aws }: ForecastWorld,
  send: (clients: Clients, options: object) => Promise<T>,
): Promise<T> {
  const clients = createInProcessClients({ gate: time.gate, answer: aws.answer });
  return time.finish(time.gate.call((ticket) => send(clients, { ticket })));
}

const joiningText = (clusterName: string): string => `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: ${clusterName}
  kubelet:
    flags: ["--node-labels=team=blue"]
`;
