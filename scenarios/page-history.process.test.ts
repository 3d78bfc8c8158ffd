import {
  type BlockerRow,
  type Dashboard,
  emptyDashboard,
  type ForeseenChanges,
  type NodeRow,
  type RolloutRow,
  type WaitingRow,
} from '@nodewright/dashboard/rows';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageForecasts } from '../packages/cli/src/dashboard/page-forecasts.ts';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { createScreenshots, keptLooks, nameView } from './support/kept-screens.ts';
import { serveMadePage } from './support/made-page.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('the history of the page', (context) => context.skip('needs chromium on the PATH'));
}

const aPastNode = (id: string, traits: Partial<NodeRow> = {}): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: 'stays',
  image: 'ami-1',
  release: 'v20240807',
  pods: 1,
  cpuPercent: 40,
  memoryPercent: 20,
  microUsdPerHour: 68_000,
  createdAt: '2024-09-03T04:00:00Z',
  explain: `node/${id}`,
  ...traits,
});

const aHeldNode = (node: string): BlockerRow => ({
  id: node,
  node,
  group: 'NodePool/default',
  because: 'AMIDrift',
  causes: [{ cause: 'eviction', message: '…', object: { kind: 'PodDisruptionBudget', name: 'default/web' } }],
  explain: `node/${node}`,
});

const aWaitingRow = (pods: number): WaitingRow => ({
  id: 'default/huge-1',
  stage: 'noPlace',
  answer: 'waits: no node has a place',
  reasons: ['no instance type meets the resource requests'],
  pods,
  names: ['default/huge-1'],
  explain: 'pod/default/huge-1',
});

const aRollout = (updated: number): RolloutRow => ({
  id: 'production-1',
  policy: 'production',
  number: 1,
  state: 'Progressing',
  wave: 'canary',
  cause: 'NewRelease',
  change: 'v20240807 -> v20240828',
  images: [],
  total: 4,
  updated,
  failed: 0,
  remaining: 4 - updated,
  waits: [],
  waves: [],
  evidence: [],
  failures: [],
  requests: [],
  commands: [],
  explain: 'rollout/production-1',
});

const names = ['node-a', 'node-b', 'node-c', 'node-d', 'node-e', 'node-f'] as const;

/** Nodes that come, have drifted and are held, one that is replaced, and pods without a place. */
const past: readonly Dashboard[] = [
  { ...emptyDashboard, at: '2024-09-03T03:00:00Z' },
  {
    ...emptyDashboard,
    at: '2024-09-03T04:00:00Z',
    nodes: names.map((name) => aPastNode(name, { stage: 'starting' })),
    waiting: [aWaitingRow(9)],
  },
  {
    ...emptyDashboard,
    at: '2024-09-03T05:00:00Z',
    nodes: names.map((name) => aPastNode(name)),
    waiting: [aWaitingRow(3)],
  },
  {
    ...emptyDashboard,
    at: '2024-09-03T07:00:00Z',
    nodes: names.map((name) => aPastNode(name, { stage: 'toMove' })),
    blockers: names.map(aHeldNode),
    rollouts: [aRollout(0)],
    waiting: [aWaitingRow(3)],
  },
  {
    ...emptyDashboard,
    at: '2024-09-03T11:15:00Z',
    nodes: names.map((name, index) =>
      aPastNode(name, index === 0 ? { image: 'ami-2', release: 'v20240828' } : { stage: 'toMove' }),
    ),
    blockers: names.slice(1).map(aHeldNode),
    rollouts: [aRollout(1)],
    waiting: [aWaitingRow(3)],
    spending: [
      {
        id: 'NodePool/default|on-demand',
        group: 'NodePool/default',
        capacityType: 'on-demand',
        nodes: 6,
        microUsdPerHour: 408_000,
        surgeMicroUsdPerHour: 0,
        unpriced: 0,
      },
    ],
  },
];

const forecast: ForeseenChanges = {
  takenAt: '2024-09-03T11:00:00Z',
  until: '2024-09-04T11:00:00Z',
  change: ['EC2NodeClass governed'],
  entries: [
    {
      at: '2024-09-03T20:00:00Z',
      track: 'nodes',
      id: 'node-b',
      row: {
        track: 'nodes',
        id: 'node-b',
        words: 'leaving, for AMIDrift',
        stage: 'leaving',
        group: 'NodePool/default',
      },
    },
    {
      at: '2024-09-03T20:00:00Z',
      track: 'nodes',
      id: 'm5.large node-g',
      row: {
        track: 'nodes',
        id: 'm5.large node-g',
        words: 'starting, instead of node-b',
        stage: 'starting',
        group: 'NodePool/default',
      },
    },
    { at: '2024-09-03T21:00:00Z', track: 'nodes', id: 'node-b' },
  ],
};

const idleForecasts: PageForecasts = {
  last: () => undefined,
  standing: () => ({ isRunning: false }),
  begin: () => undefined,
  cancel: () => undefined,
  stop: () => undefined,
};

/** Now, before the last change, and in the middle of what is foreseen. */
const moments = ['history', 'history?at=2024-09-03T10:30:00Z', 'history?at=2024-09-03T20:30:00Z'];

describe.skipIf(chromium === undefined)('the history of a page', () => {
  let listening: Awaited<ReturnType<typeof serveMadePage>>;
  let page: BrowserPage;

  beforeAll(async () => {
    listening = await serveMadePage(past, { forecast, forecasts: idleForecasts });
    page = await startBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await page.close();
    await listening.close();
  });

  const { keep, compare } = createScreenshots(() => page);

  const pictures = moments.flatMap((view) => keptLooks.map((look) => ({ view, ...look })));

  test.for(pictures)('looks as it did: $view on $screen', async ({ view, screen, ...look }, { skip }) => {
    const picture = `${nameView(view)}-${screen}`;
    await page.look({ ...look, zone: 'UTC' });
    await page.open(`${listening.url}/${view}`);
    await keep(picture);
    const obstacle = await compare(picture);
    expect(page.complaints).toEqual([]);
    if (obstacle !== undefined) skip(obstacle);
  });
});
