import { valueAtPath, type JsonObject } from '../schema/json.ts';
import { podQosClass } from './qos.ts';

/**
 * The first status of a new pod. It depends on what admission set.
 * @param now RFC 3339, seconds
 */
export function withNewPodStatus(pod: JsonObject, now: string): JsonObject {
  return { ...pod, status: { phase: 'Pending', ...gated(pod, now), qosClass: podQosClass(pod) } };
}

function gated(pod: JsonObject, now: string): JsonObject {
  const gates = valueAtPath(pod, 'spec', 'schedulingGates');
  if (!Array.isArray(gates) || gates.length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { conditions: [condition] };
}
