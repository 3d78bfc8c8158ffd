import type { Condition } from '@nodewright/apis';
import { calendarComplaint } from './calendar/windows.ts';
import { stampConditions } from './conditions.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/**
 * The conditions of a policy, as `kubectl wait`, Argo CD and Flux read them: Ready while the policy governs, Stalled when
 * it cannot be read and keeps everything from beginning.
 */
export function policyConditions(
  { policy, now, objects }: RolloutSnapshot,
  settings: RolloutSettings,
): readonly Condition[] {
  const complaint = calendarComplaint(settings);
  const ready =
    complaint === undefined
      ? { status: 'True' as const, reason: 'Governing', message: `governs ${objects.length} NodePools and NodeGroups` }
      : { status: 'False' as const, reason: 'UnreadableCalendar', message: complaint };
  const stalled =
    complaint === undefined
      ? { status: 'False' as const, reason: 'Governing', message: '' }
      : { ...ready, status: 'True' as const };
  return stampConditions(
    [
      { type: 'Ready', ...ready },
      { type: 'Stalled', ...stalled },
    ],
    policy.status?.conditions,
    { generation: policy.metadata.generation, now },
  );
}
