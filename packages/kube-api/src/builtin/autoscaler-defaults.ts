import { type JsonObject, type JsonValue, valueAtPath } from '../schema/json.ts';
import { changeMember, fillIn } from './fill.ts';

/** Defaults of an autoscaler. Only `autoscaling/v2` has metrics and a behavior. */
export function autoscalerDefaults(scaler: JsonObject): JsonObject {
  const isNew = scaler['apiVersion'] === 'autoscaling/v2';
  const withStatus = changeMember(fillIn(scaler, { status: {} }), 'status', (status) =>
    fillIn(status, isNew ? { desiredReplicas: 0, currentMetrics: null } : { currentReplicas: 0, desiredReplicas: 0 }),
  );
  return changeMember(withStatus, 'spec', (spec) => {
    const filled = fillIn(spec, { minReplicas: 1 });
    if (isNew) return changeMember(withMetrics(filled), 'behavior', behaviorDefaults);
    const others = valueAtPath(scaler, 'metadata', 'annotations', 'autoscaling.alpha.kubernetes.io/metrics');
    return others === undefined ? { ...filled, targetCPUUtilizationPercentage: shareOf(filled) } : filled;
  });
}

const shareOf = (spec: JsonObject): JsonValue => spec['targetCPUUtilizationPercentage'] ?? defaultShare;

const withMetrics = (spec: JsonObject): JsonObject =>
  Array.isArray(spec['metrics']) && spec['metrics'].length > 0 ? spec : { ...spec, metrics: [cpuMetric()] };

const scalingPolicy = (type: string, value: number): JsonValue => ({ type, value, periodSeconds: 15 });

/** A scale target that says something about one direction gets the defaults of both. */
function behaviorDefaults(behavior: JsonObject): JsonObject {
  const both = fillIn(behavior, { scaleUp: {}, scaleDown: {} });
  const up = changeMember(both, 'scaleUp', (rules) =>
    fillIn(rules, {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [scalingPolicy('Pods', 4), scalingPolicy('Percent', 100)],
    }),
  );
  return changeMember(up, 'scaleDown', (rules) =>
    fillIn(rules, { selectPolicy: 'Max', policies: [scalingPolicy('Percent', 100)] }),
  );
}

const defaultShare = 80;

/** The metric by which pods are counted when no other is given. */
export const cpuMetric = (share: JsonValue = defaultShare): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: share } },
});
