import { formatDuration, minutes, parseDuration, days, type Budget } from '@nodewright/apis';

/**
 * The hours of the day that a budget's window leaves out, as schedule and duration. Only for windows that open once every
 * day; `undefined` for all others.
 */
export function hoursLeftOut({ schedule = '', duration = '' }: Budget): string | undefined {
  const [, minute, hour] = /^\s*(\d+)\s+(\d+)\s+\*\s+\*\s+\*\s*$/.exec(schedule) ?? [];
  const startMinutes = schedule.trim() === '@daily' || schedule.trim() === '@midnight' ? 0 : minutesOfDay(hour, minute);
  if (startMinutes === undefined) return undefined;
  const lengthMs = parseDuration(duration);
  if (lengthMs >= days(1)) return undefined;
  const end = (startMinutes + lengthMs / minutes(1)) % (24 * 60);
  return `schedule: "${end % 60} ${Math.floor(end / 60)} * * *", duration: ${shortened(days(1) - lengthMs)}`;
}

const minutesOfDay = (hour: string | undefined, minute: string | undefined): number | undefined =>
  hour === undefined || minute === undefined ? undefined : Number(hour) * 60 + Number(minute);

/** `16h`, `15h30m`: budgets have no seconds. */
const shortened = (ms: number): string =>
  formatDuration(ms)
    .replace(/0s$/, '')
    .replace(/(?<=h)0m$/, '');
