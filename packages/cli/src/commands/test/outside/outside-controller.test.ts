import { expect, test } from 'vitest';
import { exportGates, limitProcesses, readOutsideController } from './outside-controller.ts';

const flags = { wire: false };

test.each([
  ['nothing is asked', flags, undefined],
  ['--wire', { wire: true }, { kind: 'own' }],
  ['one that connects', { ...flags, controller: 'external' }, { kind: 'foreign', speed: 1 }],
  [
    'a command, faster',
    { ...flags, controller: './karpenter', speed: 60 },
    { kind: 'foreign', speed: 60, command: './karpenter' },
  ],
])('the controller of a play: %s', (_fact, given, expected) => {
  expect(readOutsideController(given)).toEqual(expected);
});

test.each([
  ['two controllers', { wire: true, controller: 'external' }, '--wire and --controller exclude each other'],
  ['a speed without a clock of its own', { wire: true, speed: 2 }, '--speed goes with --controller'],
  ['a look at a play that ends otherwise', { wire: true, keep: 'dir' }, '--keep and --open'],
])('%s are refused', (_fact, given, message) => {
  expect(() => readOutsideController(given)).toThrow(message);
});

test('the own controller writes no events of what lint finds, as in a play of one process', () => {
  const gates = new Map([['NodeRepair', true]]);
  expect(exportGates({ kind: 'own' }, gates)).toEqual({ FEATURE_GATES: 'NodeRepair=true,ManifestWarnings=false' });
  expect(exportGates({ kind: 'foreign', speed: 1 }, gates)).toEqual({ FEATURE_GATES: 'NodeRepair=true' });
  expect(exportGates({ kind: 'foreign', speed: 1 }, new Map())).toEqual({});
});

test('a controller that a person connects plays once, others as often as processors allow', () => {
  expect(limitProcesses(undefined, 8, 2)).toBe(2);
  expect(limitProcesses({ kind: 'own' }, 1, 2)).toBe(1);
  expect(limitProcesses({ kind: 'foreign', speed: 1, command: 'x' }, 3, 2)).toBe(2);
  expect(limitProcesses({ kind: 'foreign', speed: 1 }, 1, 2)).toBe(1);
  expect(() => limitProcesses({ kind: 'foreign', speed: 1 }, 3, 2)).toThrow('there are 3 plays');
});
