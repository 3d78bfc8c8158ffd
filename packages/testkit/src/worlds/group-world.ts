import {
  CreateNodegroupCommand,
  type CreateNodegroupCommandInput,
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  EKSClient,
  UpdateNodegroupVersionCommand,
  type UpdateNodegroupVersionCommandInput,
} from '@aws-sdk/client-eks';
import {
  type Deployment,
  deployments,
  fromTimestamp,
  instant,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
} from '@nodewright/apis';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { type Aws, builtInReleases } from '@nodewright/aws-endpoints';
import { inProcess } from './aws/sdk-in-process.ts';
import { createSandbox, type SandboxOptions } from '@nodewright/sandbox';

const storyStart = fromTimestamp('2024-01-28T16:00:00Z');
const clusterName = 'sandbox';
const nodegroupName = 'default';
const second = 1000;

/** A cluster of 1.23 on virtual time, without a group yet. */
export async function groupWorld(different: Partial<SandboxOptions> = {}, start = storyStart) {
  const time = virtualTime(start);
  const sandbox = await createSandbox({
    way: 'direct',
    clock: time.clock,
    gate: time.gate,
    random: seededRandom(1),
    clusterName,
    kubernetesVersion: '1.23',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    ...different,
  });
  await time.finish(sandbox.start());
  const eks = new EKSClient(inProcess(sandbox.aws.handle));
  const { admin, aws } = sandbox;
  const after = (minutes: number): Promise<void> => time.run(instant(time.clock.now() + minutes * 60 * second));
  const group = async () =>
    (await eks.send(new DescribeNodegroupCommand({ clusterName, nodegroupName }))).nodegroup ?? {};
  const create = (input: Partial<CreateNodegroupCommandInput> = {}) =>
    eks.send(new CreateNodegroupCommand({ ...aGroup(aws), ...input }));
  return {
    ...sandbox,
    time,
    eks,
    after,
    group,
    create,
    scaling: () => aws.autoScaling.all()[0],
    /** A group whose nodes have joined. */
    async started(input: Partial<CreateNodegroupCommandInput> = {}) {
      await create(input);
      await after(5);
    },
    async update(input: Partial<UpdateNodegroupVersionCommandInput> = {}): Promise<string> {
      const { update } = await eks.send(new UpdateNodegroupVersionCommand({ clusterName, nodegroupName, ...input }));
      return update?.id ?? '';
    },
    async outcome(updateId: string) {
      return (await eks.send(new DescribeUpdateCommand({ name: clusterName, nodegroupName, updateId }))).update;
    },
    async nodes() {
      return (await time.finish(admin.list(nodes))).items;
    },
    async pods(namespace = 'app') {
      return (await time.finish(admin.list(pods, { namespace }))).items;
    },
    /** Pods that spread over the nodes, behind a budget. */
    async deploy(replicas: number, minAvailable: number) {
      await time.finish(admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'app' } }));
      await time.finish(admin.create(deployments, anApp(replicas)));
      await time.finish(admin.create(podDisruptionBudgets, aBudget(minAvailable)));
      await after(1);
    },
    async allow(minAvailable: number) {
      const patch = { spec: { minAvailable } };
      await time.finish(admin.patch(podDisruptionBudgets, { namespace: 'app', name: 'web' }, { type: 'merge', patch }));
    },
  };
}

export type GroupWorld = Awaited<ReturnType<typeof groupWorld>>;

export const aGroup = (aws: Pick<Aws, 'ec2'>): CreateNodegroupCommandInput => ({
  clusterName,
  nodegroupName,
  subnets: aws.ec2.network.subnets.filter((subnet) => !subnet.public).map(({ id }) => id),
  nodeRole: 'arn:aws:iam::111122223333:role/karpenterNodeRole-sandbox',
  instanceTypes: ['m5.large'],
  releaseVersion: oldRelease,
  scalingConfig: { minSize: 3, maxSize: 6, desiredSize: 3 },
});

export const oldRelease = '1.23.14-20230919';
export const newRelease = '1.23.14-20231002';
export const newImage = 'ami-0fcd72f3118e0dd88';

const labels = { app: 'web' };

const anApp = (replicas: number): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'app', name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '600m' } } }] },
    },
  },
});

const aBudget = (minAvailable: number) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace: 'app', name: 'web' },
  spec: { minAvailable, selector: { matchLabels: labels } },
});
