import { type Dashboard, emptyDashboard, type ForeseenChanges, type NodeRow } from '@nodewright/dashboard/rows';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { serveMadePage } from './support/made-page.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('the plots of the page', (context) => context.skip('needs chromium on the PATH'));
}

const aPastNode = (id: string): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: 'stays',
  pods: 1,
  cpuPercent: 10,
  memoryPercent: 10,
  microUsdPerHour: 100_000,
  explain: `node/${id}`,
});

/** So many nodes at a time. */
const aPastDashboard = (at: string, nodes: number): Dashboard => ({
  ...emptyDashboard,
  at,
  nodes: Array.from({ length: nodes }, (_, index) => aPastNode(`node-${index}`)),
});

/** Ten nodes for six hours, then twelve for six hours; one of them is foreseen to go six hours later. */
const past = [
  aPastDashboard('2024-03-01T06:00:00Z', 10),
  aPastDashboard('2024-03-01T12:00:00Z', 12),
  aPastDashboard('2024-03-01T18:00:00Z', 12),
];
const forecast: ForeseenChanges = {
  takenAt: '2024-03-01T18:00:00Z',
  until: '2024-03-02T06:00:00Z',
  change: [],
  entries: [{ at: '2024-03-02T00:00:00Z', track: 'nodes', id: 'node-0' }],
};

describe.skipIf(chromium === undefined)('the curves of a day, half of which is foreseen', () => {
  let listening: Awaited<ReturnType<typeof serveMadePage>>;
  let page: BrowserPage;

  beforeAll(async () => {
    listening = await serveMadePage(past, { forecast });
    page = await startBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await page.close();
    await listening.close();
  });

  async function openHistory(zone: string): Promise<void> {
    await page.look({ width: 1280, height: 900, isDark: false, zone });
    await page.open(`${listening.url}/history`);
  }

  const readCaption = async (curve: number): Promise<string> =>
    String(await page.evaluate(`document.querySelectorAll('.curve figcaption')[${curve}].textContent`));

  const untilCaption = (words: string): Promise<void> =>
    page.until(`document.querySelector('.curve figcaption').textContent.includes(${JSON.stringify(words)})`);

  test('tell their values under the pointer', async () => {
    await openHistory('UTC');
    expect(await readCaption(0)).toBe('Nodes12, at most 12');
    await page.point('.curve svg.area', 0.125);
    await untilCaption(' at ');
    expect(await readCaption(0)).toBe('Nodes10 at Mar 1, 2024, 9:00 AM, at most 12');
    expect(await readCaption(4)).toBe('Cost an hour$1.000 at Mar 1, 2024, 9:00 AM, at most $1.200');
    await page.point('.curve svg.area', 0.875);
    await untilCaption('Mar 2');
    expect(await readCaption(0)).toBe('Nodes11 at Mar 2, 2024, 3:00 AM, at most 12');
    expect(await readCaption(4)).toBe('Cost an hournot foreseen at Mar 2, 2024, 3:00 AM, at most $1.200');
  });

  test('tell their values by keyboard: the slider has all of them, and each curve its own', async () => {
    await openHistory('UTC');
    await page.evaluate(`document.querySelector('.scrubber input').focus()`);
    await page.press('ArrowRight');
    await untilCaption('11');
    const read = (): Promise<unknown> => page.evaluate('document.activeElement.ariaValueText');
    expect(await read()).toBe('Mar 2, 2024, 12:00 AM, foreseen: 11 nodes, 0 of them not settled');
    await page.press('ArrowLeft');
    await untilCaption('12');
    await page.press('ArrowLeft', 'ArrowLeft');
    await untilCaption('10');
    expect(await read()).toBe(
      'Mar 1, 2024, 6:00 AM: 10 nodes, 0 of them not settled; 0 held, 0 pods without a node, $1.000 an hour',
    );
    expect(page.complaints).toEqual([]);
  });

  test('lead to the moment that is clicked', async () => {
    await openHistory('UTC');
    await page.evaluate(`(() => {
      const area = document.querySelector('.curve svg.area');
      const { left, width } = area.getBoundingClientRect();
      area.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: left + width / 8 }));
    })()`);
    await page.until(`document.querySelector('main h2').innerText.includes('9h ago')`);
    // To the pixel.
    const address = String(await page.evaluate(`new URLSearchParams(location.search).get('at')`));
    expect(address).toMatch(/^2024-03-01T(08:5|09:0)/);
  });

  test.each([
    {
      zone: 'UTC',
      marks: ['6:00 AM', '9:00 AM', '12:00 PM', '3:00 PM', '6:00 PM', '9:00 PM', 'Mar 2', '3:00 AM', '6:00 AM'],
    },
    {
      zone: 'Asia/Kolkata',
      marks: ['12:00 PM', '3:00 PM', '6:00 PM', '9:00 PM', 'Mar 2', '3:00 AM', '6:00 AM', '9:00 AM'],
    },
  ])('have marks at full hours in $zone, and round values', async ({ zone, marks }) => {
    await openHistory(zone);
    const texts = (selector: string): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.curve:first-child ${selector}')].map((text) => text.textContent)`);
    expect(await texts('.area .axis text')).toEqual(marks);
    expect(await texts('.labels text')).toEqual(['0', '10', '20']);
  });
});
