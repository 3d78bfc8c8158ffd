import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDashboardExpressions, listDashboards } from '@nodewright/manifests';
import {
  absentMetrics,
  type DefinedMetric,
  karpenterMetrics,
  listOperatorMetrics,
  printMetricsPage,
} from '@nodewright/testkit/worlds';
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

test('the metrics of Karpenter are there with their labels, but for those that the page lists with a reason', () => {
  const defined = new Map(metrics.map(({ name, labels }) => [name, labels]));
  // Series of nodes carry the well-known labels, too, in front of their own.
  const ownLabels = (name: string, count: number) =>
    name.startsWith('karpenter_nodes_') && defined.get(name)?.includes('instance_category') === true
      ? defined.get(name)?.slice(-count)
      : defined.get(name);
  const found = [...karpenterMetrics].map(([name, labels]) => [name, ownLabels(name, labels.length)]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(karpenterMetrics));
  const absent = absentMetrics.flatMap(({ names }) => names);
  expect(absent.filter((name) => defined.has(name) || karpenterMetrics.has(name))).toEqual([]);
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
