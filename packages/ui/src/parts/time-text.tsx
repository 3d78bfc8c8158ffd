import { printedAge } from '@nodewright/dashboard/rows';
import { useContext, useMemo } from 'preact/hooks';
import { clockContext } from './page-context.ts';
import { countSecondsBetween } from './count-seconds.ts';
import { formatUtc } from './format-utc.ts';

/**
 * How long ago something was by the cluster's clock. The time in UTC and in the reader's zone stands in the title, and
 * beside it on paper and where the reader asks for it: see `TimesSwitch`.
 */
export function AgeText({ since }: { readonly since: string | undefined }) {
  const at = useContext(clockContext);
  const zones = useMemo(() => (since === undefined ? '' : describeZones(since)), [since]);
  if (since === undefined) return <span class="faint">–</span>;
  return (
    <time dateTime={since} title={zones}>
      {printedAge(countSecondsBetween(since, at))}
      <span class="utc of-age"> ({zones})</span>
    </time>
  );
}

/** A time in the reader's zone. The time in UTC stands where that of an age does, and where nothing can be pointed at. */
export function TimeText({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span class="faint">–</span>;
  return (
    <time dateTime={at} title={describeZones(at)}>
      {formatLocal(at)}
      <span class="utc"> ({formatUtc(at)})</span>
    </time>
  );
}

const localFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const zoneOfReader = localFormat.resolvedOptions().timeZone;

export const formatLocal = (at: string): string => localFormat.format(Date.parse(at));

const describeZones = (at: string): string => `${formatUtc(at)}; ${formatLocal(at)} ${zoneOfReader}`;
