import { useEffect, useState } from 'preact/hooks';

const timesKey = 'nodewright-times';

/** Whether the time in UTC stands beside every age and time, for readers who do not point at things. The browser remembers it. */
export function TimesSwitch() {
  const [withUtc, setWithUtc] = useState(() => localStorage.getItem(timesKey) === 'utc');
  useEffect(() => {
    document.documentElement.dataset['times'] = withUtc ? 'utc' : 'short';
    localStorage.setItem(timesKey, withUtc ? 'utc' : 'short');
  }, [withUtc]);
  return (
    <label class="times">
      <input type="checkbox" checked={withUtc} onChange={({ currentTarget }) => setWithUtc(currentTarget.checked)} />{' '}
      All times in UTC, too
    </label>
  );
}
