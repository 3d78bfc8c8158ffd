import { instant } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { PodTimes } from './pod-times.ts';

const pod = aPod('p');
const at = (seconds: number) => instant(seconds * 1_000);

test('the first decision is measured from the first sight, whatever it is', () => {
  const times = new PodTimes();
  times.acknowledge(pod, at(1));
  times.acknowledge(pod, at(2));
  expect(times.undecidedMs(pod, at(4))).toBe(3_000);
  expect(times.decide(pod, 'nothing', at(6))).toBe(5_000);
  expect(times.decide(pod, 'place', at(9))).toBeUndefined();
  expect(times.undecidedMs(pod, at(9))).toBeUndefined();
});

test('a place counts from the first round that finds it, until one does not', () => {
  const times = new PodTimes();
  times.decide(pod, 'place', at(1));
  times.decide(pod, 'place', at(2));
  expect(times.schedulableSince(pod)).toBe(at(1));
  times.decide(pod, 'nothing', at(3));
  expect(times.schedulableSince(pod)).toBeUndefined();
});

test('a place on what is not known to become nodes does not count', () => {
  const times = new PodTimes();
  times.decide(pod, 'doubtfulPlace', at(1));
  expect(times.schedulableSince(pod)).toBeUndefined();
  times.decide(pod, 'place', at(2));
  expect(times.schedulableSince(pod)).toBe(at(2));
});

test('a pod that is gone is forgotten', () => {
  const times = new PodTimes();
  times.acknowledge(pod, at(1));
  times.forget(pod);
  expect(times.undecidedMs(pod, at(4))).toBeUndefined();
});
