import type { CreateFleetRequest } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import type { Pool } from './fleet-pools.ts';
import { invalidCombination, invalidValue, missingParameter } from './errors.ts';
import { checkMaxPrice, checkSpotPriceProtection } from './launch-data-rules.ts';
import type { Network } from './network.ts';

const mostFleetCapacity = 10_000;

/** Checks what a fleet is to reach. @throws AwsError */
export function checkFleetTargets({ TargetCapacitySpecification: target }: CreateFleetRequest): void {
  const { TotalTargetCapacity: total = 0, OnDemandTargetCapacity = 0, SpotTargetCapacity = 0 } = target ?? {};
  const targets = { totalTargetCapacity: total, OnDemandTargetCapacity, SpotTargetCapacity };
  for (const [name, value] of Object.entries(targets)) checkFleetCapacity(name, value);
  if (OnDemandTargetCapacity + SpotTargetCapacity > total)
    throw new AwsError(
      'InvalidTargetCapacitySpecification',
      `The sum of OnDemandTargetCapacity (${OnDemandTargetCapacity}) and SpotTargetCapacity (${SpotTargetCapacity}) must not be greater than TotalTargetCapacity (${total}).`,
    );
}

function checkFleetCapacity(name: string, value: number): void {
  if (value >= 0 && value <= mostFleetCapacity) return;
  throw invalidValue(`Value (${value}) for parameter ${name} is invalid. It must be from 0 to ${mostFleetCapacity}.`);
}

const onDemandStrategies = ['lowest-price', 'prioritized'];
const spotStrategies = [
  'lowest-price',
  'diversified',
  'capacity-optimized',
  'capacity-optimized-prioritized',
  'price-capacity-optimized',
];

/** EC2 takes the names of its model and the older ones, `lowestPrice`. @throws AwsError for another name */
export function checkFleetStrategies({ OnDemandOptions, SpotOptions }: CreateFleetRequest): void {
  checkStrategy(OnDemandOptions?.AllocationStrategy, onDemandStrategies);
  checkStrategy(SpotOptions?.AllocationStrategy, spotStrategies);
}

function checkStrategy(strategy: string | undefined, allowed: readonly string[]): void {
  if (strategy === undefined) return;
  if (allowed.includes(strategy.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))) return;
  throw invalidValue(
    `Value (${strategy}) for parameter allocationStrategy is invalid. Valid values are: ${allowed.join(', ')}.`,
  );
}

const mostRequirements = 4;

/** Checks what the overrides of a fleet say. @throws AwsError */
export function checkFleetOverrides({ LaunchTemplateConfigs, SpotOptions }: CreateFleetRequest): void {
  const overrides = (LaunchTemplateConfigs ?? []).flatMap((config) => config.Overrides ?? []);
  for (const { LaunchTemplateSpecification: source } of LaunchTemplateConfigs ?? [])
    if (source !== undefined && source.Version === undefined)
      throw missingParameter('LaunchTemplateSpecification.Version');
  for (const { InstanceType, InstanceRequirements, MaxPrice, WeightedCapacity: weight } of overrides) {
    checkSpotPriceProtection(InstanceRequirements);
    if (InstanceType !== undefined && InstanceRequirements !== undefined)
      throw invalidCombination('The parameters InstanceType and InstanceRequirements cannot be used together.');
    if (weight !== undefined && !(weight > 0))
      throw invalidValue(`Value (${weight}) for parameter WeightedCapacity is invalid. It must be greater than 0.`);
    checkMaxPrice(MaxPrice);
  }
  checkMaxPrice(SpotOptions?.MaxTotalPrice);
  if (overrides.filter(({ InstanceRequirements }) => InstanceRequirements !== undefined).length > mostRequirements)
    throw invalidValue(
      `Your request contains more than the maximum allowed number of InstanceRequirements (${mostRequirements})`,
    );
}

/** Refuses a fleet two of whose overrides mean one pool: a type in a zone, launched with one template. @throws AwsError */
export function checkDuplicatePools(pools: readonly Pool[], { subnets }: Network): void {
  const zones = new Map(subnets.map(({ id, zone }) => [id, zone]));
  const keys = pools.map(({ data, override, described }) => {
    const { LaunchTemplateId, Version } = described.LaunchTemplateSpecification ?? {};
    const zone = zones.get(override.SubnetId ?? '') ?? override.AvailabilityZone;
    return `${LaunchTemplateId} ${Version} ${data.InstanceType} ${data.ImageId} ${zone}`;
  });
  if (new Set(keys).size === keys.length) return;
  throw new AwsError('InvalidFleetConfig', 'The fleet configuration contains duplicate instance pools.');
}
