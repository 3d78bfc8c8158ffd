import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { buildNodeClassImageQuery } from '@nodewright/engine';
import { type Cloud, CloudError } from '@nodewright/ports';
import {
  anAwsAccount,
  answersOnDescribe,
  answerWith,
  awsErrorClasses,
  dryRunSucceeds,
  errorsByClass,
  grantedFleet,
  listedInstanceProfile,
  noLaunchTemplate,
  oldLaunchTemplate,
  profileWithRoles,
  refusalOf,
  runningInstance,
  runningProviderId,
  callTable,
  clusterName,
  type Follow,
  interceptCalls,
  type Interception,
  nameOfCall,
  never,
  resolvedIn,
} from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseMessage } from '../interruptions/parse-message.ts';
import { consequences } from './consequences.ts';
import type { ErrorClass } from './error-codes.ts';

const nodeClassOf = (spec: Partial<EC2NodeClass['spec']> = {}): EC2NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default', uid: 'class-uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
    securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }],
    ...spec,
  },
});

const claim: NodeClaim = {
  metadata: { name: 'default-abcde', uid: 'claim-uid', labels: { 'karpenter.sh/nodepool': 'default' } },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] }],
  },
};

async function aWorld() {
  const account = anAwsAccount();
  await account.aws.load();
  let intercept: Parameters<typeof interceptCalls>[1] = () => undefined;
  const clients = interceptCalls(account.wireClients(), (call) => intercept(call));
  const start = (): Cloud => account.cloudWith({ clients, interruptionQueue: clusterName });
  const cloud = start();
  const nodeClass = await resolvedIn({ time: account.time, cloud }, nodeClassOf());
  const instanceTypes = await account.time.finish(cloud.instanceTypes.list(nodeClass, never));
  return {
    time: account.time,
    nodeClass,
    instanceTypes,
    start,
    intercept: (by: typeof intercept) => {
      intercept = by;
    },
  };
}

let world: Awaited<ReturnType<typeof aWorld>>;
beforeAll(async () => {
  world = await aWorld();
});

type Reach = {
  readonly ask: (cloud: Cloud) => Promise<unknown>;
  /** What other calls answer on the way. */
  readonly given?: Readonly<Record<string, Interception>>;
  /** Which of the calls of the operation it is. */
  readonly isMeant?: (input: object) => boolean;
  /** Errors that the operation has in other words. */
  readonly samples?: Partial<Readonly<Record<ErrorClass, Interception>>>;
};

const launchOf = (cloud: Cloud) => {
  const { nodeClass, instanceTypes } = world;
  const images = nodeClass.status?.amis ?? [];
  return cloud.instances.launch({ claim, attempt: 1, nodeClass, instanceTypes, images }, never);
};
const isByName = (input: object): boolean => 'LaunchTemplateNames' in input;
/** Old enough for unused templates to be looked for. */
async function launchLater(cloud: Cloud): Promise<unknown> {
  await world.time.clock.sleep(3 * 60_000, never);
  return launchOf(cloud);
}
const onLaunch = { CreateFleet: grantedFleet };

const withTerm = (spec: Partial<EC2NodeClass['spec']>): EC2NodeClass => ({
  ...world.nodeClass,
  spec: { ...world.nodeClass.spec, ...spec },
});
const withReservation = () => withTerm({ capacityReservationSelectorTerms: [{ id: 'cr-0123456789abcdef0' }] });
const withGroup = () => withTerm({ placementGroupSelector: { name: 'racks' } });
const imagesFor =
  (spec: Partial<EC2NodeClass['spec']>) =>
  async (cloud: Cloud): Promise<unknown> =>
    (await cloud.nodeClasses.images(buildNodeClassImageQuery(nodeClassOf(spec), '1.28'), never)).images;
const ensureProfile = (cloud: Cloud) => cloud.nodeClasses.ensureInstanceProfile(world.nodeClass, never);
const cleanUp = (cloud: Cloud) => cloud.nodeClasses.cleanUp(world.nodeClass, never);
const nameTypes = (cloud: Cloud) => cloud.instanceTypes.named(['m5.large'], never);
const validate = (cloud: Cloud) => cloud.nodeClasses.validate(world.nodeClass, [], never);
const receive = (cloud: Cloud) => cloud.interruptions?.receive(never) ?? Promise.reject(new Error('no queue'));

const describesGroup: Reach = {
  ask: (cloud) => cloud.scalingGroups.describe('workers', never),
  given: answersOnDescribe,
};
const asksForQuota: Reach = {
  ask: (cloud) => cloud.scalingGroups.quota({ types: ['m5.large'], market: 'onDemand' }, never),
};
const asksForRoom: Reach = {
  ask: (cloud) => cloud.quotas.roomFor([{ instanceType: 'm5.large', capacityType: 'on-demand' }], never),
};
const answersHook = (answer: 'continue' | 'heartbeat'): Reach => ({
  ask: (cloud) => cloud.scalingGroups.answerHook({ group: 'workers', hook: 'drain', instanceId: 'i-1', answer }, never),
  samples: { notFound: refusalOf('ValidationError', 400, 'No active Lifecycle Action found with instance ID i-1') },
});

/** How each call of the table is reached. */
const reaches: Readonly<Record<string, Reach>> = {
  'instances.launch CreateFleet': { ask: launchOf, given: { DescribeInstances: answerWith({}) } },
  'instances.launch DescribeInstances after a used token': {
    ask: launchOf,
    given: { CreateFleet: refusalOf('IdempotentParameterMismatch') },
  },
  'instances.launch DescribeSubnets': { ask: launchOf, given: onLaunch },
  'instances.launch DescribeCluster': { ask: launchOf, given: onLaunch },
  'instances.launch DescribeLaunchTemplates by name': {
    ask: launchOf,
    given: { ...onLaunch, CreateLaunchTemplate: answerWith({}) },
    isMeant: isByName,
  },
  'instances.launch DescribeLaunchTemplates unused ones': {
    ask: launchLater,
    given: onLaunch,
    isMeant: (input) => !isByName(input),
  },
  'instances.launch DeleteLaunchTemplate unused ones': {
    ask: launchLater,
    given: { ...onLaunch, DescribeLaunchTemplates: oldLaunchTemplate },
  },
  'instances.launch CreateLaunchTemplate': {
    ask: launchOf,
    given: { ...onLaunch, DescribeLaunchTemplates: noLaunchTemplate },
  },
  'instances.get DescribeInstances': { ask: (cloud) => cloud.instances.get(runningProviderId, never) },
  'instances.list DescribeInstances': { ask: (cloud) => cloud.instances.list(never) },
  'instances.terminate TerminateInstances': {
    ask: (cloud) => cloud.instances.terminate(runningProviderId, never),
    given: { DescribeInstances: runningInstance },
  },
  'instances.tag CreateTags': { ask: (cloud) => cloud.instances.tag(runningProviderId, { Name: 'node' }, never) },

  'instanceTypes.list DescribeInstanceTypes': { ask: (cloud) => cloud.instanceTypes.list(world.nodeClass, never) },
  'instanceTypes.list DescribeInstanceTypeOfferings': {
    ask: (cloud) => cloud.instanceTypes.list(world.nodeClass, never),
  },
  'instanceTypes.list GetProducts': { ask: (cloud) => cloud.instanceTypes.list(world.nodeClass, never) },
  'instanceTypes.list DescribeSpotPriceHistory': { ask: (cloud) => cloud.instanceTypes.list(world.nodeClass, never) },
  'instanceTypes.list DescribePlacementGroups': { ask: (cloud) => cloud.instanceTypes.list(withGroup(), never) },
  'instanceTypes.list DescribeCapacityReservations': {
    ask: (cloud) => cloud.instanceTypes.list(withReservation(), never),
  },
  'instanceTypes.named DescribeInstanceTypes': { ask: nameTypes },
  'instanceTypes.named DescribeInstanceTypeOfferings': { ask: nameTypes },
  'instanceTypes.named GetProducts': { ask: nameTypes },
  'instanceTypes.named DescribeSpotPriceHistory': { ask: nameTypes },

  'nodeClasses.subnets DescribeSubnets': { ask: (cloud) => cloud.nodeClasses.subnets(world.nodeClass, never) },
  'nodeClasses.securityGroups DescribeSecurityGroups': {
    ask: (cloud) => cloud.nodeClasses.securityGroups(world.nodeClass, never),
  },
  'nodeClasses.capacityReservations DescribeCapacityReservations': {
    ask: (cloud) => cloud.nodeClasses.capacityReservations(withReservation(), never),
  },
  'nodeClasses.placementGroup DescribePlacementGroups': {
    ask: (cloud) => cloud.nodeClasses.placementGroup(withGroup(), never),
  },
  'nodeClasses.images GetParameters': { ask: imagesFor({}) },
  'nodeClasses.images GetParameter': { ask: imagesFor({ amiSelectorTerms: [{ ssmParameter: '/mine' }] }) },
  'nodeClasses.images GetParametersByPath': {
    ask: imagesFor({ amiSelectorTerms: [{ alias: 'al2@latest', minimumAgeDuration: '1d' }] }),
  },
  'nodeClasses.images DescribeImages': { ask: imagesFor({}) },
  'nodeClasses.ensureInstanceProfile GetInstanceProfile': {
    ask: ensureProfile,
    given: { CreateInstanceProfile: profileWithRoles([]), AddRoleToInstanceProfile: answerWith({}) },
  },
  'nodeClasses.ensureInstanceProfile CreateInstanceProfile': {
    ask: ensureProfile,
    given: { GetInstanceProfile: refusalOf('NoSuchEntity') },
  },
  'nodeClasses.ensureInstanceProfile RemoveRoleFromInstanceProfile': {
    ask: ensureProfile,
    given: { GetInstanceProfile: profileWithRoles(['other']), AddRoleToInstanceProfile: answerWith({}) },
  },
  'nodeClasses.ensureInstanceProfile AddRoleToInstanceProfile': {
    ask: ensureProfile,
    given: { GetInstanceProfile: profileWithRoles([]) },
  },
  'nodeClasses.cleanUp ListInstanceProfiles': { ask: cleanUp },
  'nodeClasses.cleanUp RemoveRoleFromInstanceProfile': {
    ask: cleanUp,
    given: { ListInstanceProfiles: listedInstanceProfile, DeleteInstanceProfile: answerWith({}) },
  },
  'nodeClasses.cleanUp DeleteInstanceProfile': {
    ask: cleanUp,
    given: { ListInstanceProfiles: listedInstanceProfile, RemoveRoleFromInstanceProfile: answerWith({}) },
  },
  'nodeClasses.cleanUp DescribeLaunchTemplates': { ask: cleanUp, given: { ListInstanceProfiles: answerWith({}) } },
  'nodeClasses.cleanUp DeleteLaunchTemplate': {
    ask: cleanUp,
    given: { ListInstanceProfiles: answerWith({}), DescribeLaunchTemplates: oldLaunchTemplate },
  },
  'nodeClasses.validate CreateLaunchTemplate': {
    ask: validate,
    given: { DescribeLaunchTemplates: noLaunchTemplate, CreateFleet: dryRunSucceeds, RunInstances: dryRunSucceeds },
  },
  'nodeClasses.validate CreateFleet': { ask: validate, given: { RunInstances: dryRunSucceeds } },
  'nodeClasses.validate RunInstances': { ask: validate, given: { CreateFleet: dryRunSucceeds } },

  'controlPlane.kubernetesVersion DescribeCluster': { ask: (cloud) => cloud.controlPlane.kubernetesVersion(never) },
  'capacityReservations.named DescribeCapacityReservations': {
    ask: (cloud) => cloud.capacityReservations.named(['cr-0123456789abcdef0'], never),
  },
  'instanceHealth.unhealthy DescribeInstanceStatus': { ask: (cloud) => cloud.instanceHealth.unhealthy(never) },
  'interruptions.receive GetQueueUrl': { ask: receive },
  'interruptions.receive ReceiveMessage': { ask: receive },
  'interruptions.remove DeleteMessage': {
    ask: (cloud) =>
      cloud.interruptions?.remove({ handle: 'h', content: parseMessage('{}') }, never) ?? Promise.resolve(),
  },

  'parameters.read GetParameter': { ask: (cloud) => cloud.parameters.read('/evidence', never) },
  'parameters.write PutParameter': { ask: (cloud) => cloud.parameters.write('/evidence', '{}', never) },

  'managedGroups.list ListNodegroups': { ask: (cloud) => cloud.managedGroups.list(never) },
  'managedGroups.describe DescribeNodegroup': { ask: (cloud) => cloud.managedGroups.describe('workers', never) },
  'managedGroups.startUpdate UpdateNodegroupVersion': {
    ask: (cloud) =>
      cloud.managedGroups.startUpdate(
        { group: 'workers', target: { kind: 'template', id: 'lt-1', version: '2' }, force: false, token: 't' },
        never,
      ),
    samples: {
      notFound: refusalOf('ResourceNotFoundException'),
      invalidParameter: refusalOf('InvalidParameterException'),
    },
  },
  'managedGroups.configure UpdateNodegroupConfig': {
    ask: (cloud) => cloud.managedGroups.configure({ group: 'workers', config: {}, token: 't' }, never),
    samples: {
      notFound: refusalOf('ResourceNotFoundException'),
      invalidParameter: refusalOf('InvalidParameterException'),
    },
  },
  'managedGroups.describeUpdate DescribeUpdate': {
    ask: (cloud) => cloud.managedGroups.describeUpdate('workers', 'u-1', never),
  },
  'managedGroups.updateUnderWay ListUpdates': { ask: (cloud) => cloud.managedGroups.updateUnderWay('workers', never) },
  'managedGroups.releaseOf GetParameter': {
    ask: (cloud) =>
      cloud.managedGroups.releaseOf(
        {
          image: { name: 'amazon-eks-node-1.28-v20240117', version: 'v20240117' },
          kind: { family: 'al2', arch: 'amd64', variant: 'standard' },
          kubernetesVersion: '1.28',
        },
        never,
      ),
  },

  'scalingGroups.list DescribeAutoScalingGroups': { ask: (cloud) => cloud.scalingGroups.list(never) },
  'scalingGroups.describe DescribeAutoScalingGroups': describesGroup,
  'scalingGroups.describe DescribeLaunchTemplateVersions': describesGroup,
  'scalingGroups.describe DescribeImages': describesGroup,
  'scalingGroups.describe DescribeInstances': describesGroup,
  'scalingGroups.describe DescribeSubnets': describesGroup,
  'scalingGroups.describe DescribeWarmPool': describesGroup,
  'scalingGroups.describe DescribeInstanceRefreshes': describesGroup,
  'scalingGroups.describe DescribeLifecycleHooks': describesGroup,
  'scalingGroups.describe DescribeScalingActivities': describesGroup,
  'scalingGroups.quota DescribeInstanceTypes': asksForQuota,
  'scalingGroups.quota GetServiceQuota': asksForQuota,
  'scalingGroups.quota DescribeInstances': asksForQuota,
  'quotas.roomFor GetServiceQuota': asksForRoom,
  'quotas.roomFor DescribeInstances': asksForRoom,
  'scalingGroups.createTemplateVersion CreateLaunchTemplateVersion': {
    ask: (cloud) =>
      cloud.scalingGroups.createTemplateVersion(
        { templateId: 'lt-1', sourceVersion: '1', imageId: 'ami-1', token: 't' },
        never,
      ),
  },
  'scalingGroups.pointAt UpdateAutoScalingGroup': {
    ask: (cloud) => cloud.scalingGroups.pointAt('workers', '2', never),
    given: answersOnDescribe,
  },
  'scalingGroups.resize UpdateAutoScalingGroup': {
    ask: (cloud) => cloud.scalingGroups.resize('workers', { max: 3, desired: 3 }, never),
    given: answersOnDescribe,
  },
  'scalingGroups.suspend SuspendProcesses': {
    ask: (cloud) => cloud.scalingGroups.suspend('workers', ['AZRebalance'], never),
  },
  'scalingGroups.resume ResumeProcesses': {
    ask: (cloud) => cloud.scalingGroups.resume('workers', ['AZRebalance'], never),
  },
  'scalingGroups.answerHook RecordLifecycleActionHeartbeat': answersHook('heartbeat'),
  'scalingGroups.answerHook CompleteLifecycleAction': answersHook('continue'),
  'scalingGroups.terminate TerminateInstanceInAutoScalingGroup': {
    ask: (cloud) => cloud.scalingGroups.terminate('i-1', { decrement: false }, never),
    samples: { notFound: refusalOf('ValidationError', 400, 'Instance Id not found - No managed instance found') },
  },
  'scalingGroups.discard TerminateInstances': { ask: (cloud) => cloud.scalingGroups.discard('i-1', never) },
};

/** What the method makes of the error, and how often the call was made. */
async function injected(operation: string, reach: Reach, errorClass: ErrorClass) {
  const { ask, given = {}, isMeant = () => true } = reach;
  const attempts = new Map<string, number>();
  world.intercept((call) => {
    if (call.operation !== operation || !isMeant(call.input)) return given[call.operation];
    const input = JSON.stringify(call.input);
    attempts.set(input, (attempts.get(input) ?? 0) + 1);
    return reach.samples?.[errorClass] ?? errorsByClass[errorClass];
  });
  const follows = await world.time.finish(followOf(ask(world.start())));
  return { follows, isReached: attempts.size > 0, isRepeated: Math.max(...attempts.values()) >= 4 };
}

async function followOf(asked: Promise<unknown>): Promise<Follow | { readonly failure: string }> {
  try {
    return { answer: answerOf(await asked) };
  } catch (error) {
    return error instanceof CloudError ? error.retry : { failure: String(error) };
  }
}

function answerOf(result: unknown): string {
  if (result === undefined) return 'nothing';
  if (Array.isArray(result)) return result.length === 0 ? 'none' : 'some';
  if (typeof result === 'string') return result.startsWith(`${clusterName}_`) ? 'its name' : result;
  const { kind, reason } = result as { readonly kind?: string; readonly reason?: string };
  return kind === 'invalid' ? `invalid: ${reason}` : (kind ?? 'found');
}

describe('the table of calls', () => {
  for (const rule of callTable) {
    test(`says what follows from each error of ${nameOfCall(rule)}`, async () => {
      const reach = reaches[nameOfCall(rule)];
      if (reach === undefined) throw new Error('this test does not reach the call');
      const found: Record<string, unknown> = {};
      for (const errorClass of awsErrorClasses) found[errorClass] = await injected(rule.operation, reach, errorClass);
      const isDryRun = rule.method === 'nodeClasses.validate' && rule.operation !== 'CreateLaunchTemplate';
      const told = awsErrorClasses.map((errorClass) => {
        const { attempts, retry } = consequences[errorClass];
        const follows = rule.differs?.[errorClass] ?? retry;
        return [errorClass, { follows, isReached: true, isRepeated: attempts > 1 && !isDryRun }] as const;
      });
      expect(found).toEqual(Object.fromEntries(told));
    });
  }

  test('names every operation that the sources send, and no other; snapshots of an account, in a folder of their own, name what they may not read', () => {
    const root = join(import.meta.dirname, '..');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('account/'),
    );
    const sent = files.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/new (\w+)Command\(/g)].map(([, operation]) => operation),
    );
    expect(new Set(sent)).toEqual(new Set(callTable.map(({ operation }) => operation)));
  });
});
