import { toTimestamp, type Pod } from '@nodewright/apis';
import { aboutPod } from '../../reporting/pod-events.ts';
import { eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { ProtectionPlan } from './plan.ts';

export function reportProtection(pod: Pod, plan: ProtectionPlan): readonly ReportEntry[] {
  const uid = pod.metadata.uid ?? '';
  switch (plan.kind) {
    case 'none':
      return [];
    case 'invalid': {
      const message = `Invalid karpenter.sh/do-not-disrupt annotation: "${plan.value}" is neither "true" nor a duration such as "30m", ignoring annotation`;
      const event = aboutPod(pod, { type: 'Warning', reason: 'InvalidDoNotDisruptAnnotation', message });
      return [eventEntry({ ...event, dedupe: [uid, plan.value] })];
    }
    case 'holds': {
      const until = toTimestamp(plan.until);
      const message = `The karpenter.sh/do-not-disrupt grace period will elapse at ${until}`;
      const event = aboutPod(pod, { type: 'Normal', reason: 'DoNotDisruptUntil', message });
      return [eventEntry({ ...event, dedupe: [uid, until] })];
    }
    case 'elapsed': {
      const message = 'The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable';
      return [eventEntry(aboutPod(pod, { type: 'Normal', reason: 'DoNotDisruptGracePeriodElapsed', message }))];
    }
  }
}
