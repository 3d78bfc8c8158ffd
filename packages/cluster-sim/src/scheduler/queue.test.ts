import { instant, type Pod } from '@nodewright/apis';
import { objectKeyText, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { SchedulingQueue } from './queue.ts';

const aPod = (name: string, { priority = 0, created = '2024-01-28T16:00:00Z' } = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name, creationTimestamp: created },
  spec: { containers: [], priority },
});

const anything = (): boolean => true;

function aQueue() {
  const time = virtualTime(instant(0));
  const queue = new SchedulingQueue(time.clock, () => undefined);
  const takeAll = (): readonly string[] => {
    const taken: string[] = [];
    for (let pod = queue.next(); pod !== undefined; pod = queue.next()) {
      taken.push(pod.metadata.name);
      queue.park(objectKeyText(pod));
    }
    return taken;
  };
  return { queue, takeAll, pass: (seconds: number) => time.run(instant(time.clock.now() + seconds * 1000)) };
}

test('the most important pod is next, then the oldest, then the first by name', () => {
  const { queue, takeAll } = aQueue();
  queue.put(aPod('c'));
  queue.put(aPod('b'));
  queue.put(aPod('old', { created: '2024-01-28T15:00:00Z' }));
  queue.put(aPod('critical', { priority: 2_000_000_000 }));
  expect(takeAll()).toEqual(['critical', 'old', 'b', 'c']);
});

test('a pod that found no node waits for a change, and at least for its delay', async () => {
  const { queue, takeAll, pass } = aQueue();
  queue.put(aPod('a'));
  expect(takeAll()).toEqual(['a']);
  await pass(60);
  expect(takeAll()).toEqual([]);
  queue.changed(anything);
  expect(takeAll()).toEqual(['a']);
  queue.changed(anything);
  expect(takeAll()).toEqual([]);
  await pass(2);
  expect(takeAll()).toEqual(['a']);
});

test('a change that cannot help a pod does not wake it', async () => {
  const { queue, takeAll, pass } = aQueue();
  queue.put(aPod('a'));
  takeAll();
  await pass(60);
  queue.changed(() => false);
  expect(takeAll()).toEqual([]);
});

test('of pods that are equal for scheduling one is asked about, and all of them are tried', async () => {
  const { queue, takeAll, pass } = aQueue();
  for (const name of ['a', 'b', 'c']) queue.put(aPod(name));
  queue.put({ ...aPod('d'), spec: { containers: [], nodeSelector: { disk: 'fast' } } });
  takeAll();
  await pass(60);
  const asked: string[] = [];
  queue.changed(({ metadata, spec }) => {
    asked.push(metadata.name);
    return spec.nodeSelector === undefined;
  });
  expect(asked).toEqual(['a', 'd']);
  expect(takeAll()).toEqual(['a', 'b', 'c']);
});

test('after five minutes a pod is tried again without any change', async () => {
  const { queue, takeAll, pass } = aQueue();
  queue.put(aPod('a'));
  takeAll();
  await pass(299);
  expect(takeAll()).toEqual([]);
  await pass(2);
  expect(takeAll()).toEqual(['a']);
});

test('a pod that comes again under the same name is a new one', () => {
  const { queue, takeAll } = aQueue();
  queue.put(aPod('a'));
  takeAll();
  queue.put({ ...aPod('a'), metadata: { ...aPod('a').metadata, uid: 'another' } });
  expect(takeAll()).toEqual(['a']);
});
