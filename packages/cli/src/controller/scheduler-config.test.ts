import { describe, expect, test } from 'vitest';
import { schedulerConfig } from './scheduler-config.ts';

const key = 'topology.kubernetes.io/zone';
const right = { maxSkew: 1, topologyKey: key, whenUnsatisfiable: 'ScheduleAnyway' };
const written = (...defaultConstraints: readonly object[]): string =>
  JSON.stringify({ podTopologySpread: { defaultConstraints } });

describe('the scheduler config', () => {
  test('is empty unless given', () => expect(schedulerConfig('')).toEqual([]));
  test('is read from YAML', () => {
    const text = `
podTopologySpread:
  defaultConstraints:
    - maxSkew: 1
      topologyKey: ${key}
      whenUnsatisfiable: ScheduleAnyway
`;
    expect(schedulerConfig(text)).toEqual([right]);
  });
  test('is read from JSON, with policies and domains', () => {
    const all = { ...right, whenUnsatisfiable: 'DoNotSchedule', minDomains: 3, nodeTaintsPolicy: 'Honor' };
    expect(schedulerConfig(written(right, all))).toEqual([right, all]);
  });

  for (const { fact, text, told } of [
    { fact: 'text that is no YAML', text: '{', told: 'must be YAML or JSON' },
    { fact: 'a field nobody knows', text: '{"podSpread":{}}', told: 'scheduler config.podSpread is not known' },
    { fact: 'no skew', text: written({ ...right, maxSkew: 0 }), told: 'maxSkew must be a whole number from 1, not 0' },
    { fact: 'no key', text: written({ ...right, topologyKey: '' }), told: 'topologyKey must be a label key, not ""' },
    {
      fact: 'an unknown action',
      text: written({ ...right, whenUnsatisfiable: 'Never' }),
      told: '[0].whenUnsatisfiable must be DoNotSchedule or ScheduleAnyway, not "Never"',
    },
    { fact: 'a selector', text: written({ ...right, labelSelector: {} }), told: 'labelSelector must be absent' },
    {
      fact: 'keys of labels',
      text: written({ ...right, matchLabelKeys: ['a'] }),
      told: 'matchLabelKeys must be absent',
    },
    { fact: 'a field twice', text: written(right, { ...right, maxSkew: 2 }), told: `${key} with ScheduleAnyway twice` },
  ]) {
    test(`refuses ${fact}, and says what would be right`, () => expect(() => schedulerConfig(text)).toThrow(told));
  }
});
