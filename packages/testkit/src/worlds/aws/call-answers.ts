import type { ErrorClass } from '@nodewright/provider-aws';
import { type Interception, sdkError } from '../intercepted-clients.ts';

/** One error of each class, as the SDK has it. */
export const errorsByClass: Readonly<Record<ErrorClass, Interception>> = {
  throttled: refusalOf('RequestLimitExceeded', 503),
  serviceError: refusalOf('SomethingNew', 500),
  networkError: { kind: 'error', error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) },
  timeout: { kind: 'error', error: Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }) },
  malformedAnswer: { kind: 'body', status: 200, text: '<!doctype html><title>Sign in</title>' },
  unknownOperation: refusalOf('InvalidAction'),
  notFound: refusalOf('InvalidAMIID.NotFound'),
  alreadyExists: refusalOf('EntityAlreadyExists'),
  unauthorized: refusalOf('UnauthorizedOperation', 403),
  dryRun: refusalOf('DryRunOperation', 412),
  quotaExceeded: refusalOf('VcpuLimitExceeded'),
  insufficientCapacity: refusalOf('InsufficientInstanceCapacity'),
  invalidParameter: refusalOf('InvalidParameterValue'),
  dependencyViolation: refusalOf('ResourceInUseException'),
  idempotencyMismatch: refusalOf('IdempotentParameterMismatch'),
  unknownCode: refusalOf('SomethingNew'),
};
export const awsErrorClasses = Object.keys(errorsByClass) as ErrorClass[];

export function refusalOf(code: string, status = 400, message = 'no'): Interception {
  return { kind: 'error', error: sdkError(code, message, status) };
}

export const answerWith = (output: object): Interception => ({ kind: 'output', output });

export const runningProviderId = 'aws:///us-east-1a/i-0123456789abcdef0';
export const runningInstance = answerWith({
  Reservations: [{ Instances: [{ InstanceId: 'i-0123456789abcdef0', State: { Name: 'running' } }] }],
});
export const grantedFleet = answerWith({
  Instances: [
    {
      InstanceIds: ['i-0123456789abcdef0'],
      InstanceType: 'm5.large',
      LaunchTemplateAndOverrides: { Overrides: { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1a' } },
    },
  ],
});
export const noLaunchTemplate = refusalOf('InvalidLaunchTemplateName.NotFoundException');
export const oldLaunchTemplate = answerWith({
  LaunchTemplates: [
    { LaunchTemplateId: 'lt-1', LaunchTemplateName: 'karpenter.k8s.aws/1', CreateTime: new Date('2024-01-01') },
  ],
});
export const profileWithRoles = (roles: readonly string[]): Interception =>
  answerWith({
    InstanceProfile: { InstanceProfileName: 'demo_1', Roles: roles.map((RoleName) => ({ RoleName })) },
  });
export const listedInstanceProfile = answerWith({
  InstanceProfiles: [{ InstanceProfileName: 'demo_1', Roles: [{ RoleName: 'other' }] }],
});
export const dryRunSucceeds = refusalOf('DryRunOperation', 412);
export const workersGroup = answerWith({
  AutoScalingGroups: [
    {
      AutoScalingGroupName: 'workers',
      MinSize: 1,
      MaxSize: 3,
      DesiredCapacity: 2,
      AvailabilityZones: ['us-east-1a'],
      VPCZoneIdentifier: 'subnet-1',
      WarmPoolSize: 1,
      LaunchTemplate: { LaunchTemplateName: 'workers', Version: '1' },
      Instances: [{ InstanceId: 'i-0123456789abcdef0', AvailabilityZone: 'us-east-1a', LifecycleState: 'InService' }],
    },
  ],
});
export const answersOnDescribe = {
  DescribeAutoScalingGroups: workersGroup,
  DescribeLaunchTemplateVersions: answerWith({
    LaunchTemplateVersions: [
      {
        LaunchTemplateId: 'lt-1',
        VersionNumber: 1,
        LaunchTemplateData: { ImageId: 'ami-1', InstanceType: 'm5.large' },
      },
    ],
  }),
  DescribeImages: answerWith({ Images: [{ ImageId: 'ami-1', Architecture: 'x86_64' }] }),
  DescribeInstances: runningInstance,
  DescribeSubnets: answerWith({ Subnets: [] }),
  DescribeWarmPool: answerWith({ Instances: [] }),
  DescribeInstanceRefreshes: answerWith({ InstanceRefreshes: [] }),
  DescribeLifecycleHooks: answerWith({ LifecycleHooks: [] }),
  DescribeScalingActivities: answerWith({ Activities: [] }),
};
