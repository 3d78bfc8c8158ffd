import { days, ValueError, instant, readOwn } from '@nodewright/apis';
import type { Instant } from '@nodewright/apis';
import { Cron } from 'croner';

/** When something recurs. */
export type CronSchedule = {
  /** The first hit strictly after an instant; `undefined` when there is none within five years. */
  nextAfter(at: Instant): Instant | undefined;
};

type CronField = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
};

const cronFields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59, names: [] },
  { name: 'hour', least: 0, most: 23, names: [] },
  { name: 'day of month', least: 1, most: 31, names: [] },
  {
    name: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const fiveYearsMs = days(5 * 365);

/**
 * Reads a schedule: five fields of `*`, numbers, names, lists, ranges and steps, or a descriptor
 * such as `@daily`. Named days may run over the end of the week: `sat-sun`. Where both days are restricted either of them suffices.
 *
 * Budgets are always in UTC. In another time zone one time of day that daylight saving skips is the first one after the
 * gap, and one that comes twice is the first of both. Several times of an hour, or of every hour, follow the clocks: they do
 * not come in the gap, and come twice where the hour does.
 * @throws ValueError for anything else: seconds, `L`, day 7, a time zone that does not exist
 */
export function parseSchedule(text: string, timeZone = 'UTC'): CronSchedule {
  const written = readOwn(descriptors, text) ?? text;
  const parts = written.trim().split(/\s+/);
  if (parts.length !== cronFields.length)
    throw new ValueError(text, 'a schedule of five fields, or one such as @daily');
  const pattern = cronFields.map((field, index) => canonicalField(parts[index] ?? '', field, text)).join(' ');
  const cron = new Cron(pattern, { timezone: checkTimeZone(timeZone) });
  return {
    nextAfter: (at) => {
      const next = cron.nextRun(new Date(at))?.getTime();
      return next === undefined || next - at > fiveYearsMs ? undefined : instant(next);
    },
  };
}

/** The field with names as numbers and open steps as ranges. */
function canonicalField(part: string, field: CronField, text: string): string {
  if (/^[*?](\/1)?$/.test(part)) return '*';
  return part
    .split(',')
    .map((item) => canonicalItem(item, field, text))
    .join(',');
}

function canonicalItem(item: string, field: CronField, text: string): string {
  const wrong = () => new ValueError(text, `a schedule whose ${field.name} is within ${field.least}-${field.most}`);
  const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d+))?$/i.exec(item);
  if (match === null) throw wrong();
  const [, first = '', last, step] = match;
  const isAll = first === '*' || first === '?';
  const from = isAll ? field.least : numberOfName(first, field);
  const to = last !== undefined ? numberOfName(last, field) : isAll || step !== undefined ? field.most : from;
  if (step === undefined && runsOverTheWeekend({ first, last, from, to }, field))
    return `${from}-${field.most},0-${to}`;
  const valid = from !== undefined && to !== undefined && from <= to && from >= field.least && to <= field.most;
  if (!valid || (isAll && last !== undefined) || step === '0') throw wrong();
  return step === undefined ? `${from}-${to}` : `${from}-${to}/${step}`;
}

/** `sat-sun`: days that are named may run over the end of the week, as people mean them. Numbers may not, as in crontab. */
const runsOverTheWeekend = (
  range: {
    readonly first: string;
    readonly last: string | undefined;
    readonly from: number | undefined;
    readonly to: number | undefined;
  },
  { names }: CronField,
): boolean =>
  names.includes('sun') &&
  names.includes(range.first.toLowerCase()) &&
  names.includes((range.last ?? '').toLowerCase()) &&
  (range.from ?? 0) > (range.to ?? 0);

function numberOfName(text: string, { names, least }: CronField): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? undefined : index + least;
}

/**
 * The time zone, as it is.
 * @throws ValueError when the database of time zones has none of this name
 */
export function checkTimeZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format(0);
    return timeZone;
  } catch {
    throw new ValueError(timeZone, 'a time zone of the IANA database such as Europe/Berlin or UTC');
  }
}
