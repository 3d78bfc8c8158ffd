import { podDisruptionBudgets } from '@nodewright/apis';
import { listHiddenParts } from '@nodewright/dashboard';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallerCheck, CallerSight } from '../packages/cli/src/dashboard/caller-review.ts';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { createScreenshots } from './support/kept-screens.ts';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';
import { type PreparedPage, servePreparedPage } from './support/prepared-page.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('the page before readers with few rights', (context) => context.skip('needs chromium on the PATH'));
}

const kindsOfCosts = ['nodes', 'nodeclaims.karpenter.sh', 'nodepools.karpenter.sh'];

/** What somebody sees who may list these kinds. */
const sightOf = (kinds: readonly string[]): CallerSight => ({
  hidden: listHiddenParts(new Set(kinds)),
  mayTest: false,
});

describe.skipIf(chromium === undefined)('the page of a cluster with two nodes', () => {
  /** Tokens, and what they show. */
  const readers = new Map<string, CallerSight>();
  const review: CallerCheck = ({ authorization = '' }) =>
    Promise.resolve(readers.get(authorization.replace('Bearer ', '')));
  let world: Awaited<ReturnType<typeof imageWorld>>;
  let served: PreparedPage;
  let page: BrowserPage;

  beforeAll(async () => {
    world = await imageWorld({ start: '2024-02-03T16:00:00Z' });
    await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), nodePoolOf(), deploymentOf(2));
    await world.pass(15);
    served = await servePreparedPage(world, { review });
    page = await startBrowser(chromium ?? '');
    await page.look({ width: 1280, height: 900, isDark: false });
  });

  afterAll(async () => {
    await page.close();
    await served.close();
    await world.end();
  });

  const mainText = async (): Promise<string> => String(await page.evaluate(`document.querySelector('main').innerText`));

  async function giveToken(token: string): Promise<void> {
    await page.until(`document.querySelector('.token-form input') !== null`);
    await page.evaluate(`document.querySelector('.token-form input').focus()`);
    await page.write(token);
    await page.press('Enter');
  }

  test.each([
    {
      view: 'fleet',
      shown: 'NodePool/default',
      hidden: 'What is to become of nodes, and NodeClaims without one, are not shown to you',
      lie: 'Nothing waits for a person',
    },
    { view: 'rollouts', shown: '', hidden: 'Rollouts are not shown to you', lie: 'No rollout' },
    { view: 'blockers', shown: '', hidden: 'Blockers are not shown to you', lie: 'Nothing is held' },
    { view: 'pods', shown: '', hidden: 'Waiting pods are not shown to you', lie: 'No pod waits' },
    { view: 'images', shown: '', hidden: 'Images are not shown to you', lie: 'selects an image' },
    { view: 'money', shown: 'NodePool/default', hidden: 'Savings are not shown to you', lie: 'Nothing could be saved' },
    { view: 'history', shown: '', hidden: 'Nodes and their history are not shown to you', lie: '0 nodes' },
  ])(
    '$view says what it leaves out for want of rights, and not that it is empty',
    async ({ view, shown, hidden, lie }) => {
      readers.set('few', sightOf(kindsOfCosts));
      await page.open(`${served.url}/${view}`);
      if ((await mainText()).includes('Token')) await giveToken('few');
      await page.until(`document.querySelector('main').innerText.includes(${JSON.stringify(hidden)})`);
      const text = await mainText();
      expect(text).toContain(shown);
      expect(text).toContain('an hour');
      expect(text).toMatch(/need the right to list \S.* in the whole cluster/);
      expect(text).not.toContain(lie);
    },
  );

  test('a token that ends is told and asked for anew, and the next one shows the same view with what was chosen', async () => {
    const everything: CallerSight = { hidden: {}, mayTest: false };
    readers.set('first', everything);
    await page.leave();
    await page.open(`${served.url}/fleet`);
    await page.evaluate(`sessionStorage.setItem('nodewright-token', 'first')`);
    await page.open(`${served.url}/fleet?nodes.filter=default&explain=nodepool/default`);
    await page.until(`document.querySelector('aside .answer') !== null`);
    readers.delete('first');
    served.tell();
    await page.until(`document.querySelector('.token-form') !== null`);
    expect(await page.evaluate(`document.querySelector('[role=alert]').innerText`)).toContain(
      'does not take this token',
    );
    expect(await page.evaluate(`document.querySelector('aside')`)).toBeNull();
    expect(await page.evaluate('document.activeElement.type')).toBe('password');
    expect(await mainText()).not.toContain('NodePool/default');
    readers.set('second', everything);
    await giveToken('second');
    await page.until(`document.querySelector('aside .answer') !== null`);
    expect(await page.evaluate('location.pathname + location.search')).toBe(
      '/fleet?nodes.filter=default&explain=nodepool/default',
    );
    expect(await page.evaluate(`document.querySelector('main tbody').innerText`)).toContain('NodePool/default');
    expect(await page.evaluate(`document.querySelector('[role=alert]')`)).toBeNull();
  });
});

describe.skipIf(chromium === undefined)('the page of somebody who is not signed in to AWS', () => {
  let world: Awaited<ReturnType<typeof imageWorld>>;
  let served: PreparedPage;
  let page: BrowserPage;

  beforeAll(async () => {
    world = await imageWorld({ start: '2024-02-03T16:00:00Z' });
    const nodeClass = nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@v20240117' }] });
    await world.apply(nodeClass, nodePoolOf(), deploymentOf(2));
    await world.pass(15);
    await world.time.finish(
      world.admin.create(podDisruptionBudgets, {
        metadata: { name: 'inflate', namespace: 'default' },
        spec: { selector: { matchLabels: { app: 'inflate' } }, maxUnavailable: 0 },
      }),
    );
    await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), deploymentOf(3));
    await world.pass(2);
    served = await servePreparedPage(world, { isAwsSilent: true });
    page = await startBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await page.close();
    await served.close();
    await world.end();
  });

  const { keep } = createScreenshots(() => page);

  test.each([
    { view: 'fleet', shown: ['2 nodes are held by PodDisruptionBudget default/inflate', 'to move'], lie: '$' },
    { view: 'rollouts', shown: ['No rollout'], lie: '$' },
    { view: 'blockers', shown: ['PodDisruptionBudget', 'its maxUnavailable is 0'], lie: 'no launches' },
    { view: 'images', shown: ['v20240129', 'AWS does not answer here'], lie: 'withdrawn or deregistered' },
    { view: 'money', shown: ['an answer of AWS about instance types and prices'], lie: '$0' },
    { view: 'pods', shown: ['an answer of AWS about instance types and prices'], lie: 'no NodePool to launch from' },
    { view: 'history', shown: ['Nodes', 'Held'], lie: '$0' },
  ])('$view shows what Kubernetes tells, and how to have the rest', async ({ view, shown, lie }) => {
    for (const [screen, look] of [
      ['desk', { width: 1280, height: 900, isDark: false }],
      ['phone', { width: 390, height: 844, isDark: true }],
    ] as const) {
      await page.look(look);
      await page.open(`${served.url}/${view}`);
      await keep(`without AWS ${view} ${screen}`);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    const text = String(await page.evaluate(`document.querySelector('main').textContent`));
    for (const words of [...shown, 'Could not load credentials', 'AWS_PROFILE and AWS_REGION'])
      expect(text).toContain(words);
    expect(text).not.toContain(lie);
    expect(page.complaints).toEqual([]);
  });
});
