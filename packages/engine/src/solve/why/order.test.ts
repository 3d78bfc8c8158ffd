import { anInstanceType, aNodePool, aPod, aProblem } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { schedulePods } from '../round/schedule.ts';
import { printedReasons } from './printed-reasons.ts';

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

test('the pool that a pod asks for comes first, also where none of its types can be bought now', () => {
  const types = [anInstanceType('c4', { cpu: 4 }), anInstanceType('c8', { cpu: 8 })].map((type) =>
    type.name === 'c4' ? type : { ...type, offerings: type.offerings.map((each) => ({ ...each, available: false })) },
  );
  const sparse = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['c8'] }];
  const pools = [
    aNodePool('other', { labels: { pool: 'other' } }),
    aNodePool('spotty', { labels: { pool: 'spotty' }, requirements: sparse }),
  ];
  const pod = aPod('p', { nodeSelector: { pool: 'spotty' } });
  const nodePools = pools.map((nodePool) => ({ nodePool, instanceTypes: types }));
  const [refusal] = schedulePods({ ...aProblem([pod], types), nodePools }).unschedulable;
  const order = printedReasons(refusal?.reasons ?? []).map((line) => line.split(':')[0]);
  expect(order).toEqual(['NodePool spotty', 'NodePool other']);
});
