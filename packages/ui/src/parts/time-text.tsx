import { printedAge } from '@nodewright/dashboard/rows';
import { useContext, useMemo } from 'preact/hooks';
import { clockContext } from './page-context.ts';
import { countSecondsBetween } from './count-seconds.ts';

/** How long ago something was by the cluster's clock. Pointing at it shows the time in UTC and in the reader's zone. */
export function AgeText({ since }: { readonly since: string | undefined }) {
  const at = useContext(clockContext);
  const zones = useMemo(() => (since === undefined ? '' : describeZones(since)), [since]);
  if (since === undefined) return <span class="faint">–</span>;
  return (
    <time dateTime={since} title={zones}>
      {printedAge(countSecondsBetween(since, at))}
    </time>
  );
}

/** A time in the reader's zone, with the time in UTC to be pointed at. */
export function TimeText({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span class="faint">–</span>;
  return (
    <time dateTime={at} title={describeZones(at)}>
      {formatLocal(at)}
    </time>
  );
}

const localFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const zoneOfReader = localFormat.resolvedOptions().timeZone;

export const formatLocal = (at: string): string => localFormat.format(Date.parse(at));

const describeZones = (at: string): string => `${at} UTC; ${formatLocal(at)} ${zoneOfReader}`;
