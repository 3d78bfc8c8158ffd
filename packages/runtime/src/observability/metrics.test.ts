import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('metrics are exposed in the text format, series by series', async () => {
  const metrics = createMetrics();
  const created = metrics.counter({
    name: 'karpenter_nodeclaims_created_total',
    help: 'h',
    labels: ['nodepool', 'reason'],
  });
  created.add({ nodepool: 'default', reason: 'provisioned' });
  created.add({ nodepool: 'default', reason: 'provisioned' }, 2);
  const usage = metrics.gauge({ name: 'karpenter_nodepools_usage', help: 'h', labels: ['nodepool'] });
  usage.set({ nodepool: 'default' }, 4);
  usage.set({ nodepool: 'gone' }, 1);
  usage.remove({ nodepool: 'gone' });
  metrics.histogram({ name: 'd_seconds', help: 'h', buckets: [1, 2] }).observe({}, 1.5);
  metrics.summary({ name: 's_seconds', help: 'h', quantiles: [0.5] }).observe({}, 3);
  const text = await metrics.text();
  expect(text).toContain('karpenter_nodeclaims_created_total{nodepool="default",reason="provisioned"} 3');
  expect(text).toContain('karpenter_nodepools_usage{nodepool="default"} 4');
  expect(text).not.toContain('gone');
  expect(text).toContain('d_seconds_bucket{le="2"} 1');
  expect(text).toContain('s_seconds{quantile="0.5"} 3');
});

test('a name that is asked for twice is one metric, and has one kind', async () => {
  const metrics = createMetrics();
  for (let time = 0; time < 2; time++) metrics.counter({ name: 'turns_total', help: 'h' }).add({});
  expect(await metrics.text()).toContain('turns_total 2');
  expect(() => metrics.gauge({ name: 'turns_total', help: 'h' })).toThrow('is not a Gauge');
});

test('a gauge that shows a state is set when somebody looks, until it is taken out', async () => {
  const metrics = createMetrics();
  const looks = metrics.gauge({ name: 'looks', help: 'h' });
  let count = 0;
  const takeOut = metrics.beforeText(() => looks.set({}, (count += 1)));
  await metrics.text();
  expect(await metrics.text()).toContain('looks 2');
  takeOut();
  expect(await metrics.text()).toContain('looks 2');
});
