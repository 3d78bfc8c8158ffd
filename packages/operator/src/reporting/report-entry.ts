import type { EventReport, LogFields, LogLevel } from '@nodewright/runtime';
import type { Counters } from './counters.ts';

/**
 * One thing that a controller reports: an event, a line of the log, or an increment of a counter. The functions of a
 * `report.ts` return entries and touch nothing, so a table can test them.
 */
export type ReportEntry = EventEntry | LogEntry | CounterEntry;

export type EventEntry = { readonly kind: 'event'; readonly event: EventReport };

export type LogEntry = {
  readonly kind: 'log';
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
};

/** The arguments of each counter. */
export type CounterValues = { readonly [Name in keyof Counters]: Parameters<Counters[Name]> };

export type CounterEntry<Name extends keyof Counters = keyof Counters> = {
  readonly [Each in Name]: { readonly kind: 'counter'; readonly counter: Each; readonly values: CounterValues[Each] };
}[Name];

export const eventEntry = (event: EventReport): EventEntry => ({ kind: 'event', event });

export const eventEntries = (events: readonly EventReport[]): readonly EventEntry[] => events.map(eventEntry);

export const logEntry = (level: LogLevel, message: string, fields: LogFields = {}): LogEntry => ({
  kind: 'log',
  level,
  message,
  fields,
});

export const counterEntry = <Name extends keyof Counters>(
  counter: Name,
  ...values: CounterValues[Name]
): CounterEntry<Name> => ({ kind: 'counter', counter, values });
