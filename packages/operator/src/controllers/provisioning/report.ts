import { pods, toTimestamp, type Instant, type Pod } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';

const fiveMinutesMs = 300_000;

const aboutPod = (pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): EventReport => ({
  kind: pods,
  about: pod,
  type,
  reason,
  message,
  dedupe: [pod.metadata.uid ?? ''],
});

/** A thousand pods that wait at once must not bury the API server in events. */
export const reportNominated = (pod: Pod, target: string): EventReport => ({
  ...aboutPod(pod, 'Normal', 'Nominated', `Pod should schedule on: ${target}`),
  rate: { perSecond: 5, burst: 10 },
});

/** What stands against a pod: a line for each thing, and a text that is another when other things do. */
type PodRefusal = { readonly reasons: readonly string[]; readonly signature: string };

/** Told once in five minutes as long as the same stands against the pod, and at once when that changes. */
export const failedScheduling = (pod: Pod, { reasons, signature }: PodRefusal): EventReport => ({
  ...aboutPod(pod, 'Warning', 'FailedScheduling', `Failed to schedule pod, ${shortenReasons(reasons, pod)}`),
  dedupe: [pod.metadata.uid ?? '', signature],
  windowMs: fiveMinutesMs,
});

/** Events are read in a terminal, between others. */
const mostLetters = 1_000;

/** As many reasons as there is room for, the first in any case. */
function shortenReasons(reasons: readonly string[], { metadata }: Pod): string {
  let shown = reasons.length;
  while (shown > 1 && reasons.slice(0, shown).join('. ').length > mostLetters) shown -= 1;
  const more = `and more: nodewright explain pod ${metadata.namespace ?? 'default'}/${metadata.name} tells all`;
  return [...reasons.slice(0, shown), ...(shown < reasons.length ? [more] : [])].join('. ');
}

export const invalidProtection = (pod: Pod, value: string): EventReport => ({
  ...aboutPod(
    pod,
    'Warning',
    'InvalidDoNotDisruptAnnotation',
    `karpenter.sh/do-not-disrupt is "${value}", which protects nothing; use "true" or a duration such as "30m"`,
  ),
  dedupe: [pod.metadata.uid ?? '', value],
});

export const protectedUntil = (pod: Pod, until: Instant): EventReport => ({
  ...aboutPod(pod, 'Normal', 'DoNotDisruptUntil', `The pod is not disrupted before ${toTimestamp(until)}`),
  dedupe: [pod.metadata.uid ?? '', toTimestamp(until)],
});

export const protectionElapsed = (pod: Pod): EventReport =>
  aboutPod(pod, 'Normal', 'DoNotDisruptGracePeriodElapsed', 'The pod may be disrupted: its time of protection is over');

export const reportEvicted = (pod: Pod, because: string): EventReport => ({
  ...aboutPod(pod, 'Normal', 'Evicted', `Evicted pod: ${because}`),
  dedupe: [pod.metadata.name],
});

export const reportDisrupted = (pod: Pod, graceSeconds: number): EventReport => ({
  ...aboutPod(
    pod,
    'Normal',
    'Disrupted',
    `Deleting the pod to accommodate the terminationGracePeriod of the node, with ${graceSeconds} seconds of grace`,
  ),
  dedupe: [pod.metadata.name],
});
