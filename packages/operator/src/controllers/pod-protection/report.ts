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
      const message = `karpenter.sh/do-not-disrupt is "${plan.value}", which protects nothing; use "true" or a duration such as "30m"`;
      const event = aboutPod(pod, { type: 'Warning', reason: 'InvalidDoNotDisruptAnnotation', message });
      return [eventEntry({ ...event, dedupe: [uid, plan.value] })];
    }
    case 'holds': {
      const until = toTimestamp(plan.until);
      const message = `The pod is not disrupted before ${until}`;
      const event = aboutPod(pod, { type: 'Normal', reason: 'DoNotDisruptUntil', message });
      return [eventEntry({ ...event, dedupe: [uid, until] })];
    }
    case 'elapsed': {
      const message = 'The pod may be disrupted: its time of protection is over';
      return [eventEntry(aboutPod(pod, { type: 'Normal', reason: 'DoNotDisruptGracePeriodElapsed', message }))];
    }
  }
}
