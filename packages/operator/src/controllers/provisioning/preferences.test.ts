import { days, fromTimestamp, instant, type Instant, type Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { reportPreferences } from './preferences-report.ts';
import { listPreferringPods, ToldPods } from './preferences.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

const apart = aPod('apart', {
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: {} } },
      ],
    },
  },
});
const spread = aPod('spread', {
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
});

function aTeller(preferencePolicy: 'Respect' | 'Ignore' = 'Respect') {
  const options = { preferencePolicy, minValuesPolicy: 'Strict' as const };
  const toldOf = new ToldPods();
  return (now: Instant, ...pods: readonly Pod[]) =>
    reportPreferences(toldOf.untold(listPreferringPods(pods, options), now));
}

test('each kind of preference is told once per pod', () => {
  const tell = aTeller();
  const line = (kind: string, name: string) => ({
    kind: 'log',
    level: 'info',
    message: `pod(s) have a ${kind}, which can keep nodes from being consolidated`,
    fields: { Pods: name },
  });
  expect(tell(now, apart, spread, aPod('plain'))).toEqual([
    line('preferred pod anti-affinity', 'default/apart'),
    line('ScheduleAnyway topology spread', 'default/spread'),
  ]);
  expect(tell(now, apart, spread)).toEqual([]);
});

test('it is told again after a day', () => {
  const tell = aTeller();
  tell(now, apart);
  expect(tell(instant(now + days(1) - 1), apart)).toEqual([]);
  expect(tell(instant(now + days(1)), apart)).toHaveLength(1);
});

test('preferences that are ignored hold no node', () => {
  expect(aTeller('Ignore')(now, apart, spread)).toEqual([]);
});
