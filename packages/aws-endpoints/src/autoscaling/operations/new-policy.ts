import type { PutScalingPolicyType } from '@aws-sdk/client-auto-scaling';
import { autoScalingValidationError } from '../errors.ts';
import type { CapacityAdjustment, ScalingPlan } from '../group/scaling-policy.ts';

const mostSteps = 20;

/** Reads what a request makes of a policy. @throws AwsError `ValidationError` */
export function readScalingPlan(request: PutScalingPolicyType): ScalingPlan {
  const { PolicyType: type = 'SimpleScaling' } = request;
  switch (type) {
    case 'SimpleScaling':
      return readSimplePlan(request);
    case 'StepScaling':
      return readStepPlan(request);
    case 'TargetTrackingScaling':
      return readTrackingPlan(request);
    case 'PredictiveScaling':
      if (request.PredictiveScalingConfiguration === undefined)
        throw autoScalingValidationError('PredictiveScalingConfiguration must be specified for a predictive policy.');
      return { type, prediction: request.PredictiveScalingConfiguration };
    default:
      throw autoScalingValidationError(
        `Policy type '${type}' is not one of SimpleScaling, StepScaling, TargetTrackingScaling and PredictiveScaling.`,
      );
  }
}

function readAdjustment({
  AdjustmentType: kind,
  MinAdjustmentMagnitude: least,
}: PutScalingPolicyType): CapacityAdjustment {
  if (kind === undefined) throw autoScalingValidationError('AdjustmentType must be specified for this type of policy.');
  if (kind !== 'ChangeInCapacity' && kind !== 'ExactCapacity' && kind !== 'PercentChangeInCapacity')
    throw autoScalingValidationError(
      `AdjustmentType '${kind}' is not one of ChangeInCapacity, ExactCapacity and PercentChangeInCapacity.`,
    );
  if (least !== undefined && kind !== 'PercentChangeInCapacity')
    throw autoScalingValidationError('MinAdjustmentMagnitude is only supported for PercentChangeInCapacity.');
  return { kind, ...(least !== undefined && { leastChange: least }) };
}

function readSimplePlan(request: PutScalingPolicyType): ScalingPlan {
  const { ScalingAdjustment: amount, Cooldown: cooldown, StepAdjustments: steps } = request;
  const adjustment = readAdjustment(request);
  if (amount === undefined)
    throw autoScalingValidationError('ScalingAdjustment must be specified for a simple scaling policy.');
  if (steps !== undefined && steps.length > 0)
    throw autoScalingValidationError('StepAdjustments are not supported for a simple scaling policy.');
  return {
    type: 'SimpleScaling',
    adjustment,
    amount,
    ...(cooldown !== undefined && { cooldownSeconds: cooldown }),
  };
}

function readStepPlan(request: PutScalingPolicyType): ScalingPlan {
  const { StepAdjustments: steps = [], EstimatedInstanceWarmup: warmup } = request;
  const adjustment = readAdjustment(request);
  if (steps.length === 0)
    throw autoScalingValidationError('At least one StepAdjustment must be specified for a step scaling policy.');
  if (steps.length > mostSteps)
    throw autoScalingValidationError(`A step scaling policy has at most ${mostSteps} StepAdjustments.`);
  if (request.Cooldown !== undefined)
    throw autoScalingValidationError('Cooldown is not supported for a step scaling policy.');
  return {
    type: 'StepScaling',
    adjustment,
    steps,
    ...(warmup !== undefined && { warmupSeconds: warmup }),
    aggregation: request.MetricAggregationType ?? 'Average',
  };
}

function readTrackingPlan(request: PutScalingPolicyType): ScalingPlan {
  const { TargetTrackingConfiguration: target, EstimatedInstanceWarmup: warmup } = request;
  if (target === undefined)
    throw autoScalingValidationError('TargetTrackingConfiguration must be specified for a target tracking policy.');
  if (request.AdjustmentType !== undefined)
    throw autoScalingValidationError('AdjustmentType is not supported for a target tracking policy.');
  if ((target.PredefinedMetricSpecification === undefined) === (target.CustomizedMetricSpecification === undefined))
    throw autoScalingValidationError(
      'TargetTrackingConfiguration needs exactly one of PredefinedMetricSpecification and CustomizedMetricSpecification.',
    );
  return { type: 'TargetTrackingScaling', target, ...(warmup !== undefined && { warmupSeconds: warmup }) };
}
