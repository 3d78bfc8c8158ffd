import type {
  DeletePolicyType,
  DescribePoliciesType,
  ExecutePolicyType,
  PoliciesType,
  PolicyARNType,
  PutScalingPolicyType,
  ScalingPolicy as WirePolicy,
} from '@aws-sdk/client-auto-scaling';
import { byTextOf, seconds } from '@nodewright/apis';
import { AwsError } from '../../codec/aws-error.ts';
import { takePage } from '../../paging.ts';
import { autoScalingBadToken, autoScalingValidationError, noSuchAutoScalingGroup } from '../errors.ts';
import type { AutoScalingGroupRecord } from '../group/group.ts';
import { adjustCapacity, findStep, type ScalingPlan, type ScalingPolicy } from '../group/scaling-policy.ts';
import type { AutoScalingService } from '../model.ts';
import { readScalingPlan } from './new-policy.ts';

/** Auto Scaling's quota of policies of a group. */
const mostPolicies = 50;

export function putScalingPolicy(
  { autoScaling, newId }: AutoScalingService,
  request: PutScalingPolicyType,
): PolicyARNType {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const { policies = [] } = group;
  const { PolicyName: name = '' } = request;
  const before = policies.find((policy) => policy.name === name);
  const plan = readScalingPlan(request);
  if (before === undefined && policies.length >= mostPolicies)
    throw new AwsError('LimitExceeded', `The group ${group.name} has ${mostPolicies} policies, no more are allowed.`);
  const arn = before?.arn ?? arnOfPolicy(group, name, newId());
  const policy = { name, arn, isEnabled: request.Enabled ?? true, plan };
  const others = policies.filter((each) => each.name !== name);
  autoScaling.change(group.name, { policies: [...others, policy].toSorted(byTextOf((each) => each.name)) });
  return { PolicyARN: arn, Alarms: [] };
}

const arnOfPolicy = ({ arn, name: group }: AutoScalingGroupRecord, name: string, id: string): string =>
  `${arn.replace(/:autoScalingGroup:.*/, '')}:scalingPolicy:${id}:autoScalingGroupName/${group}:policyName/${name}`;

type FoundPolicy = { readonly group: AutoScalingGroupRecord; readonly policy: ScalingPolicy };

type PolicyPlace = { readonly AutoScalingGroupName?: string | undefined; readonly PolicyName?: string | undefined };

/** A policy by its name in a group, or by its ARN. */
function getPolicy({ autoScaling }: AutoScalingService, place: PolicyPlace): FoundPolicy {
  const { AutoScalingGroupName: groupName, PolicyName: name = '' } = place;
  if (groupName === undefined && !name.startsWith('arn:')) throw noSuchAutoScalingGroup('');
  const groups = groupName === undefined ? autoScaling.all() : [autoScaling.group(groupName)];
  for (const group of groups) {
    const policy = (group.policies ?? []).find((each) => each.name === name || each.arn === name);
    if (policy !== undefined) return { group, policy };
  }
  throw autoScalingValidationError(`No policy found with name: ${name}`);
}

export function deletePolicy(service: AutoScalingService, request: DeletePolicyType): object {
  const { group, policy } = getPolicy(service, request);
  service.autoScaling.change(group.name, { policies: (group.policies ?? []).filter((each) => each !== policy) });
  return {};
}

export function describePolicies({ autoScaling }: AutoScalingService, request: DescribePoliciesType): PoliciesType {
  const { AutoScalingGroupName: groupName, PolicyNames: names = [], PolicyTypes: types = [] } = request;
  const groups = groupName === undefined ? autoScaling.all() : [autoScaling.group(groupName)];
  const found = groups
    .flatMap((group) => (group.policies ?? []).map((policy) => ({ group, policy })))
    .filter(({ policy }) => names.length === 0 || names.includes(policy.name) || names.includes(policy.arn))
    .filter(({ policy }) => types.length === 0 || types.includes(policy.plan.type));
  const page = { size: request.MaxRecords ?? 50, token: request.NextToken, refuse: autoScalingBadToken };
  const { items, next } = takePage(found, page);
  return {
    ScalingPolicies: items.map(({ group, policy }) => writeScalingPolicy(group, policy)),
    ...(next && { NextToken: next }),
  };
}

const writeScalingPolicy = (
  group: AutoScalingGroupRecord,
  { name, arn, isEnabled, plan }: ScalingPolicy,
): WirePolicy => ({
  AutoScalingGroupName: group.name,
  PolicyName: name,
  PolicyARN: arn,
  PolicyType: plan.type,
  Enabled: isEnabled,
  Alarms: [],
  StepAdjustments: [],
  ...writePlan(plan),
});

function writePlan(plan: ScalingPlan): Partial<WirePolicy> {
  switch (plan.type) {
    case 'SimpleScaling':
      return {
        ...writeAdjustment(plan),
        ScalingAdjustment: plan.amount,
        ...(plan.cooldownSeconds !== undefined && { Cooldown: plan.cooldownSeconds }),
      };
    case 'StepScaling':
      return {
        ...writeAdjustment(plan),
        StepAdjustments: [...plan.steps],
        MetricAggregationType: plan.aggregation,
        ...(plan.warmupSeconds !== undefined && { EstimatedInstanceWarmup: plan.warmupSeconds }),
      };
    case 'TargetTrackingScaling':
      return {
        TargetTrackingConfiguration: { ...plan.target, DisableScaleIn: plan.target.DisableScaleIn ?? false },
        ...(plan.warmupSeconds !== undefined && { EstimatedInstanceWarmup: plan.warmupSeconds }),
      };
    case 'PredictiveScaling':
      return { PredictiveScalingConfiguration: plan.prediction };
  }
}

type AdjustingPlan = Extract<ScalingPlan, { readonly type: 'SimpleScaling' | 'StepScaling' }>;

const writeAdjustment = ({ adjustment: { kind, leastChange } }: AdjustingPlan): Partial<WirePolicy> => ({
  AdjustmentType: kind,
  ...(leastChange !== undefined && { MinAdjustmentMagnitude: leastChange }),
});

/**
 * Changes the capacity of a group as a policy says, within the limits of the group.
 * @throws AwsError `ScalingActivityInProgress` while a cooldown that the caller honors lasts
 */
export function executePolicy(service: AutoScalingService, request: ExecutePolicyType): object {
  const { autoScaling, clock } = service;
  const { group, policy } = getPolicy(service, request);
  const { plan } = policy;
  if (plan.type !== 'SimpleScaling' && plan.type !== 'StepScaling')
    throw autoScalingValidationError(`Policies of the type ${plan.type} cannot be executed.`);
  if (plan.type === 'SimpleScaling' && request.HonorCooldown === true) requireCooledDown(service, group, plan);
  const amount = plan.type === 'SimpleScaling' ? plan.amount : chooseStep(plan, request);
  const wanted = adjustCapacity(group.desired, plan.adjustment, amount);
  const desired = Math.min(group.max, Math.max(group.min, wanted));
  autoScaling.change(group.name, { desired, ...(desired !== group.desired && { scaledAt: clock.now() }) });
  return {};
}

function requireCooledDown(
  { clock }: AutoScalingService,
  { scaledAt, cooldownSeconds }: AutoScalingGroupRecord,
  plan: Extract<ScalingPlan, { readonly type: 'SimpleScaling' }>,
): void {
  const cooldown = seconds(plan.cooldownSeconds ?? cooldownSeconds);
  if (scaledAt !== undefined && clock.now() < scaledAt + cooldown)
    throw new AwsError('ScalingActivityInProgress', 'The group is in its cooldown period after a scaling activity.');
}

function chooseStep(
  { steps }: Extract<ScalingPlan, { readonly type: 'StepScaling' }>,
  { MetricValue: value, BreachThreshold: threshold }: ExecutePolicyType,
): number {
  if (value === undefined || threshold === undefined)
    throw autoScalingValidationError('MetricValue and BreachThreshold must be specified for a step scaling policy.');
  const step = findStep(steps, value - threshold);
  if (step === undefined)
    throw autoScalingValidationError(
      `No step adjustment found for metric value ${value} and breach threshold ${threshold}`,
    );
  return step.ScalingAdjustment ?? 0;
}
