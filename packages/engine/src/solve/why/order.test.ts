import { anInstanceType, aPod, aProblem } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { schedulePods } from '../round/schedule.ts';

const zone = 'topology.kubernetes.io/zone';

test('of several pods that keep one away the same is named, however they are listed', () => {
  const guards = ['a', 'b'].map((other) =>
    aPod(`guard-${other}`, {
      requests: { cpu: 2 },
      nodeSelector: { [zone]: 'zone-a' },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: zone,
              labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', other] }] },
            },
          ],
        },
      },
    }),
  );
  const web = aPod('web', { labels: { app: 'web' }, nodeSelector: { [zone]: 'zone-a' } });
  const reasonsOf = (pods: typeof guards) =>
    schedulePods(aProblem(pods, [anInstanceType('c8', { cpu: 8 })])).unschedulable.map(({ reasons }) => reasons);
  expect(reasonsOf([...guards, web])).toHaveLength(1);
  expect(reasonsOf([web, ...guards.toReversed()])).toEqual(reasonsOf([...guards, web]));
});
