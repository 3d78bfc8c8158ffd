import type {
  CreateAutoScalingGroupType,
  LaunchTemplateSpecification,
  MixedInstancesPolicy,
} from '@aws-sdk/client-auto-scaling';
import type { Ec2 } from '../../ec2/model.ts';
import type { AutoScalingGroupSettings } from '../auto-scaling.ts';
import { autoScalingValidationError } from '../errors.ts';
import type { AutoScalingGroupRecord } from '../group/group.ts';
import {
  type LaunchConfiguration,
  type GroupLaunchTemplate,
  referToLaunchConfiguration,
} from '../group/launch-configuration.ts';
import type { LaunchConfigurations } from '../launch-configurations.ts';

/** What a request to create a group comes down to. @throws AwsError when something it names is missing or unknown */
export function readNewAutoScalingGroup(
  request: CreateAutoScalingGroupType,
  { ec2, configurations }: GroupLaunchSources,
): AutoScalingGroupSettings {
  const { MinSize: min, MaxSize: max, AutoScalingGroupName: name } = request;
  if (name === undefined || min === undefined || max === undefined) {
    throw autoScalingValidationError('AutoScalingGroupName, MinSize and MaxSize are required.');
  }
  return {
    name,
    min,
    max,
    desired: request.DesiredCapacity ?? min,
    ...launchConfigurationOf(request, { ec2, configurations }),
    ...placesOf(request, ec2),
    tags: (request.Tags ?? []).map(({ Key = '', Value = '', PropagateAtLaunch }) => ({
      key: Key,
      value: Value,
      atLaunch: PropagateAtLaunch ?? true,
    })),
    hooks: [],
    capacityRebalance: request.CapacityRebalance ?? false,
    terminationPolicies: request.TerminationPolicies ?? ['Default'],
    healthCheckGraceSeconds: request.HealthCheckGracePeriod ?? 0,
    cooldownSeconds: request.DefaultCooldown ?? 300,
    protectNew: request.NewInstancesProtectedFromScaleIn ?? false,
  };
}

/** What groups can launch from. */
export type GroupLaunchSources = { readonly ec2: Ec2; readonly configurations: LaunchConfigurations };

type Templated = {
  readonly LaunchConfigurationName?: string | undefined;
  readonly LaunchTemplate?: LaunchTemplateSpecification | undefined;
  readonly MixedInstancesPolicy?: MixedInstancesPolicy | undefined;
};

export function launchConfigurationOf(
  { LaunchConfigurationName, LaunchTemplate, MixedInstancesPolicy }: Templated,
  { ec2, configurations }: GroupLaunchSources,
): LaunchConfiguration {
  const sources = [LaunchConfigurationName, LaunchTemplate, MixedInstancesPolicy].filter((each) => each !== undefined);
  if (sources.length > 1)
    throw autoScalingValidationError(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
    );
  if (LaunchConfigurationName !== undefined) {
    const { name, spotPrice } = configurations.named(LaunchConfigurationName);
    const capacityType = spotPrice === undefined ? 'on-demand' : 'spot';
    return { template: referToLaunchConfiguration(name), instanceTypes: [], mixed: false, capacityType };
  }
  if (MixedInstancesPolicy === undefined) {
    return { template: referenceOf(LaunchTemplate, ec2), instanceTypes: [], mixed: false, capacityType: 'on-demand' };
  }
  const { LaunchTemplate: mixed, InstancesDistribution: distribution } = MixedInstancesPolicy;
  const onDemandShare = distribution?.OnDemandPercentageAboveBaseCapacity ?? 100;
  return {
    template: referenceOf(mixed?.LaunchTemplateSpecification, ec2),
    instanceTypes: (mixed?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? []),
    mixed: true,
    policy: { distribution: distribution ?? {}, overrides: mixed?.Overrides ?? [] },
    capacityType: onDemandShare === 0 ? 'spot' : 'on-demand',
    ...(distribution?.SpotAllocationStrategy !== undefined && { allocation: distribution.SpotAllocationStrategy }),
  };
}

function referenceOf(specification: LaunchTemplateSpecification | undefined, ec2: Ec2): GroupLaunchTemplate {
  if (specification === undefined) {
    throw autoScalingValidationError(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
    );
  }
  if (specification.LaunchTemplateId === undefined && specification.LaunchTemplateName === undefined)
    throw autoScalingValidationError('Valid requests must contain either launchTemplateId or LaunchTemplateName');
  const template = ec2.templates.find(specification);
  const version = specification.Version ?? '$Default';
  ec2.templates.version({ LaunchTemplateId: template.id, Version: version });
  const isUnversioned = specification.Version === undefined;
  return { id: template.id, name: template.name, version, ...(isUnversioned && { isUnversioned }) };
}

type GroupPlacement = Pick<CreateAutoScalingGroupType, 'VPCZoneIdentifier' | 'AvailabilityZones'>;

export function placesOf(
  request: GroupPlacement,
  { network }: Ec2,
): Pick<AutoScalingGroupRecord, 'subnetIds' | 'zones'> {
  const asked = request.VPCZoneIdentifier?.split(',').map((id) => id.trim());
  const subnets =
    asked?.map((id) => {
      const subnet = network.subnets.find((each) => each.id === id);
      if (subnet === undefined) throw autoScalingValidationError(`The subnet ID '${id}' does not exist`);
      return subnet;
    }) ??
    network.subnets.filter(
      ({ zone, public: isPublic }) => isPublic && (request.AvailabilityZones ?? []).includes(zone),
    );
  if (subnets.length === 0)
    throw autoScalingValidationError('At least one Availability Zone or VPC Subnet is required.');
  return { subnetIds: subnets.map(({ id }) => id), zones: [...new Set(subnets.map(({ zone }) => zone))].toSorted() };
}
