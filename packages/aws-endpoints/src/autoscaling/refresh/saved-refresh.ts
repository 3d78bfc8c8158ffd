import type { AutoScalingGroupRecord, GroupInstance, HookWait } from '../group/group.ts';
import { preferencesOf } from './preferences.ts';
import type { InstanceRefresh, RefreshPreferences } from '../group/instance-refresh.ts';

/** A refresh as an earlier sandbox may have written it down. */
type SavedRefresh = Pick<InstanceRefresh, 'id' | 'status' | 'startedAt' | 'toReplace'> &
  Partial<Omit<InstanceRefresh, 'preferences'>> & { readonly preferences?: Partial<RefreshPreferences> };

/** An instance of the time when it waited for one hook at most. */
type SavedInstance = GroupInstance & { readonly wait?: Omit<HookWait, 'since'> };

/** The group with what an earlier sandbox did not write down, as it was without a word. */
export function asWrittenNow(group: AutoScalingGroupRecord): AutoScalingGroupRecord {
  const refreshes: readonly SavedRefresh[] = group.refreshes;
  const instances: readonly SavedInstance[] = group.instances;
  if (refreshes.every(isWhole) && instances.every(({ wait }) => wait === undefined)) return group;
  return {
    ...group,
    refreshes: refreshes.map((refresh) => completeRefresh(refresh, group)),
    instances: instances.map(withWaits),
  };
}

const isWhole = ({ passed, preferences }: SavedRefresh): boolean =>
  passed !== undefined && preferences?.standbyInstances !== undefined;

const completeRefresh = (refresh: SavedRefresh, group: AutoScalingGroupRecord): InstanceRefresh => ({
  ...refresh,
  passed: refresh.passed ?? 0,
  preferences: { ...preferencesOf({}, group), ...refresh.preferences },
});

const withWaits = ({ wait, ...instance }: SavedInstance): GroupInstance =>
  wait === undefined ? instance : { ...instance, waits: [{ ...wait, since: wait.due }] };
