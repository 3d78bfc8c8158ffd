import { fromTimestamp, instant, pods, type Event, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { seededRandom } from '../seeded-random.ts';
import { TinyApiServer } from '@nodewright/testkit';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from '../transport/in-process-transport.ts';
import { startEventRecorder, type EventReport } from './event-recorder.ts';
import { silentLogger } from './logger.ts';

const path = '/api/v1/namespaces/default/events';
const start = fromTimestamp('2024-01-28T16:00:00Z');
const pod: Pod = { metadata: { name: 'web-1', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
const report: EventReport = {
  kind: pods,
  about: pod,
  type: 'Warning',
  reason: 'FailedScheduling',
  message: 'Failed to schedule pod',
  dedupe: ['u1'],
};

function aWorld() {
  const time = virtualTime(start);
  const server = new TinyApiServer();
  const client = kubernetesClient({
    transport: inProcessTransport(time.gate, server.handle),
    gate: time.gate,
    userAgent: 't',
  });
  const recorder = startEventRecorder({ client, clock: time.clock, random: seededRandom(1), log: silentLogger });
  const after = (seconds: number) => time.run(instant(start + seconds * 1000));
  const written = (): readonly Event[] => server.list(path) as readonly Event[];
  return { time, server, recorder, after, written };
}

test('an event says who saw what about which object, and when', async () => {
  const { time, recorder, written } = aWorld();
  recorder.publish(report);
  await time.finish(recorder.flush());
  const { metadata, ...event } = written()[0] ?? { metadata: undefined };
  expect(metadata?.name).toMatch(/^web-1\.[0-9a-f]{16}$/);
  expect(event).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web-1', namespace: 'default', uid: 'u1' },
    type: 'Warning',
    reason: 'FailedScheduling',
    message: 'Failed to schedule pod',
    count: 1,
    firstTimestamp: '2024-01-28T16:00:00Z',
    lastTimestamp: '2024-01-28T16:00:00Z',
    source: { component: 'karpenter' },
    reportingComponent: 'karpenter',
    reportingInstance: '',
  });
});

for (const { fact, again, at, counts } of [
  { fact: 'within its window is told once', again: report, at: 119, counts: [1] },
  { fact: 'after its window is a count on the same event', again: report, at: 120, counts: [2] },
  { fact: 'with its own window keeps to that', again: { ...report, windowMs: 300_000 }, at: 119, counts: [1] },
  {
    fact: 'in other words is another event',
    again: { ...report, message: 'x', dedupe: ['u1', 'x'] },
    at: 1,
    counts: [1, 1],
  },
  {
    fact: 'in the same dedupe values but other words is still one',
    again: { ...report, message: 'x' },
    at: 1,
    counts: [1],
  },
] as const) {
  test(`a report that comes again ${fact}`, async () => {
    const { recorder, after, written } = aWorld();
    recorder.publish(report);
    await after(at);
    recorder.publish(again);
    await after(at + 1);
    expect(written().map(({ count }) => count)).toEqual(counts);
  });
}

test('a report without dedupe values is counted every time', async () => {
  const { time, recorder, written } = aWorld();
  const { dedupe: _dedupe, ...always } = report;
  for (let times = 0; times < 3; times++) recorder.publish(always);
  await time.finish(recorder.flush());
  expect(written().map(({ count }) => count)).toEqual([3]);
});

test('what goes on for a day is told after growing rests, and the event counts each time it came', async () => {
  const { recorder, after, written, server } = aWorld();
  let writes = 0;
  server.intercept = ({ method }) => {
    if (method === 'PATCH' || method === 'POST') writes += 1;
    return undefined;
  };
  for (let seconds = 0; seconds <= 24 * 3600; seconds += 10) {
    recorder.publish(report);
    await after(seconds + 10);
  }
  expect(writes).toBeLessThan(60);
  // What came since the last telling is counted with the next one.
  const [event] = written();
  expect(event?.count).toBeGreaterThan(8_640 - 180);
  expect(event?.count).toBeLessThanOrEqual(8_641);
});

test('a condition that changes to and fro is told ten times, then after rests', async () => {
  const { recorder, after, written } = aWorld();
  const { dedupe: _dedupe, ...always } = report;
  for (let seconds = 0; seconds < 600; seconds += 5) {
    recorder.publish(always);
    await after(seconds + 5);
  }
  const [event, ...others] = written();
  expect(others).toEqual([]);
  expect(event?.count).toBeGreaterThan(60);
  expect(event?.count).toBeLessThan(120);
});

test('an event that the server has forgotten is written anew', async () => {
  const { server, recorder, after, written } = aWorld();
  recorder.publish(report);
  await after(200);
  for (const { metadata } of written()) server.remove(path, metadata.name);
  recorder.publish(report);
  await after(201);
  expect(written().map(({ count, lastTimestamp }) => [count, lastTimestamp])).toEqual([[1, '2024-01-28T16:03:20Z']]);
});

test('an event that cannot be written is dropped, and the next one is written', async () => {
  const { time, server, recorder, after, written } = aWorld();
  server.intercept = () =>
    time.clock.now() < start + 1000 ? { status: 500, headers: {}, body: new Uint8Array() } : undefined;
  recorder.publish(report);
  await after(1);
  recorder.publish({ ...report, reason: 'Nominated' });
  await after(2);
  expect(written().map(({ reason }) => reason)).toEqual(['Nominated']);
});

test('about an object without a namespace, the event is in the default one', async () => {
  const { time, recorder, written } = aWorld();
  recorder.publish({ ...report, about: { metadata: { name: 'n' } } });
  await time.finish(recorder.flush());
  expect(written()[0]?.metadata.namespace).toBe('default');
});

test('reports that come faster than their reason may are dropped, whatever they are about', async () => {
  const { recorder, after, written } = aWorld();
  const nominate = (count: number): void => {
    for (let nth = 0; nth < count; nth += 1) {
      const about = { ...pod, metadata: { ...pod.metadata, name: `web-${nth}-${count}` } };
      recorder.publish({
        ...report,
        about,
        reason: 'Nominated',
        dedupe: [`${nth}-${count}`],
        rate: { perSecond: 5, burst: 10 },
      });
    }
  };
  nominate(100);
  await after(1);
  expect(written()).toHaveLength(10);
  nominate(50);
  await after(2);
  expect(written()).toHaveLength(15);
});

test('of more reports than can wait the rest is dropped, and told when it comes again', async () => {
  const { time, recorder, written } = aWorld();
  const ofPod = (number: number): EventReport => {
    const uid = `u${number}`;
    return { ...report, about: { ...pod, metadata: { ...pod.metadata, name: `web-${number}`, uid } }, dedupe: [uid] };
  };
  const tellAll = async (): Promise<void> => {
    for (let number = 0; number < 1_500; number += 1) recorder.publish(ofPod(number));
    await time.finish(recorder.flush());
  };
  await tellAll();
  // The first was taken up at once and waits no more.
  expect(written()).toHaveLength(1_001);
  await tellAll();
  expect(written()).toHaveLength(1_500);
});
