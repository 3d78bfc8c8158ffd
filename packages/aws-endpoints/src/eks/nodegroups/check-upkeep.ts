import type { NodeRepairConfig, WarmPoolConfig } from '@aws-sdk/client-eks';
import { type GroupPlace, invalidParameter } from '../errors.ts';
import type { AmiType } from './ami-types.ts';

const boundedPairs = [
  ['maxUnhealthyNodeThresholdCount', 'maxUnhealthyNodeThresholdPercentage'],
  ['maxParallelNodesRepairedCount', 'maxParallelNodesRepairedPercentage'],
] as const;

/** @throws AwsError when a number is out of bounds, both forms of a limit are given, or an override is not whole */
export function checkNodeRepair(config: NodeRepairConfig | undefined, place: GroupPlace): void {
  const named = (field: string) => `nodeRepairConfig.${field}`;
  for (const [count, percentage] of boundedPairs) {
    if (config?.[count] !== undefined && config[percentage] !== undefined) {
      throw invalidParameter(place, `nodeRepairConfig takes ${count} or ${percentage}, not both`);
    }
    checkBounds(named(count), config?.[count], { least: 1 }, place);
    checkBounds(named(percentage), config?.[percentage], { least: 1, most: 100 }, place);
  }
  for (const override of config?.nodeRepairConfigOverrides ?? []) checkOverride(override, place);
}

type Override = NonNullable<NodeRepairConfig['nodeRepairConfigOverrides']>[number];

const repairOverrideFields = [
  'nodeMonitoringCondition',
  'nodeUnhealthyReason',
  'minRepairWaitTimeMins',
  'repairAction',
] as const;
const repairActions = ['Replace', 'Reboot', 'NoAction'];

function checkOverride(override: Override, place: GroupPlace): void {
  const missing = repairOverrideFields.find((field) => override[field] === undefined);
  if (missing !== undefined) throw invalidParameter(place, `nodeRepairConfigOverrides: ${missing} is missing`);
  checkBounds('nodeRepairConfigOverrides: minRepairWaitTimeMins', override.minRepairWaitTimeMins, { least: 1 }, place);
  checkKind('nodeRepairConfigOverrides: repairAction', override.repairAction, repairActions, place);
}

const poolStates = ['STOPPED', 'RUNNING', 'HIBERNATED'];

/** @throws AwsError when the pool cannot be as it was asked for, with nodes of the type */
export function checkWarmPool(config: WarmPoolConfig | undefined, amiType: AmiType, place: GroupPlace): void {
  checkBounds('warmPoolConfig.minSize', config?.minSize, { least: 0 }, place);
  checkBounds('warmPoolConfig.maxGroupPreparedCapacity', config?.maxGroupPreparedCapacity, { least: 0 }, place);
  checkKind('warmPoolConfig.poolState', config?.poolState, poolStates, place);
  if (config?.enabled !== true) return;
  if (amiType === 'CUSTOM') throw invalidParameter(place, 'warmPoolConfig needs an EKS optimized AMI');
  const hibernates = config.poolState === 'HIBERNATED' || config.reuseOnScaleIn === true;
  if (amiType.startsWith('BOTTLEROCKET') && hibernates) {
    throw invalidParameter(place, 'warmPoolConfig: Bottlerocket supports neither HIBERNATED nor reuseOnScaleIn');
  }
}

type UpkeepBounds = { readonly least: number; readonly most?: number };

/** What is not given is fine. */
function checkBounds(name: string, value: number | undefined, { least, most }: UpkeepBounds, place: GroupPlace): void {
  if (value === undefined || (value >= least && value <= (most ?? value))) return;
  const wanted = most === undefined ? `${least} or more` : `from ${least} to ${most}`;
  throw invalidParameter(place, `${name} is ${value}, must be ${wanted}`);
}

/** What is not given is fine. */
export function checkKind(name: string, value: string | undefined, kinds: readonly string[], place: GroupPlace): void {
  if (value === undefined || kinds.includes(value)) return;
  throw invalidParameter(place, `${name} is ${value}, must be one of ${kinds.join(', ')}`);
}
