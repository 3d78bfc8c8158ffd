import { instant, pods } from '@nodewright/apis';
import { createLogger, createMetrics, virtualTime, type EventReport } from '@nodewright/runtime';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { aClaim } from '@nodewright/testkit/worlds';
import { countersOf } from './counters.ts';
import { createPublisher } from './publisher.ts';
import { counterEntry, eventEntries, eventEntry, logEntry } from './report-entry.ts';

function aSetOfSinks() {
  const { clock } = virtualTime(instant(0));
  const [lines, events, metrics] = [[] as string[], [] as EventReport[], createMetrics()];
  const log = createLogger({ clock, level: 'debug', sink: { write: (line) => void lines.push(line) } });
  const publish = createPublisher({ log, report: (event) => void events.push(event), counters: countersOf(metrics) });
  return { publish, lines, events, metrics };
}

const event: EventReport = { kind: pods, about: aPod('web'), type: 'Normal', reason: 'Tested', message: 'once' };

test('an entry goes to the sink of its kind, with all that it holds', async () => {
  const { publish, lines, events, metrics } = aSetOfSinks();
  publish([
    eventEntry(event),
    logEntry('error', 'it broke', { part: 'wheel' }),
    logEntry('debug', 'it turns'),
    counterEntry('claimDisrupted', aClaim('one'), 'drifted', { policy: 'WhenEmpty', pods: 2 }),
    counterEntry('interruptionRemoved'),
  ]);
  expect(events).toEqual([event]);
  const written = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(written).toMatchObject([
    { level: 'ERROR', message: 'it broke', part: 'wheel' },
    { level: 'DEBUG', message: 'it turns' },
  ]);
  const text = await metrics.text();
  expect(text).toMatch(/karpenter_nodeclaims_disrupted_total\{reason="drifted",nodepool="default".*when_empty.*\} 1/);
  expect(text).toMatch(/karpenter_pods_disruption_initiated_total\{.*\} 2/);
  expect(text).toContain('karpenter_interruption_deleted_messages_total 1');
});

test('entries of one kind keep their order', () => {
  const { publish, events } = aSetOfSinks();
  const told = ['first', 'second', 'third'].map((message) => ({ ...event, message }));
  publish(eventEntries(told));
  expect(events).toEqual(told);
});

test('no entries touch no sink', () => {
  const { publish, lines, events } = aSetOfSinks();
  publish([]);
  expect([...lines, ...events]).toEqual([]);
});
