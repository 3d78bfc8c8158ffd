import type {
  CreateAutoScalingGroupType,
  CreateLaunchConfigurationType,
  DescribeLaunchConfigurationsCommandInput,
  LaunchConfigurationNameType,
  LaunchConfigurationsType,
} from '@aws-sdk/client-auto-scaling';
import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { typeNamed } from '../../catalogue/catalogue.ts';
import { AwsError } from '../../codec/aws-error.ts';
import { takePage } from '../../paging.ts';
import { autoScalingBadToken, autoScalingValidationError } from '../errors.ts';
import { isLaunchConfiguration } from '../group/launch-configuration.ts';
import type { KeptLaunchConfiguration } from '../launch-configurations.ts';
import type { AutoScalingService } from '../model.ts';
import { writeLaunchConfiguration } from '../wire/launch-configuration.ts';
import type { GroupLaunchSources } from './new-group.ts';

export function createLaunchConfiguration(
  { autoScaling: { configurations }, ec2 }: AutoScalingService,
  request: CreateLaunchConfigurationType,
): object {
  configurations.add(readLaunchConfiguration(request, { ec2, configurations }));
  return {};
}

/** A group that is made from an instance gets a launch configuration of its own name, which says what the instance is. */
export function withOwnConfiguration(
  { InstanceId: id, ...request }: CreateAutoScalingGroupType,
  sources: GroupLaunchSources,
): CreateAutoScalingGroupType {
  if (id === undefined) return request;
  const name = request.AutoScalingGroupName ?? '';
  sources.configurations.add({ name, data: readInstanceData(id, sources) });
  return { ...request, LaunchConfigurationName: name };
}

function readLaunchConfiguration(
  request: CreateLaunchConfigurationType,
  sources: GroupLaunchSources,
): Omit<KeptLaunchConfiguration, 'arn' | 'createdAt'> {
  const base = request.InstanceId === undefined ? {} : readInstanceData(request.InstanceId, sources);
  const data = { ...base, ...readLaunchData(request) };
  if (data.ImageId === undefined || data.InstanceType === undefined)
    throw autoScalingValidationError(
      'Valid requests must contain either the InstanceID parameter or both the ImageId and InstanceType parameters.',
    );
  checkReferences(data, sources);
  return {
    name: request.LaunchConfigurationName ?? '',
    data,
    ...(request.SpotPrice !== undefined && { spotPrice: request.SpotPrice }),
    ...(request.AssociatePublicIpAddress !== undefined && { assignsPublicAddress: request.AssociatePublicIpAddress }),
  };
}

/** The members have the names of a launch template's data, but for a few. */
function readLaunchData(request: CreateLaunchConfigurationType): RequestLaunchTemplateData {
  const { SecurityGroups: groups = [], IamInstanceProfile: profile, AssociatePublicIpAddress: assigns } = request;
  const ids = groups.filter((group) => group.startsWith('sg-'));
  const names = groups.filter((group) => !group.startsWith('sg-'));
  const said = {
    ImageId: request.ImageId,
    InstanceType: request.InstanceType as RequestLaunchTemplateData['InstanceType'],
    KeyName: request.KeyName === '' ? undefined : request.KeyName,
    UserData: request.UserData === '' ? undefined : request.UserData,
    EbsOptimized: request.EbsOptimized,
    Monitoring: request.InstanceMonitoring,
    MetadataOptions: request.MetadataOptions,
    BlockDeviceMappings: request.BlockDeviceMappings?.filter(({ NoDevice }) => NoDevice !== true).map(
      ({ NoDevice: _none, ...mapping }) => mapping as NonNullable<RequestLaunchTemplateData['BlockDeviceMappings']>[0],
    ),
    IamInstanceProfile: profile && (profile.startsWith('arn:') ? { Arn: profile } : { Name: profile }),
    Placement:
      request.PlacementTenancy === undefined
        ? undefined
        : ({ Tenancy: request.PlacementTenancy } as RequestLaunchTemplateData['Placement']),
    SecurityGroups: names.length === 0 ? undefined : names,
    SecurityGroupIds: ids.length === 0 || assigns !== undefined ? undefined : ids,
    NetworkInterfaces:
      assigns === undefined ? undefined : [{ DeviceIndex: 0, AssociatePublicIpAddress: assigns, Groups: ids }],
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function readInstanceData(id: string, { ec2 }: GroupLaunchSources): RequestLaunchTemplateData {
  const found = ec2.instances.get(id);
  if (found === undefined || found.state === 'terminated')
    throw autoScalingValidationError(`Invalid instance id: ${id}. The instance does not exist.`);
  const { imageId, instanceType, instanceProfile, userData, securityGroupIds, details } = found.settings;
  return {
    ImageId: imageId,
    InstanceType: instanceType as 'm5.large',
    SecurityGroupIds: [...securityGroupIds],
    ...(details?.KeyName !== undefined && { KeyName: details.KeyName }),
    ...(userData !== undefined && { UserData: userData }),
    ...(instanceProfile !== undefined && { IamInstanceProfile: { Name: instanceProfile } }),
  };
}

/** What Auto Scaling looks at before it keeps a launch configuration; the rest shows when a group launches from it. */
function checkReferences(
  { ImageId = '', InstanceType: type, KeyName }: RequestLaunchTemplateData,
  { ec2 }: GroupLaunchSources,
): void {
  if (typeNamed(type ?? '') === undefined) throw autoScalingValidationError(`Invalid EC2 instance type: ${type}`);
  try {
    ec2.images.find(ImageId, ec2.clock.now());
  } catch (error) {
    if (error instanceof AwsError) throw autoScalingValidationError('AMI cannot be described');
    throw error;
  }
  if (KeyName !== undefined && !ec2.keyPairs.all().some(({ name }) => name === KeyName))
    throw autoScalingValidationError(`The key pair '${KeyName}' does not exist`);
}

export function describeLaunchConfigurations(
  { autoScaling: { configurations } }: AutoScalingService,
  request: DescribeLaunchConfigurationsCommandInput,
): LaunchConfigurationsType {
  const { LaunchConfigurationNames: names = [] } = request;
  const found = configurations.all().filter(({ name }) => names.length === 0 || names.includes(name));
  const { items, next } = takePage(found, {
    size: request.MaxRecords ?? 50,
    token: request.NextToken,
    refuse: autoScalingBadToken,
  });
  return { LaunchConfigurations: items.map(writeLaunchConfiguration), ...(next && { NextToken: next }) };
}

export function deleteLaunchConfiguration(
  { autoScaling }: AutoScalingService,
  { LaunchConfigurationName: name = '' }: LaunchConfigurationNameType,
): object {
  autoScaling.configurations.named(name);
  const user = autoScaling.all().find(({ template }) => isLaunchConfiguration(template) && template.name === name);
  if (user !== undefined)
    throw new AwsError(
      'ResourceInUse',
      `Cannot delete launch configuration ${name} because it is attached to AutoScalingGroup ${user.name}`,
    );
  autoScaling.configurations.delete(name);
  return {};
}
