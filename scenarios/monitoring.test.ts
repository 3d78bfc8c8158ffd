import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDashboardExpressions, listDashboards } from '@nodewright/manifests';
import { type DefinedMetric, listOperatorMetrics, printMetricsPage } from '@nodewright/testkit/worlds';
import { beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const monitoring = join(root, 'examples/monitoring');
const program = 'promtool';
const isInstalled = spawnSync(program, ['--version']).status === 0;

let metrics: readonly DefinedMetric[];
beforeAll(async () => {
  metrics = await listOperatorMetrics();
});

test('docs/metrics.md is what `npm run metrics-page` writes', () => {
  expect(readFileSync(join(root, 'docs/metrics.md'), 'utf8')).toBe(printMetricsPage(metrics));
});

/** Names and labels under which Karpenter documents what was missing longest. */
test.each([
  ['batcher_batch_size', ['batcher']],
  ['batcher_batch_time_seconds', ['batcher']],
  ['instance_launch_failures_total', ['zone', 'zone_id', 'capacity_type', 'reason']],
  ['instance_termination_failures_total', ['zone', 'zone_id']],
  ['instance_type_cpu_cores', ['instance_type']],
  ['instance_type_memory_bytes', ['instance_type']],
  ['instance_type_offering_available', ['instance_type', 'capacity_type', 'zone']],
  ['instance_type_offering_price_estimate', ['instance_type', 'capacity_type', 'zone']],
])('karpenter_cloudprovider_%s has the labels of Karpenter', (name, labels) => {
  expect(metrics.find((metric) => metric.name === `karpenter_cloudprovider_${name}`)?.labels).toEqual(labels);
});

/** A histogram and a summary have several series under their names. */
const seriesOf = ({ name, kind }: DefinedMetric): readonly string[] =>
  kind === 'histogram' || kind === 'summary' ? ['', '_bucket', '_count', '_sum'].map((end) => `${name}${end}`) : [name];

test('alerts and dashboards ask for metrics that are there', () => {
  const there = new Set([...metrics.flatMap(seriesOf), 'karpenter_build_info']);
  const texts = [readFileSync(join(monitoring, 'alerts.yaml'), 'utf8'), ...listDashboardExpressions()];
  const asked = texts.flatMap(
    (text) => text.match(/\b(?:karpenter|nodewright|operator|controller_runtime)_\w+/g) ?? [],
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter((name) => !there.has(name))).toEqual([]);
});

test('the dashboards are those that `npm run charts` writes', () => {
  const folder = join(monitoring, 'dashboards');
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  expect(new Map(files)).toEqual(listDashboards());
});

test.skipIf(!isInstalled)(
  'promtool takes the rules, their tests and the queries (skipped where it is not on the PATH)',
  () => {
    const tested = spawnSync(program, ['test', 'rules', 'alerts-test.yaml'], { cwd: monitoring, encoding: 'utf8' });
    expect(`${tested.stdout}${tested.stderr}`).toContain('SUCCESS');
    expect(tested.status).toBe(0);
    const rules = listDashboardExpressions().map((expr, index) => ({ record: `panel_${index}`, expr }));
    const file = join(mkdtempSync(join(tmpdir(), 'rules-')), 'panels.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(spawnSync(program, ['check', 'rules', file], { encoding: 'utf8' }).status).toBe(0);
  },
);
