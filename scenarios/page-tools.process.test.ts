import { nodeRolloutPolicies } from '@nodewright/apis';
import type { Snapshot } from '@nodewright/forecast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPageForecasts } from '../packages/cli/src/dashboard/page-forecasts.ts';
import { pageViews } from '../packages/ui/src/live/page-location.ts';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';
import { type PreparedPage, servePreparedPage } from './support/prepared-page.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('what a page can be used for', (context) => context.skip('needs chromium on the PATH'));
}

const release = {
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: 'v20240202',
  imageId: 'ami-0aa0aa0aa0aa0aa0a',
  name: 'amazon-eks-node-1.29-v20240202',
  createdAt: '2024-02-02T20:00:00Z',
  publishedAt: '2024-02-03T16:20:00Z',
};

const views = pageViews.map(([view]) => view);

describe.skipIf(chromium === undefined)('the page of a cluster whose rollout soaks', () => {
  let world: Awaited<ReturnType<typeof imageWorld>>;
  let served: PreparedPage;
  let page: BrowserPage;
  let cancelled = 0;

  /** A forecast that ends only when it is cancelled. */
  const forecasts = createPageForecasts({
    takeSnapshot: () => Promise.resolve({} as Snapshot),
    forecast: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          cancelled += 1;
          reject(new Error('cancelled'));
        });
      }),
  });

  beforeAll(async () => {
    world = await imageWorld({ start: '2024-02-03T16:00:00Z', releases: [release] });
    await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), nodePoolOf(), deploymentOf(3));
    const policy = { metadata: { name: 'production' }, spec: { preset: 'standard' } } as const;
    await world.time.finish(world.admin.create(nodeRolloutPolicies, policy));
    await world.pass(120);
    served = await servePreparedPage(world, { forecasts });
    page = await startBrowser(chromium ?? '');
    await page.look({ width: 1280, height: 900, isDark: false });
  });

  afterAll(async () => {
    await page.close();
    await served.close();
    await world.end();
  });

  const textOf = async (selector: string): Promise<string> =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`));

  test('the numbers of a rollout lead to its explanation, which has the same words', async () => {
    await page.open(`${served.url}/rollouts`);
    const numbers = await textOf('.progress a');
    expect(numbers).toMatch(/^1 of 3 updated, 0 failed, \d to go$/);
    await page.click(numbers);
    await page.until(`document.querySelector('aside .answer') !== null`);
    expect(await textOf('aside .answer')).toBe(`It is Soaking, wave canary: ${numbers}.`);
    expect(await textOf('aside')).toContain('gate wave holds 2 nodes: wave canary has 1 seat, 1 taken');
    expect(await textOf('aside')).toContain('nodewright explain rollout production-1');
    expect(page.complaints).toEqual([]);
  });

  test('a bar of the timeline is a link to its node, by keyboard, too', async () => {
    await page.open(`${served.url}/rollouts`);
    const node = await textOf('.timeline a text');
    expect(node).toMatch(/^ip-/);
    await page.evaluate(`document.querySelector('.timeline a').focus()`);
    await page.press('Enter');
    await page.until(`document.querySelector('aside .answer') !== null`);
    expect(await textOf('aside h2')).toContain(node);
    expect(await page.evaluate('location.search')).toBe(`?explain=node/${node}`);
  });

  test('the waves and nodes of the timeline say when they were, by pointer and by keyboard', async () => {
    await page.open(`${served.url}/rollouts`);
    const told = (): Promise<string> => textOf('.timeline figcaption');
    await page.point('.timeline .wave', 0.5);
    await page.until(`document.querySelector('.timeline figcaption').innerText.includes('wave canary')`);
    expect(await told()).toMatch(/^Feb \d, 2024, .* · wave canary is under way, Feb 3, 2024, .* – Feb \d, 2024, /);
    await page.evaluate(`document.querySelector('.timeline [tabindex="0"]').focus()`);
    await page.until(`document.querySelector('.timeline figcaption').innerText.startsWith('wave canary')`);
    const stops = Number(await page.evaluate(`document.querySelectorAll('.timeline .row').length`));
    await page.press(...Array.from({ length: stops - 1 }, () => 'ArrowRight'));
    const node = await textOf('.timeline a text');
    await page.until(`document.querySelector('.timeline figcaption').innerText.startsWith('${node}: ready, since ')`);
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(await told());
    expect(page.complaints).toEqual([]);
  });

  test('a forecast is begun and cancelled, and its work ends', async () => {
    await page.open(`${served.url}/history`);
    await page.click('Forecast the next 24 h');
    await page.until(`document.querySelector('.forecast button').innerText === 'Cancel the forecast'`);
    expect(await textOf('.forecast')).toContain('is being forecast');
    expect([forecasts.standing().isRunning, cancelled]).toEqual([true, 0]);
    await page.click('Cancel the forecast');
    await page.until(`document.querySelector('.forecast button').innerText === 'Forecast the next 24 h'`);
    expect([forecasts.standing().isRunning, cancelled]).toEqual([false, 1]);
    expect(await textOf('.failed-test')).toBe('');
    expect(page.complaints).toEqual([]);
  });

  test.each(views)(
    'every table of %s is copied with a heading for each column, and as many lines as rows',
    async (view) => {
      await page.open(`${served.url}/${view}`);
      const copies = (await page.evaluate(copyTables)) as readonly CopiedTable[];
      expect(copies.length).toBe(await page.evaluate(`document.querySelectorAll('main table').length`));
      for (const { rows, columns, text } of copies) {
        const lines = text.replace(/\n$/, '').split('\n');
        expect(lines).toHaveLength(rows + 1);
        expect(new Set(lines.map((line) => line.split('\t').length))).toEqual(new Set([columns]));
      }
    },
  );

  test('all seven views are reached by keyboard alone, and in each of them what it shows first', async () => {
    for (const [view, title] of pageViews) {
      await page.open(`${served.url}/fleet`);
      await reachStop(
        `document.activeElement.matches('header nav a') && document.activeElement.innerText.startsWith('${title}')`,
      );
      await page.press('Enter');
      await page.until(`document.querySelector('h1').innerText === '${title}'`);
      expect(await page.evaluate('location.pathname')).toBe(`/${view}`);
      // A view in which nothing waits has nothing to open.
      if ((await page.evaluate(`document.querySelector('main a, main button, main input') === null`)) === true)
        continue;
      await reachStop(`document.activeElement.closest('main') !== null`);
      expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
    }
    expect(page.complaints).toEqual([]);
  });

  async function reachStop(isThere: string): Promise<void> {
    for (let stop = 0; stop < 20; stop += 1) {
      await page.press('Tab');
      if ((await page.evaluate(isThere)) === true) return;
    }
    throw new Error(`none of 20 stops is there: ${isThere}`);
  }

  test.each(views)(
    'the stops of the Tab key in %s follow the order of the page, and nothing in it moves',
    async (view) => {
      await page.open(`${served.url}/${view}`);
      await page.evaluate('globalThis.stops = []; 0');
      for (let stop = 0; stop < 25; stop += 1) {
        await page.press('Tab');
        await page.evaluate('stops.push(document.activeElement); 0');
      }
      const backward = `stops.slice(1).filter((stop, index) => stop !== document.body && stops[index] !== document.body
      && !(stops[index].compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING)).map((stop) => stop.outerHTML)`;
      // From the end of the page the key leads to its beginning.
      expect(
        ((await page.evaluate(backward)) as readonly string[]).filter((each) => !each.includes('class="skip"')),
      ).toEqual([]);
      expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    },
  );
});

type CopiedTable = { readonly rows: number; readonly columns: number; readonly text: string };

/** Presses the button of every table, with a clipboard that keeps what it is given. */
const copyTables = `(async () => {
  const copied = [];
  navigator.clipboard.writeText = (text) => (copied.push(text), Promise.resolve());
  const tables = [...document.querySelectorAll('main table')];
  for (const table of tables) table.closest('section').querySelector('.copy').click();
  return tables.map((table, index) => ({
    rows: table.tBodies[0].rows.length,
    columns: table.tHead.rows[0].cells.length,
    text: copied[index],
  }));
})()`;
