import { instant, type Instant } from '@nodewright/apis';

/** When a release came out, by the day in its name; absent for one without a day, such as those of Bottlerocket. */
export function parseReleaseDay(release = ''): Instant | undefined {
  const [, year, month, day] = /^v?(\d{4})(\d{2})(\d{2})$/.exec(release) ?? [];
  const date = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date) ? undefined : instant(date);
}
