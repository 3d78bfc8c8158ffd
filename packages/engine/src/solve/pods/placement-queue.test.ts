import { aPod, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { PlacementQueue } from './placement-queue.ts';
import type { ClassifiedPod, ClassifiedPods, PodClass } from './pod-class.ts';

const ofClass = (name: string, cpu: number, replicas: number): ClassifiedPods => ({
  podClass: { pod: aPod(name), requests: { cpu, memory: 0 } } as unknown as PodClass,
  pods: somePods(replicas, name, { requests: { cpu } }),
});

const names = (pods: readonly ClassifiedPod[]) => pods.map(({ pod }) => pod.metadata.name);

const [small, large, equal] = [ofClass('small', 1, 2), ofClass('large', 2, 2), ofClass('equal', 2, 1)];

/** Takes every pod off the queue. */
function tried(queue: PlacementQueue): readonly string[] {
  const seen: ClassifiedPod[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) seen.push(next);
  return names(seen);
}

test('the largest pods come first, those of one size by age and name whatever their class', () => {
  expect(tried(new PlacementQueue([small, large, equal]))).toEqual([
    'equal-1',
    'large-1',
    'large-2',
    'small-1',
    'small-2',
  ]);
});

test('some come after others of their size', () => {
  const queue = new PlacementQueue([small, large, equal], new Set(equal.pods));
  expect(tried(queue)).toEqual(['large-1', 'large-2', 'equal-1', 'small-1', 'small-2']);
});

for (const { fact, classes, left } of [
  { fact: 'of a size of their own', classes: [small, large], left: ['small-1', 'small-2'] },
  { fact: 'of a size others have too', classes: [large, ofClass('last', 2, 1)], left: ['last-1'] },
]) {
  test(`pods of one class are taken together, as many as are wanted: ${fact}`, () => {
    const queue = new PlacementQueue(classes);
    expect(queue.next()?.pod.metadata.name).toBe('large-1');
    expect(queue.comesNext(large.podClass)).toBe(true);
    expect(queue.takeEquals(small.podClass, 5)).toEqual([]);
    expect(queue.takeEquals(large.podClass, 0)).toEqual([]);
    expect(queue.takeEquals(large.podClass, 5)).toEqual(large.pods.slice(1));
    expect(queue.comesNext(large.podClass)).toBe(false);
    expect(names(queue.left)).toEqual(left);
  });
}

test('a pod without a place is tried again after all others, until a whole round brings nothing', () => {
  const queue = new PlacementQueue([small, large]);
  const order: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    order.push(next.pod.metadata.name);
    if (order.length !== 3) queue.pushBack(next);
  }
  expect(order).toEqual(['large-1', 'large-2', 'small-1', 'small-2', 'large-1', 'large-2']);
  expect(names(queue.left)).toEqual(['small-2', 'large-1', 'large-2']);
});
