import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type BlockerRow,
  type Dashboard,
  emptyDashboard,
  type NodeRow,
  type RolloutRow,
} from '@nodewright/dashboard/rows';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { serveMadePage } from './support/made-page.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('long and many sentences of the page', (context) => context.skip('needs chromium on the PATH'));
}

const longReason = `does not work as it should: ${Array.from({ length: 60 }, (_, index) => `cause ${index}`).join(', ')}`;

const aTroubledNode: NodeRow = {
  id: 'node-1',
  group: 'NodePool/default',
  stage: 'troubled',
  answer: longReason,
  pods: 1,
  cpuPercent: 10,
  memoryPercent: 10,
  explain: 'node/node-1',
};

const aHeldNode = (number: number): BlockerRow => ({
  id: `node-${number}`,
  node: `node-${number}`,
  group: 'NodePool/default',
  because: 'NodePoolDrifted',
  causes: [
    {
      cause: 'eviction',
      message: `PodDisruptionBudget web/api never allows an eviction of pod web/api-${number}`,
      object: { kind: 'PodDisruptionBudget', name: 'web/api' },
    },
  ],
  explain: `node/node-${number}`,
});

/** With all of its parts. */
const aRollout = (id: string): RolloutRow => ({
  id,
  policy: id,
  number: 1,
  state: 'Halted',
  cause: 'NewRelease',
  change: 'v20240101 -> v20240201',
  images: ['v20240101 to v20240201'],
  total: 2,
  updated: 1,
  failed: 1,
  remaining: 1,
  startedAt: '2024-03-01T10:00:00Z',
  halted: 'it did not join',
  waits: [],
  waves: [{ name: 'canary', taken: 1, seats: 1, healthy: 0, failed: 1, startedAt: '2024-03-01T10:00:00Z' }],
  evidence: [
    { variant: 'AL2023/amd64/none', summary: 'all', signals: [{ name: 'failed', unit: '%', members: 1, peers: 0 }] },
  ],
  failures: [{ node: 'node-1', at: '2024-03-01T11:00:00Z', evidence: 'it did not join' }],
  requests: [
    { at: '2024-03-01T11:00:00Z', request: 'halt', value: 'INC-7', by: 'kubectl', answer: 'the rollout is halted' },
  ],
  commands: [{ purpose: 'to go on', command: `nodewright rollout resume ${id}` }],
  explain: `rollout/${id}`,
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const dashboard: Dashboard = {
  ...emptyDashboard,
  at: '2024-03-01T12:00:00Z',
  nodes: [aTroubledNode],
  blockers: Array.from({ length: 30 }, (_, index) => aHeldNode(index)),
};

describe.skipIf(chromium === undefined)('what is long or said of many nodes, on a phone', () => {
  let listening: Awaited<ReturnType<typeof serveMadePage>>;
  let page: BrowserPage;

  beforeAll(async () => {
    listening = await serveMadePage([dashboard]);
    page = await startBrowser(chromium ?? '');
    await page.look({ width: 390, height: 800, isDark: true });
  });

  afterAll(async () => {
    await page.close();
    await listening.close();
  });

  test('a long reason is cut after a few lines, and all of it is shown by a button, also by keyboard', async () => {
    await page.open(`${listening.url}/fleet`);
    const hidden = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.why'))`;
    expect(await page.evaluate(hidden)).toBeGreaterThan(0);
    await page.evaluate(`document.querySelector('.more button').focus()`);
    await page.press('Enter');
    await page.until(`document.querySelector('.more button').getAttribute('aria-expanded') === 'true'`);
    expect(await page.evaluate(hidden)).toBe(0);
    expect(await page.evaluate(`document.querySelector('.why').innerText`)).toContain('cause 59');
    await page.click('Show less');
    await page.until(`${hidden} > 0`);
    // A short reason has no such button.
    expect(await page.evaluate(`document.querySelectorAll('.attention-item').length`)).toBe(2);
    await page.until(`document.querySelectorAll('.more button').length === 1`);
  });

  test('parts of two rollouts have names of their own for screen readers', async () => {
    const rollouts = [aRollout('api-1'), aRollout('web-1')];
    const two = await serveMadePage([{ ...emptyDashboard, at: '2024-03-01T12:00:00Z', rollouts }]);
    await page.open(`${two.url}/rollouts`);
    await page.evaluate(axe);
    expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
    await page.leave();
    await two.close();
  });

  test('what is said of thirty pods is said once; each sentence and each node can be opened', async () => {
    await page.open(`${listening.url}/blockers`);
    const card = `document.querySelector('.causes .card').innerText`;
    expect(await page.evaluate(card)).toContain('PodDisruptionBudget web/api never allows an eviction of pod …');
    expect(await page.evaluate(card)).not.toContain('web/api-17');
    expect(await page.evaluate(card)).not.toContain('node-17');
    await page.click('30 times: show each');
    await page.until(`${card}.includes('eviction of pod web/api-17')`);
    await page.click('22 more nodes');
    await page.until(`document.querySelectorAll('.causes a').length === 30`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(page.complaints).toEqual([]);
  });
});
