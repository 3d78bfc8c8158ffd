import type { ReportEntry } from '@nodewright/operator';

/**
 * Entries as short lines, for tables of tests: `Warning FailedDraining Node/n: message (n)` with what repetitions are
 * recognised by, `info message {"field":1}`, `claimDisrupted default-abcde, "expired"`.
 */
export const printEntries = (entries: readonly ReportEntry[]): readonly string[] => entries.map(printEntry);

function printEntry(entry: ReportEntry): string {
  switch (entry.kind) {
    case 'event': {
      const { type, reason, kind, about, message, dedupe = [], windowMs, rate } = entry.event;
      const window = windowMs === undefined ? '' : ` every ${windowMs / 1_000} s`;
      const limit = rate === undefined ? '' : ` at most ${rate.perSecond} a second`;
      return `${type} ${reason} ${kind.kind}/${about.metadata.name}: ${message} (${dedupe.join(', ')})${window}${limit}`;
    }
    case 'log':
      return `${entry.level} ${entry.message} ${printValue(entry.fields)}`;
    case 'counter':
      return [entry.counter, entry.values.map(printValue).join(', ')].join(' ').trimEnd();
  }
}

/** Objects of the cluster by their names, maps as their entries, errors as their messages. */
const printValue = (value: unknown): string =>
  isNamed(value)
    ? value.metadata.name
    : JSON.stringify(value, (_, each: unknown) => {
        if (each instanceof Map) return [...each];
        return each instanceof Error ? each.message : each;
      });

const isNamed = (value: unknown): value is { readonly metadata: { readonly name: string } } =>
  typeof value === 'object' && value !== null && 'metadata' in value;
