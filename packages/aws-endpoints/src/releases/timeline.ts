/** What held from which day on: `2023-10-02 5.10.192, 2023-10-27 5.10.197`, oldest first. */
export type Timeline = readonly { readonly since: string; readonly value: string }[];

export const parseTimeline = (text: string): Timeline =>
  text
    .trim()
    .split(/\s*,\s*/)
    .map((entry) => {
      const [since = '', value = ''] = entry.split(' ');
      return { since, value };
    });

/** What held on a day; before the first entry, the first. */
export const valueAsOf = (entries: Timeline, day: string): string =>
  (entries.findLast(({ since }) => since <= day) ?? entries[0])?.value ?? '';
