import type { ErrorClass, Retry } from '@nodewright/provider-aws';

/** What a port's method makes of an error: it throws for the caller to come back, or goes on with an answer. */
export type Follow = Retry | { readonly answer: string };

/** One call of one method of a port. */
export type CallRule = {
  /** `instances.launch`. */
  readonly method: string;
  readonly operation: string;
  /** What the call is for, where the method makes the same call twice. */
  readonly purpose?: string;
  /** The classes of errors whose consequence is not that of the class. */
  readonly differs?: Differences;
};

type Differences = Partial<Readonly<Record<ErrorClass, Follow>>>;

const answerNothing = { answer: 'nothing' };
const answerNone = { answer: 'none' };
const answerSome = { answer: 'some' };
const answerValid = { answer: 'valid' };
const answerRefused = { answer: 'refused' };
const answerLaunched = { answer: 'launched' };

const goneIsNothing: Differences = { notFound: answerNothing };
const wrongSpec: Differences = { invalidParameter: 'afterSpecChange' };
const lookupRule = (method: string, operation: string, differs: Differences = {}): CallRule => ({
  method,
  operation,
  differs: { ...wrongSpec, ...differs },
});

const everyClass = (follow: Follow): Differences => ({
  throttled: follow,
  serviceError: follow,
  networkError: follow,
  timeout: follow,
  malformedAnswer: follow,
  unknownOperation: follow,
  notFound: follow,
  alreadyExists: follow,
  unauthorized: follow,
  dryRun: follow,
  quotaExceeded: follow,
  insufficientCapacity: follow,
  invalidParameter: follow,
  dependencyViolation: follow,
  idempotencyMismatch: follow,
  unknownCode: follow,
});

/** What EC2 says of one type or image does not make a NodeClass invalid: a launch tries others. */
const trialDifferences = (reason: string): Differences => ({
  ...everyClass(answerValid),
  throttled: { answer: 'retry' },
  serviceError: { answer: 'retry' },
  networkError: { answer: 'retry' },
  timeout: { answer: 'retry' },
  malformedAnswer: { answer: 'retry' },
  unauthorized: { answer: `invalid: ${reason}` },
});

const startsUpdate: Differences = {
  malformedAnswer: answerRefused,
  unknownOperation: answerRefused,
  notFound: answerRefused,
  invalidParameter: answerRefused,
  dependencyViolation: { answer: 'busy' },
};

const mayBeUnknown = (follow: Follow): Differences => ({ malformedAnswer: follow, unknownOperation: follow });

/** A refusal that a claim tells, wherever on the way of its launch it comes. */
const launchRule = (operation: string, purpose?: string, differs: Differences = {}): CallRule => ({
  method: 'instances.launch',
  operation,
  ...(purpose === undefined ? {} : { purpose }),
  differs: {
    notFound: answerRefused,
    unauthorized: answerRefused,
    quotaExceeded: { answer: 'insufficientCapacity' },
    insufficientCapacity: { answer: 'insufficientCapacity' },
    ...differs,
  },
});

/** Every AWS call that the provider makes. A test injects each class of error into each of them. */
export const callTable: readonly CallRule[] = [
  launchRule('CreateFleet'),
  launchRule('DescribeInstances', 'after a used token'),
  launchRule('DescribeSubnets'),
  launchRule('DescribeCluster'),
  launchRule('DescribeLaunchTemplates', 'by name', { notFound: answerLaunched }),
  launchRule('DescribeLaunchTemplates', 'unused ones', everyClass(answerLaunched)),
  launchRule('DeleteLaunchTemplate', 'unused ones', everyClass(answerLaunched)),
  launchRule('CreateLaunchTemplate', undefined, { alreadyExists: answerLaunched }),
  { method: 'instances.get', operation: 'DescribeInstances', differs: goneIsNothing },
  { method: 'instances.list', operation: 'DescribeInstances' },
  {
    method: 'instances.terminate',
    operation: 'TerminateInstances',
    differs: { notFound: { answer: 'terminating' } },
  },
  { method: 'instances.tag', operation: 'CreateTags' },

  { method: 'instanceTypes.list', operation: 'DescribeInstanceTypes' },
  { method: 'instanceTypes.list', operation: 'DescribeInstanceTypeOfferings' },
  { method: 'instanceTypes.list', operation: 'GetProducts', differs: everyClass(answerSome) },
  { method: 'instanceTypes.list', operation: 'DescribeSpotPriceHistory', differs: everyClass(answerSome) },
  { method: 'instanceTypes.list', operation: 'DescribePlacementGroups', differs: { notFound: answerSome } },
  { method: 'instanceTypes.list', operation: 'DescribeCapacityReservations', differs: { notFound: answerSome } },
  { method: 'instanceTypes.named', operation: 'DescribeInstanceTypes' },
  { method: 'instanceTypes.named', operation: 'DescribeInstanceTypeOfferings' },
  { method: 'instanceTypes.named', operation: 'GetProducts', differs: everyClass(answerSome) },
  { method: 'instanceTypes.named', operation: 'DescribeSpotPriceHistory', differs: everyClass(answerSome) },

  lookupRule('nodeClasses.subnets', 'DescribeSubnets'),
  lookupRule('nodeClasses.securityGroups', 'DescribeSecurityGroups'),
  lookupRule('nodeClasses.capacityReservations', 'DescribeCapacityReservations', { notFound: answerNone }),
  lookupRule('nodeClasses.placementGroup', 'DescribePlacementGroups', goneIsNothing),
  lookupRule('nodeClasses.images', 'GetParameters', { unauthorized: answerSome }),
  lookupRule('nodeClasses.images', 'GetParameter', { notFound: answerNone }),
  lookupRule('nodeClasses.images', 'GetParametersByPath', { unauthorized: answerSome }),
  lookupRule('nodeClasses.images', 'DescribeImages'),
  lookupRule('nodeClasses.ensureInstanceProfile', 'GetInstanceProfile', { notFound: { answer: 'its name' } }),
  lookupRule('nodeClasses.ensureInstanceProfile', 'CreateInstanceProfile'),
  lookupRule('nodeClasses.ensureInstanceProfile', 'RemoveRoleFromInstanceProfile', {
    notFound: { answer: 'its name' },
  }),
  lookupRule('nodeClasses.ensureInstanceProfile', 'AddRoleToInstanceProfile'),
  { method: 'nodeClasses.cleanUp', operation: 'ListInstanceProfiles' },
  { method: 'nodeClasses.cleanUp', operation: 'RemoveRoleFromInstanceProfile', differs: goneIsNothing },
  { method: 'nodeClasses.cleanUp', operation: 'DeleteInstanceProfile', differs: goneIsNothing },
  { method: 'nodeClasses.cleanUp', operation: 'DescribeLaunchTemplates' },
  { method: 'nodeClasses.cleanUp', operation: 'DeleteLaunchTemplate', differs: goneIsNothing },
  {
    method: 'nodeClasses.validate',
    operation: 'CreateLaunchTemplate',
    differs: trialDifferences('CreateLaunchTemplateAuthCheckFailed'),
  },
  { method: 'nodeClasses.validate', operation: 'CreateFleet', differs: trialDifferences('CreateFleetAuthCheckFailed') },
  {
    method: 'nodeClasses.validate',
    operation: 'RunInstances',
    differs: trialDifferences('RunInstancesAuthCheckFailed'),
  },

  { method: 'controlPlane.kubernetesVersion', operation: 'DescribeCluster' },
  {
    method: 'capacityReservations.named',
    operation: 'DescribeCapacityReservations',
    differs: { notFound: answerNone },
  },
  { method: 'instanceHealth.unhealthy', operation: 'DescribeInstanceStatus' },
  { method: 'interruptions.receive', operation: 'GetQueueUrl' },
  { method: 'interruptions.receive', operation: 'ReceiveMessage' },
  { method: 'interruptions.remove', operation: 'DeleteMessage' },

  { method: 'parameters.read', operation: 'GetParameter', differs: goneIsNothing },
  { method: 'parameters.write', operation: 'PutParameter' },

  { method: 'managedGroups.list', operation: 'ListNodegroups', differs: { notFound: answerNone } },
  { method: 'managedGroups.describe', operation: 'DescribeNodegroup', differs: goneIsNothing },
  { method: 'managedGroups.startUpdate', operation: 'UpdateNodegroupVersion', differs: startsUpdate },
  { method: 'managedGroups.configure', operation: 'UpdateNodegroupConfig', differs: startsUpdate },
  { method: 'managedGroups.describeUpdate', operation: 'DescribeUpdate', differs: goneIsNothing },
  { method: 'managedGroups.updateUnderWay', operation: 'ListUpdates' },
  { method: 'managedGroups.releaseOf', operation: 'GetParameter', differs: goneIsNothing },

  { method: 'scalingGroups.list', operation: 'DescribeAutoScalingGroups' },
  { method: 'scalingGroups.describe', operation: 'DescribeAutoScalingGroups' },
  { method: 'scalingGroups.describe', operation: 'DescribeLaunchTemplateVersions' },
  { method: 'scalingGroups.describe', operation: 'DescribeImages' },
  { method: 'scalingGroups.describe', operation: 'DescribeInstances' },
  { method: 'scalingGroups.describe', operation: 'DescribeSubnets' },
  { method: 'scalingGroups.describe', operation: 'DescribeWarmPool', differs: mayBeUnknown({ answer: 'found' }) },
  {
    method: 'scalingGroups.describe',
    operation: 'DescribeInstanceRefreshes',
    differs: mayBeUnknown({ answer: 'found' }),
  },
  { method: 'scalingGroups.describe', operation: 'DescribeLifecycleHooks', differs: mayBeUnknown({ answer: 'found' }) },
  {
    method: 'scalingGroups.describe',
    operation: 'DescribeScalingActivities',
    differs: { ...mayBeUnknown({ answer: 'found' }), unauthorized: { answer: 'found' } },
  },
  { method: 'scalingGroups.quota', operation: 'DescribeInstanceTypes' },
  { method: 'scalingGroups.quota', operation: 'GetServiceQuota', differs: everyClass({ answer: 'found' }) },
  { method: 'scalingGroups.quota', operation: 'DescribeInstances', differs: everyClass({ answer: 'found' }) },
  { method: 'quotas.roomFor', operation: 'GetServiceQuota' },
  { method: 'quotas.roomFor', operation: 'DescribeInstances' },
  { method: 'scalingGroups.createTemplateVersion', operation: 'CreateLaunchTemplateVersion' },
  { method: 'scalingGroups.pointAt', operation: 'UpdateAutoScalingGroup' },
  { method: 'scalingGroups.resize', operation: 'UpdateAutoScalingGroup' },
  { method: 'scalingGroups.suspend', operation: 'SuspendProcesses' },
  { method: 'scalingGroups.resume', operation: 'ResumeProcesses' },
  { method: 'scalingGroups.answerHook', operation: 'RecordLifecycleActionHeartbeat', differs: goneIsNothing },
  { method: 'scalingGroups.answerHook', operation: 'CompleteLifecycleAction', differs: goneIsNothing },
  {
    method: 'scalingGroups.terminate',
    operation: 'TerminateInstanceInAutoScalingGroup',
    differs: goneIsNothing,
  },
  { method: 'scalingGroups.discard', operation: 'TerminateInstances', differs: goneIsNothing },
];

export const nameOfCall = ({ method, operation, purpose }: CallRule): string =>
  [method, operation, purpose].filter((part) => part !== undefined).join(' ');
