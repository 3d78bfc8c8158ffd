import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import { fillIn, changeMember } from './fill.ts';
import { podQosClass } from './qos.ts';

export type PodAdmission = {
  /** The value of the pod's priority class or of the default class; 0 without either. */
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  /** RFC 3339, seconds. */
  readonly now: string;
};

/**
 * Adds the fields that admission sets on a new pod, after ownership was recorded: the default service account, the
 * priority, the two tolerations that keep a pod on an unreachable node for five minutes, and the first status.
 */
export function admitPod(pod: JsonObject, admission: PodAdmission): JsonObject {
  const admitted = changeMember(pod, 'spec', (spec) => tolerant(withAccountAndPriority(spec, admission)));
  return { ...admitted, status: { phase: 'Pending', ...gated(pod, admission), qosClass: podQosClass(admitted) } };
}

function gated(pod: JsonObject, { now }: PodAdmission): JsonObject {
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

function withAccountAndPriority(spec: JsonObject, admission: PodAdmission): JsonObject {
  const name = spec['serviceAccountName'] ?? 'default';
  return fillIn(spec, {
    serviceAccountName: name,
    serviceAccount: name,
    priority: admission.priority ?? 0,
    preemptionPolicy: admission.preemptionPolicy ?? 'PreemptLowerPriority',
    enableServiceLinks: true,
  });
}

const fiveMinutes = 300;

function tolerant(spec: JsonObject): JsonObject {
  const listed = memberOf(spec, 'tolerations');
  const own = Array.isArray(listed) ? listed : [];
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !own.some((toleration) => toleratesEviction(toleration, key)))
    .map((key): JsonValue => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: fiveMinutes }));
  return own.length + added.length === 0 ? spec : { ...spec, tolerations: [...own, ...added] };
}

function toleratesEviction(toleration: JsonValue, key: string): boolean {
  if (!isObject(toleration)) return false;
  const effect = memberOf(toleration, 'effect') ?? '';
  const named = memberOf(toleration, 'key') ?? '';
  return (effect === '' || effect === 'NoExecute') && (named === '' || named === key);
}
