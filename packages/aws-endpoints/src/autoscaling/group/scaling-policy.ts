import type {
  PredictiveScalingConfiguration,
  StepAdjustment,
  TargetTrackingConfiguration,
} from '@aws-sdk/client-auto-scaling';

export type AdjustmentKind = 'ChangeInCapacity' | 'ExactCapacity' | 'PercentChangeInCapacity';

/** By how much a policy changes the capacity of its group. */
export type CapacityAdjustment = {
  readonly kind: AdjustmentKind;
  /** The least change of a percentage, in instances. */
  readonly leastChange?: number;
};

/** What a policy does when it is executed, or what it follows. */
export type ScalingPlan =
  | {
      readonly type: 'SimpleScaling';
      readonly adjustment: CapacityAdjustment;
      readonly amount: number;
      readonly cooldownSeconds?: number;
    }
  | {
      readonly type: 'StepScaling';
      readonly adjustment: CapacityAdjustment;
      readonly steps: readonly StepAdjustment[];
      readonly warmupSeconds?: number;
      readonly aggregation: string;
    }
  | {
      readonly type: 'TargetTrackingScaling';
      readonly target: TargetTrackingConfiguration;
      readonly warmupSeconds?: number;
    }
  | { readonly type: 'PredictiveScaling'; readonly prediction: PredictiveScalingConfiguration };

export type ScalingPolicy = {
  readonly name: string;
  readonly arn: string;
  readonly isEnabled: boolean;
  readonly plan: ScalingPlan;
};

/** The capacity after an adjustment. It may lie outside of the limits of the group. */
export function adjustCapacity(
  capacity: number,
  { kind, leastChange = 0 }: CapacityAdjustment,
  amount: number,
): number {
  switch (kind) {
    case 'ChangeInCapacity':
      return capacity + amount;
    case 'ExactCapacity':
      return amount;
    case 'PercentChangeInCapacity':
      return capacity + Math.sign(amount) * Math.max(leastChange, roundShare((capacity * Math.abs(amount)) / 100));
  }
}

/** Shares are rounded towards zero, and up to one where they are less. */
const roundShare = (share: number): number => (share === 0 ? 0 : Math.max(1, Math.floor(share)));

/** The step whose interval holds the distance of a metric from its threshold; a bound belongs to the step further out. */
export const findStep = (steps: readonly StepAdjustment[], distance: number): StepAdjustment | undefined =>
  steps.find(({ MetricIntervalLowerBound: lower = -Infinity, MetricIntervalUpperBound: upper = Infinity }) =>
    distance >= 0 ? lower <= distance && distance < upper : lower < distance && distance <= upper,
  );
