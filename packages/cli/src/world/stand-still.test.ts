import { instant } from '@nodewright/apis';
import { scaledTime, type StorageProblem } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { standStillOnProblem } from './stand-still.ts';

const problem: StorageProblem = { kind: 'full', message: 'the disk is full', isReadable: true };

function aClock() {
  const time = scaledTime({ start: instant(0), speed: 1 });
  const told: string[] = [];
  const note = standStillOnProblem(time, (message) => told.push(message));
  const isPaused = () => time.status().paused;
  return { time, told, note, isPaused };
}

test('time stands still while nothing can be kept, and goes on by itself', () => {
  const { time, told, note, isPaused } = aClock();
  note(problem);
  note({ ...problem, isReadable: false, message: 'the disk is full, and what is set aside is used up' });
  expect(isPaused()).toBe(true);
  note(undefined);
  expect(isPaused()).toBe(false);
  time.stop();
  expect(told).toEqual(['the disk is full', 'the disk is full, and what is set aside is used up', 'changes are kept again']); // prettier-ignore
});

test('time that was paused before stays paused', () => {
  const { time, note, isPaused } = aClock();
  time.pause();
  note(problem);
  note(undefined);
  expect(isPaused()).toBe(true);
  time.stop();
});
