import { pods, toTimestamp, type Instant, type Pod } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

const fiveMinutesMs = 300_000;

const about = (pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): EventReport => ({
  kind: pods,
  about: pod,
  type,
  reason,
  message,
  dedupe: [pod.metadata.uid ?? ''],
});

/** A thousand pods that wait at once must not bury the API server in events. */
export const nominated = (pod: Pod, target: string): EventReport => ({
  ...about(pod, 'Normal', 'Nominated', `Pod should schedule on: ${target}`),
  rate: { perSecond: 5, burst: 10 },
});

export const failedScheduling = (pod: Pod, because: string): EventReport => ({
  ...about(pod, 'Warning', 'FailedScheduling', `Failed to schedule pod, ${because}`),
  windowMs: fiveMinutesMs,
});

export const invalidProtection = (pod: Pod, value: string): EventReport => ({
  ...about(
    pod,
    'Warning',
    'InvalidDoNotDisruptAnnotation',
    `karpenter.sh/do-not-disrupt is "${value}", which protects nothing; use "true" or a duration such as "30m"`,
  ),
  dedupe: [pod.metadata.uid ?? '', value],
});

export const protectedUntil = (pod: Pod, until: Instant): EventReport => ({
  ...about(pod, 'Normal', 'DoNotDisruptUntil', `The pod is not disrupted before ${toTimestamp(until)}`),
  dedupe: [pod.metadata.uid ?? '', toTimestamp(until)],
});

export const protectionElapsed = (pod: Pod): EventReport =>
  about(pod, 'Normal', 'DoNotDisruptGracePeriodElapsed', 'The pod may be disrupted: its time of protection is over');

export const evicted = (pod: Pod, because: string): EventReport => ({
  ...about(pod, 'Normal', 'Evicted', `Evicted pod: ${because}`),
  dedupe: [pod.metadata.name],
});

export const disrupted = (pod: Pod, graceSeconds: number): EventReport => ({
  ...about(
    pod,
    'Normal',
    'Disrupted',
    `Deleting the pod to accommodate the terminationGracePeriod of the node, with ${graceSeconds} seconds of grace`,
  ),
  dedupe: [pod.metadata.name],
});
