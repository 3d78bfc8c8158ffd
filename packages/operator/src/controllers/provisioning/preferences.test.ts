import { fromTimestamp, instant } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { createLogger, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { tellOfPreferences, ToldPods } from './preferences.ts';

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
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const lines: string[] = [];
  const log = createLogger({ clock: time.clock, sink: { write: (line) => void lines.push(line) } });
  const deps = {
    log,
    clock: time.clock,
    toldOf: new ToldPods(),
    options: { preferencePolicy, minValuesPolicy: 'Strict' as const },
  };
  return { time, lines, tell: (...pods: readonly (typeof apart)[]) => tellOfPreferences(deps, pods) };
}

test('each kind of preference is told once per pod', () => {
  const { lines, tell } = aTeller();
  tell(apart, spread, aPod('plain'));
  tell(apart, spread);
  expect(lines.map((line) => (JSON.parse(line) as { Pods: string }).Pods)).toEqual(['default/apart', 'default/spread']);
});

test('it is told again after a day', async () => {
  const { lines, tell, time } = aTeller();
  tell(apart);
  await time.run(instant(time.clock.now() + 24 * 3_600_000));
  tell(apart);
  expect(lines).toHaveLength(2);
});

test('preferences that are ignored hold no node', () => {
  const { lines, tell } = aTeller('Ignore');
  tell(apart, spread);
  expect(lines).toEqual([]);
});
