import type { EventReport, Logger } from '@nodewright/runtime';
import type { Counters } from './counters.ts';
import type { CounterEntry, CounterValues, ReportEntry } from './report-entry.ts';

/** Publishes an event; never fails the turn that made it. */
export type Reporter = (report: EventReport) => void;

/** Hands entries on, each to the sink of its kind, in their order. Never fails the turn that made them. */
export type Publisher = (entries: readonly ReportEntry[]) => void;

/** Where entries go. */
export type ReportSinks = {
  readonly log: Logger;
  readonly report: Reporter;
  readonly counters: Counters;
};

export const createPublisher =
  (sinks: ReportSinks): Publisher =>
  (entries) => {
    for (const entry of entries) publishEntry(sinks, entry);
  };

function publishEntry({ log, report, counters }: ReportSinks, entry: ReportEntry): void {
  switch (entry.kind) {
    case 'event':
      return report(entry.event);
    case 'log':
      return log[entry.level](entry.message, entry.fields);
    case 'counter':
      return incrementCounter(counters, entry);
  }
}

type CounterCalls = { readonly [Name in keyof CounterValues]: (...values: CounterValues[Name]) => void };

function incrementCounter<Name extends keyof CounterValues>(
  counters: CounterCalls,
  { counter, values }: CounterEntry<Name>,
): void {
  counters[counter](...values);
}
