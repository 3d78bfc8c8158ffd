import { type Condition, instant, type Instant, type Pod, seconds, toTimestamp } from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { mergeConditions } from '../../objects/conditions.ts';
import { isActive, isReadyWorkloadPod } from '../../objects/pod-health.ts';
import type { Autoscaler } from './autoscaler.ts';
import { type MetricReading, readMetric } from './metric.ts';

/** What was asked for at an instant. */
export type Recommendation = { readonly at: Instant; readonly replicas: number };

export type AutoscalerSnapshot = {
  readonly autoscaler: Autoscaler;
  /** The target; `undefined` when there is none that can be scaled. */
  readonly target: { readonly replicas: number } | undefined;
  /** Of the target. */
  readonly pods: readonly Pod[];
  /** Earlier recommendations, the oldest first. */
  readonly recommendations: readonly Recommendation[];
  readonly now: Instant;
};

export type AutoscalerAction =
  | { readonly kind: 'scale'; readonly from: number; readonly replicas: number }
  | { readonly kind: 'remember'; readonly recommendation: Recommendation }
  | { readonly kind: 'writeStatus'; readonly status: NonNullable<Autoscaler['status']> };

const periodMs = seconds(15);
const usualStabilizationSeconds = 300;
const usualMetric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

/** The largest number that a metric asks for, not below what was asked for of late, and within the bounds. */
export function planAutoscaler(snapshot: AutoscalerSnapshot): ControllerPlan<AutoscalerAction> {
  const { autoscaler, target, now } = snapshot;
  const recheckAt = instant(now + periodMs);
  if (target === undefined) return { actions: [statusAction(snapshot, { ableToScale: false })], recheckAt };
  if (target.replicas === 0) return { actions: [statusAction(snapshot, { isDisabled: true })], recheckAt };
  const readings = readAll(snapshot, target.replicas);
  const known = readings.filter((each) => each.kind === 'read');
  const failed = readings.find((each) => each.kind === 'unknown');
  if (known.length === 0) {
    return { actions: [statusAction(snapshot, { because: failed?.because ?? 'there is no metric' })], recheckAt };
  }
  const asked = Math.max(...known.map(({ replicas }) => replicas), failed === undefined ? 0 : target.replicas);
  const steady = stabilized(snapshot, asked, target.replicas);
  const desired = withinBounds(autoscaler, limitedGrowth(target.replicas, steady));
  const scaled = desired !== target.replicas;
  return {
    actions: [
      // The size that the workload has when it is seen first counts as asked for.
      ...(snapshot.recommendations.length === 0 ? [rememberAction(now, target.replicas)] : []),
      rememberAction(now, asked),
      ...(scaled ? [{ kind: 'scale', from: target.replicas, replicas: desired } as const] : []),
      statusAction(snapshot, {
        desired,
        scaled,
        isLimited: desired !== steady,
        current: known.map((each) => each.current),
      }),
    ],
    recheckAt,
  };
}

const rememberAction = (at: Instant, replicas: number): AutoscalerAction => ({
  kind: 'remember',
  recommendation: { at, replicas },
});

function readAll({ autoscaler, pods }: AutoscalerSnapshot, replicas: number): readonly MetricReading[] {
  const running = pods.filter((pod) => isActive(pod) && isReadyWorkloadPod(pod));
  return (autoscaler.spec.metrics ?? [usualMetric]).map((metric) => readMetric(metric, running, replicas));
}

/** Nothing is scaled down below what was asked for within the window. */
function stabilized({ autoscaler, recommendations, now }: AutoscalerSnapshot, asked: number, replicas: number): number {
  if (asked >= replicas) return asked;
  const windowSeconds = autoscaler.spec.behavior?.scaleDown?.stabilizationWindowSeconds ?? usualStabilizationSeconds;
  if (recommendations.length === 0 && windowSeconds > 0) return replicas;
  const recent = recommendations.filter(({ at }) => at > now - seconds(windowSeconds));
  return Math.min(replicas, Math.max(asked, ...recent.map((each) => each.replicas)));
}

/** In one period the pods double, or four are added. */
const limitedGrowth = (replicas: number, asked: number): number =>
  Math.min(asked, Math.max(2 * replicas, replicas + 4));

const withinBounds = ({ spec }: Autoscaler, replicas: number): number =>
  Math.min(spec.maxReplicas, Math.max(spec.minReplicas ?? 1, replicas));

type Outcome = {
  readonly ableToScale?: boolean;
  readonly isDisabled?: boolean;
  readonly because?: string;
  readonly desired?: number;
  readonly scaled?: boolean;
  readonly isLimited?: boolean;
  readonly current?: readonly object[];
};

function statusAction({ autoscaler, target, now }: AutoscalerSnapshot, outcome: Outcome): AutoscalerAction {
  const at = toTimestamp(now);
  const { status, metadata } = autoscaler;
  const current = target?.replicas ?? 0;
  const { lastScaleTime } = outcome.scaled === true ? { lastScaleTime: at } : (status ?? {});
  return {
    kind: 'writeStatus',
    status: {
      observedGeneration: metadata.generation ?? 1,
      currentReplicas: current,
      desiredReplicas: outcome.desired ?? (outcome.isDisabled === true ? 0 : current),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(outcome.current && { currentMetrics: outcome.current }),
      conditions: mergeConditions(status?.conditions, autoscalerConditions(autoscaler, outcome), at),
    },
  };
}

function autoscalerConditions({ spec }: Autoscaler, outcome: Outcome): readonly Condition[] {
  if (outcome.ableToScale === false) {
    const message = `the HPA controller was unable to get the target's current scale: ${spec.scaleTargetRef.kind} "${spec.scaleTargetRef.name}" not found`;
    return [{ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message }];
  }
  const able: Condition = {
    type: 'AbleToScale',
    status: 'True',
    reason: outcome.scaled === true ? 'SucceededRescale' : 'ReadyForNewScale',
    message:
      outcome.scaled === true
        ? `the HPA controller was able to update the target scale to ${outcome.desired}`
        : 'recommended size matches current size',
  };
  if (outcome.isDisabled === true) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    return [able, { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message }];
  }
  if (outcome.because !== undefined) {
    const message = `the HPA was unable to compute the replica count: ${outcome.because}`;
    return [able, { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message }];
  }
  const active = 'the HPA was able to successfully calculate a replica count from resource metrics';
  return [
    able,
    { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message: active },
    outcome.isLimited === true
      ? {
          type: 'ScalingLimited',
          status: 'True',
          reason: 'TooManyReplicas',
          message: 'the desired replica count is outside the bounds or grows too fast',
        }
      : {
          type: 'ScalingLimited',
          status: 'False',
          reason: 'DesiredWithinRange',
          message: 'the desired count is within the acceptable range',
        },
  ];
}
