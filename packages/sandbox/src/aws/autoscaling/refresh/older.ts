import type { Group } from '../group.ts';
import { preferencesOf } from './preferences.ts';
import type { InstanceRefresh, RefreshPreferences } from './refresh.ts';

/** A refresh as an earlier sandbox may have written it down. */
type Saved = Pick<InstanceRefresh, 'id' | 'status' | 'startedAt' | 'toReplace'> &
  Partial<Omit<InstanceRefresh, 'preferences'>> & { readonly preferences?: Partial<RefreshPreferences> };

/** The group with what its refreshes lack filled in: what an earlier sandbox did without a word. */
export function withWholeRefreshes(group: Group): Group {
  const saved: readonly Saved[] = group.refreshes;
  if (saved.every(isWhole)) return group;
  return { ...group, refreshes: saved.map((refresh) => whole(refresh, group)) };
}

const isWhole = ({ passed, preferences }: Saved): boolean =>
  passed !== undefined && preferences?.standbyInstances !== undefined;

const whole = (refresh: Saved, group: Group): InstanceRefresh => ({
  ...refresh,
  passed: refresh.passed ?? 0,
  preferences: { ...preferencesOf({}, group), ...refresh.preferences },
});
