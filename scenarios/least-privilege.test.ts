import { deployments, ec2NodeClasses, nodeClaims, nodePools, type ResourceType } from '@nodewright/apis';
import { type AccessDemand, type AccessRules, evaluatePolicy, parseIamPolicy } from '@nodewright/aws-endpoints';
import { buildIamPolicy, type PolicyDocument } from '@nodewright/manifests';
import { beforeAll, expect, test } from 'vitest';
import { playStory } from '../packages/cli/src/commands/story/story.ts';
import { deployment, nodeClass, nodePool } from './support/fleet-story.ts';
import { clusterName, forceWorld } from './support/force-world.ts';

const document = buildIamPolicy(
  {
    partition: 'aws',
    region: 'us-east-1',
    accountId: '111122223333',
    clusterName,
    // The sandbox has two roles for nodes.
    nodeRole: `?arpenterNodeRole-${clusterName}`,
    queue: clusterName,
    parameters: [],
  },
  new Set(['nodePools']),
);

const policyOf = (statements: PolicyDocument['Statement']) =>
  parseIamPolicy(JSON.stringify({ Version: '2012-10-17', Statement: statements }));

/** The upgrade story from the first pod to the deletion of its NodeClasses, with the operator held to rules. */
async function playUnder(rules: AccessRules): Promise<void> {
  const world = await forceWorld({ seed: 1, fate: () => 'arrives', access: rules });
  const { sandbox, client, startUpgrade, updateStatus } = world;
  const random = world.random.fork('spectator');
  const releases = (imageId: string) => sandbox.aws.releases.byImage(imageId);
  const stage = { clock: world.time.clock, client, random, clusterName, releases, updateStatus };
  const silent = { command: () => undefined, line: () => undefined };
  await world.apply(playStory({ ...stage, updateClusterVersion: startUpgrade }, silent));
  await world.apply(client.delete(nodePools, { name: 'default' }));
  for (const name of ['default', 'bottlerocket']) await world.apply(client.delete(ec2NodeClasses, { name }));
  await world.advance(10 * 60_000);
  const caller = { signal: new AbortController().signal, serving: { wait: <T>(work: () => Promise<T>) => work() } };
  for (const [service, operation, input] of rareCalls)
    await world.apply(sandbox.aws.answer({ service, operation, input }, caller));
  await world.stop();
}

/** Calls that the story has no reason for: reservations, groups, interruptions, evidence, quotas, lists of releases. */
const rareCalls: readonly (readonly [service: string, operation: string, input: object])[] = [
  ['ec2', 'DescribeCapacityReservations', {}],
  ['ec2', 'DescribePlacementGroups', {}],
  [
    'ec2',
    'RunInstances',
    {
      MinCount: 1,
      MaxCount: 1,
      ImageId: 'ami-0123456789abcdef0',
      Placement: { GroupName: 'close' },
      CapacityReservationSpecification: {
        CapacityReservationTarget: { CapacityReservationId: 'cr-0123456789abcdef0' },
      },
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { SnapshotId: 'snap-0123456789abcdef0' } }],
      TagSpecifications: ['instance', 'volume', 'network-interface'].map((ResourceType) => ({
        ResourceType,
        Tags: [
          { Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned' },
          { Key: 'eks:eks-cluster-name', Value: clusterName },
          { Key: 'karpenter.sh/nodepool', Value: 'default' },
        ],
      })),
    },
  ],
  ['ssm', 'GetParameter', { Name: '/aws/service/eks/optimized-ami/1.28/amazon-linux-2/recommended/image_id' }],
  ['ssm', 'GetParametersByPath', { Path: '/aws/service/eks/optimized-ami/1.28/amazon-linux-2' }],
  ['ssm', 'GetParameter', { Name: '/nodewright/evidence/other' }],
  ['ssm', 'PutParameter', { Name: `/nodewright/evidence/${clusterName}`, Value: '{}', Type: 'String' }],
  ['servicequotas', 'GetServiceQuota', { ServiceCode: 'ec2', QuotaCode: 'L-1216C47A' }],
  ['sqs', 'GetQueueUrl', { QueueName: clusterName }],
  ['sqs', 'ReceiveMessage', { QueueUrl: `http://sandbox/111122223333/${clusterName}`, WaitTimeSeconds: 0 }],
  ['sqs', 'DeleteMessage', { QueueUrl: `http://sandbox/111122223333/${clusterName}`, ReceiptHandle: 'none' }],
];

const refusals: string[] = [];
const demands = new Map<string, AccessDemand>();

beforeAll(async () => {
  await playUnder({
    policy: policyOf(document.Statement),
    mode: 'enforce',
    onRefusal: ({ action, resource }) => refusals.push(`${action} on ${resource}`),
    onDemands: (found) => {
      for (const demand of found) demands.set(JSON.stringify([demand, [...demand.context]]), demand);
    },
  });
});

test('the story comes true under the policy that is printed', () => {
  expect(refusals).toEqual([]);
  expect(demands.size).toBeGreaterThan(50);
});

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

/** The policy without one line: an action or a resource of a statement. */
function listShortened() {
  return document.Statement.flatMap((statement, index) =>
    (['Action', 'Resource'] as const).flatMap((field) =>
      listOf(statement[field]).map((line) => {
        const rest = listOf(statement[field]).filter((each) => each !== line);
        const statements = document.Statement.flatMap((each, other) =>
          other !== index ? [each] : rest.length === 0 ? [] : [{ ...each, [field]: rest }],
        );
        return { line: `${statement.Sid} ${line}`, statements };
      }),
    ),
  );
}

test('without any of its lines the policy refuses something that the controller does', () => {
  const unneeded = listShortened()
    .filter(({ statements }) => {
      const policy = policyOf(statements);
      return [...demands.values()].every((demand) => evaluatePolicy(policy, demand) === 'allowed');
    })
    .map(({ line }) => line);
  expect(unneeded).toEqual([]);
});

test.each(['ec2:TerminateInstances', 'ec2:CreateFleet', 'iam:PassRole'])(
  'with a policy that lacks %s the operator is refused, and nothing is launched or ended in another way',
  async (action) => {
    const statements = document.Statement.flatMap((statement) => {
      const rest = listOf(statement.Action).filter((each) => each !== action);
      return rest.length === 0 ? [] : [{ ...statement, Action: rest }];
    });
    const refused = new Set<string>();
    const world = await forceWorld({
      seed: 1,
      fate: () => 'arrives',
      access: {
        policy: policyOf(statements),
        mode: 'enforce',
        onRefusal: (refusal) => void refused.add(refusal.action),
      },
    });
    const pool = { name: 'web', nodes: 1, budget: '1' };
    await world.apply(world.client.create(ec2NodeClasses, nodeClass));
    await world.apply(world.client.create(nodePools, nodePool(pool)));
    await world.apply(world.client.create(deployments as ResourceType, deployment(pool)));
    await world.advance(5 * 60_000);
    const launched = world.launches().map(({ instance }) => instance);
    for (const claim of (await world.apply(world.client.list(nodeClaims))).items)
      await world.apply(world.client.delete(nodeClaims, { name: claim.metadata.name }));
    await world.advance(5 * 60_000);
    const running = world.sandbox.aws.ec2.instances.all().filter(({ state }) => state === 'running');
    expect([...refused]).toEqual([action]);
    expect(launched).toHaveLength(action === 'ec2:TerminateInstances' ? 1 : 0);
    expect(running.map(({ id }) => id)).toEqual(expect.arrayContaining(launched));
    await world.stop();
  },
);
