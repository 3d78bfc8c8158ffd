import { hours, minutes, type RolloutPresetName } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { resolveRolloutSettings } from './settings.ts';

const soaks = (preset: RolloutPresetName) =>
  resolveRolloutSettings({ preset }).waves.map(({ name, soakMs }) => [name, soakMs / hours(1)]);

test('the presets differ in their waves', () => {
  expect(soaks('fast')).toEqual([
    ['canary', 1],
    ['all', 0],
  ]);
  expect(soaks('standard')).toEqual([
    ['canary', 8],
    ['tenth', 24],
    ['all', 0],
  ]);
  expect(soaks('cautious')).toEqual([
    ['canary', 24],
    ['twentieth', 48],
    ['quarter', 24],
    ['all', 0],
  ]);
});

test('a written field wins over its preset', () => {
  const settings = resolveRolloutSettings({
    preset: 'cautious',
    pace: { maxSurge: 1, slot: '5m' },
    health: { withoutEvidence: 'Proceed' },
  });
  expect(settings.pace).toEqual({
    maxPerHour: 20,
    minIntervalMs: minutes(5),
    maxSurge: 1,
    order: 'ReplaceFirst',
    slotMs: minutes(5),
  });
  expect(settings.withoutEvidence).toBe('Proceed');
});

test('Propose asks for an approval before every wave', () => {
  expect(resolveRolloutSettings({ mode: 'Propose' }).waves.every(({ needsApproval }) => needsApproval)).toBe(true);
});

test('what is set to Ignore is not looked at', () => {
  const { signals } = resolveRolloutSettings({
    health: {
      signals: { lease: { when: 'Ignore' }, restarts: { compare: 'Ignore' }, nodeConditions: { when: 'Ignore' } },
    },
  });
  expect([signals.leaseMs, signals.comparesRestarts, signals.nodeConditions]).toEqual([undefined, false, []]);
});

test('nothing fails twice where there is no room for a replacement', () => {
  expect(
    resolveRolloutSettings({ health: { failureBudget: 3 }, pace: { order: 'TerminateFirst' } }).failureBudget,
  ).toBe(0);
});
