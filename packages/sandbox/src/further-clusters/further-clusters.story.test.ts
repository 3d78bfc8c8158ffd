import {
  CreateClusterCommand,
  CreateNodegroupCommand,
  DeleteClusterCommand,
  DeleteNodegroupCommand,
  DescribeClusterCommand,
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  EKSClient,
  ListNodegroupsCommand,
  UpdateClusterVersionCommand,
  UpdateNodegroupConfigCommand,
  UpdateNodegroupVersionCommand,
} from '@aws-sdk/client-eks';
import { instant, nodes } from '@nodewright/apis';
import {
  inProcessTransport,
  kubernetesClient,
  LineLedger,
  type RequestHandler,
  seededRandom,
} from '@nodewright/runtime';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { groupWorld, inProcess } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const clusterName = 'second';
const nodegroupName = 'workers';
const roleArn = 'arn:aws:iam::111122223333:role/eks-cluster';
const nodeRole = 'arn:aws:iam::111122223333:role/karpenterNodeRole-sandbox';
const admin = { peer: { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } } };

type World = Awaited<ReturnType<typeof groupWorld>>;

const privateSubnets = ({ aws }: World): string[] =>
  aws.ec2.network.subnets.filter((subnet) => !subnet.public).map(({ id }) => id);

/** The sandbox with a second cluster of 1.23 that is active. */
async function twoClusters(before?: World): Promise<World> {
  const world = before ?? (await groupWorld());
  await world.eks.send(
    new CreateClusterCommand({
      name: clusterName,
      version: '1.23',
      roleArn,
      resourcesVpcConfig: { subnetIds: privateSubnets(world) },
    }),
  );
  await world.after(12);
  return world;
}

const createWorkers = (world: World, input: { releaseVersion?: string } = {}) =>
  world.eks.send(
    new CreateNodegroupCommand({
      clusterName,
      nodegroupName,
      subnets: privateSubnets(world),
      nodeRole,
      scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
      ...input,
    }),
  );

const describeWorkers = async ({ eks }: Pick<World, 'eks'>) =>
  (await eks.send(new DescribeNodegroupCommand({ clusterName, nodegroupName }))).nodegroup;

/** A client of the API server at the endpoint that EKS tells. */
async function clientOfSecond({ eks, handleClusters, time }: World) {
  const { cluster } = await eks.send(new DescribeClusterCommand({ name: clusterName }));
  const base = new URL(cluster?.endpoint ?? '').pathname;
  const handle: RequestHandler = (request, ...rest) =>
    handleClusters({ ...request, path: `${base}${request.path}` }, ...rest);
  return kubernetesClient({
    transport: inProcessTransport(time.gate, handle, admin),
    gate: time.gate,
    userAgent: 'test',
  });
}

const nodesOfSecond = async (world: World) =>
  (await world.time.finish((await clientOfSecond(world)).list(nodes))).items;

test('a group of a second cluster has nodes there, none in the first one, and an Auto Scaling group of its own', async () => {
  const world = await twoClusters();
  await createWorkers(world);
  await world.after(5);
  const group = await describeWorkers(world);
  expect(group).toMatchObject({ clusterName, status: 'ACTIVE', version: '1.23', health: { issues: [] } });
  const scaling = world.aws.autoScaling.find(group?.resources?.autoScalingGroups?.[0]?.name ?? '');
  expect(scaling?.instances).toHaveLength(2);
  expect(scaling?.tags).toContainEqual({ key: 'eks:cluster-name', value: clusterName, atLaunch: true });
  const found = await nodesOfSecond(world);
  expect(found.map(({ metadata }) => metadata.labels?.['eks.amazonaws.com/nodegroup'])).toEqual(['workers', 'workers']);
  expect(await world.nodes()).toEqual([]);
  const inFirst = await world.eks.send(new ListNodegroupsCommand({ clusterName: 'sandbox' }));
  expect(inFirst.nodegroups).toEqual([]);
});

test('two clusters may have groups of the same name', async () => {
  const world = await twoClusters();
  await world.create({ nodegroupName });
  await createWorkers(world);
  await world.after(5);
  const first = await world.eks.send(new DescribeNodegroupCommand({ clusterName: 'sandbox', nodegroupName }));
  const second = await describeWorkers(world);
  expect([first.nodegroup?.status, second?.status]).toEqual(['ACTIVE', 'ACTIVE']);
  expect(first.nodegroup?.nodegroupArn).not.toBe(second?.nodegroupArn);
  expect(await world.nodes()).toHaveLength(3);
  expect(await nodesOfSecond(world)).toHaveLength(2);
});

test('the group is updated to another release and to another size', async () => {
  const world = await twoClusters();
  await createWorkers(world, { releaseVersion: '1.23.14-20230919' });
  await world.after(5);
  const place = { clusterName, nodegroupName };
  const { update } = await world.eks.send(new UpdateNodegroupVersionCommand(place));
  await world.after(60);
  const describeUpdate = new DescribeUpdateCommand({ name: clusterName, nodegroupName, updateId: update?.id });
  expect((await world.eks.send(describeUpdate)).update).toMatchObject({ status: 'Successful', errors: [] });
  expect((await describeWorkers(world))?.releaseVersion).not.toBe('1.23.14-20230919');
  await world.eks.send(
    new UpdateNodegroupConfigCommand({
      ...place,
      scalingConfig: { desiredSize: 3 },
      labels: { addOrUpdateLabels: { a: 'b' } },
    }),
  );
  await world.after(5);
  const found = await nodesOfSecond(world);
  expect(found.map(({ metadata }) => metadata.labels?.['a'])).toEqual(['b', 'b', 'b']);
});

test('the control plane follows an update of the cluster, and its groups the control plane', async () => {
  const world = await twoClusters();
  await createWorkers(world);
  await world.after(5);
  await world.eks.send(new UpdateClusterVersionCommand({ name: clusterName, version: '1.24' }));
  await world.after(15);
  await world.eks.send(new UpdateNodegroupVersionCommand({ clusterName, nodegroupName }));
  await world.after(60);
  await world.eks.send(new UpdateNodegroupVersionCommand({ clusterName, nodegroupName, version: '1.24' }));
  await world.after(60);
  expect((await describeWorkers(world))?.version).toBe('1.24');
  expect((await nodesOfSecond(world)).map(({ status }) => status?.nodeInfo?.kubeletVersion?.slice(0, 5))).toEqual([
    'v1.24',
    'v1.24',
  ]);
  expect(world.aws.eks.controlPlane.version).toBe('1.23');
});

test('a cluster with a group cannot be deleted; without groups it goes, with its security group and its endpoint', async () => {
  const world = await twoClusters();
  await createWorkers(world);
  await world.after(5);
  const { eks, aws, after } = world;
  await expect(eks.send(new DeleteClusterCommand({ name: clusterName }))).rejects.toMatchObject({
    name: 'ResourceInUseException',
    message: 'Cluster has nodegroups attached: workers',
  });
  await eks.send(new DeleteNodegroupCommand({ clusterName, nodegroupName }));
  await after(15);
  expect(aws.autoScaling.all()).toEqual([]);
  const client = await clientOfSecond(world);
  await eks.send(new DeleteClusterCommand({ name: clusterName }));
  expect(aws.ec2.network.securityGroups.some(({ name }) => name.startsWith('eks-cluster-sg-second'))).toBe(true);
  await after(5);
  expect(aws.ec2.network.securityGroups.some(({ name }) => name.startsWith('eks-cluster-sg-second'))).toBe(false);
  await expect(world.time.finish(client.list(nodes))).rejects.toMatchObject({ code: 404 });
});

test('a cluster of another region has nodes as well', async () => {
  const world = await groupWorld();
  const region = 'eu-west-1';
  const eks = new EKSClient({ ...inProcess(world.aws.handle), region });
  const network = world.aws.eksAt({ id: '111122223333', region }).network;
  const subnetIds = network.subnets.map(({ id }) => id);
  await eks.send(
    new CreateClusterCommand({ name: clusterName, version: '1.23', roleArn, resourcesVpcConfig: { subnetIds } }),
  );
  await world.after(12);
  await eks.send(new CreateNodegroupCommand({ clusterName, nodegroupName, subnets: subnetIds, nodeRole }));
  await world.after(5);
  expect((await describeWorkers({ eks }))?.status).toBe('ACTIVE');
});

test('a second cluster, its group and its nodes are there again after a restart', async () => {
  const start = async (lines: readonly string[]) => {
    const journal = new MemoryJournal(lines);
    const kept = keptIn(lines);
    let now = () => kept.last ?? instant(0);
    const ledger = new LineLedger({ kept, now: () => now(), journal });
    const world = await groupWorld({ ledger, random: seededRandom(`life ${lines.length}`) }, kept.last);
    now = () => world.time.clock.now();
    return { world, journal };
  };
  const first = await start([]);
  await twoClusters(first.world);
  await createWorkers(first.world);
  await first.world.after(5);
  const names = (await nodesOfSecond(first.world)).map(({ metadata }) => metadata.name);
  first.world.stop();
  const { world } = await start(first.journal.lines);
  expect((await nodesOfSecond(world)).map(({ metadata }) => metadata.name)).toEqual(names);
  const config = { clusterName, nodegroupName, scalingConfig: { desiredSize: 3 } };
  await world.eks.send(new UpdateNodegroupConfigCommand(config));
  await world.after(5);
  expect((await describeWorkers(world))?.status).toBe('ACTIVE');
  expect(await nodesOfSecond(world)).toHaveLength(3);
});
