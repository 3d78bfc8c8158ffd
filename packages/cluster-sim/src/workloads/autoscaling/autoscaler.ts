import type { Condition, KubernetesObject, ResourceType } from '@nodewright/apis';

export type MetricTarget = {
  readonly type: string;
  readonly averageUtilization?: number;
  readonly averageValue?: string;
};

export type ResourceMetric = { readonly name: string; readonly container?: string; readonly target: MetricTarget };

export type AutoscalerMetric = {
  readonly type: string;
  readonly resource?: ResourceMetric;
  readonly containerResource?: ResourceMetric;
};

type ScalingRules = { readonly stabilizationWindowSeconds?: number };

export type Autoscaler = KubernetesObject & {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly AutoscalerMetric[];
    readonly behavior?: { readonly scaleDown?: ScalingRules; readonly scaleUp?: ScalingRules };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly lastScaleTime?: string;
    readonly currentMetrics?: readonly object[];
    readonly conditions?: readonly Condition[];
  };
};

export const autoscalers: ResourceType<Autoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
};
