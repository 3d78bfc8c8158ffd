import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Deployment,
  deployments,
  type EC2NodeClass,
  ec2NodeClasses,
  nodePools,
  type NodePool,
  type NodeRolloutPolicy,
  nodeRolloutPolicies,
  podDisruptionBudgets,
} from '@nodewright/apis';
import { kubeConfigCluster, type KubernetesClient, kubernetesClient, realTime } from '@nodewright/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { createScreenshots, keptLooks, nameView, screenAlbum } from './support/kept-screens.ts';
import { listFindings } from './support/page-findings.ts';
import { type RunningSandbox, startPausedSandbox } from './support/running-sandbox.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('the page in a browser', (context) => context.skip('needs chromium on the PATH'));
}

const byTag = [{ tags: { 'karpenter.sh/discovery': 'sandbox' } }];

const aNodeClass = (name: string): EC2NodeClass => ({
  metadata: { name },
  spec: {
    role: 'KarpenterNodeRole-sandbox',
    amiSelectorTerms: [{ alias: 'al2023@v20240807' }],
    subnetSelectorTerms: byTag,
    securityGroupSelectorTerms: byTag,
  },
});

/** A pool that takes pods which ask for it by name. */
const aPool = (name: string, labels: Readonly<Record<string, string>> = {}): NodePool => ({
  metadata: { name, labels },
  spec: {
    disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] },
    template: {
      metadata: { labels: { pool: name } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name },
        requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
      },
    },
  },
});

/** Pods that share no node. */
const aWorkload = (name: string, pool: string, replicas: number, cpu = '1'): Deployment => ({
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: { pool },
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: name } } },
            ],
          },
        },
        containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }],
      },
    },
  },
});

const password = 'T0P-S3CRET';

/** Nothing listens where its receiver is. */
const policy: NodeRolloutPolicy = {
  metadata: { name: 'production' },
  spec: {
    preset: 'standard',
    selector: { nodePools: { matchLabels: { governed: 'yes' } } },
    notify: [{ format: 'CloudEvents', url: `http://127.0.0.1:9/${password}`, events: ['Started', 'Halted'] }],
  },
};

/** What `nodewright forecast -o json` would say of the hours after the cluster is made. */
const forecast = {
  kind: 'Forecast',
  takenAt: '2024-09-03T11:00:00Z',
  until: '2024-09-04T11:00:00Z',
  change: { manifests: ['EC2NodeClass governed'] },
  nodes: [
    {
      node: 'foreseen-old',
      nodePool: 'governed',
      reason: 'NodeClassDrift',
      begins: '2024-09-03T20:00:00Z',
      gone: '2024-09-03T21:00:00Z',
      replacedBy: 'm5.large foreseen-new',
    },
  ],
  rollouts: [],
};

/** In the middle of what the forecast expects. */
const foreseenMoment = 'history?at=2024-09-03T20:30:00Z';

describe.skipIf(chromium === undefined)('the page in a browser', () => {
  let sandbox: RunningSandbox;
  let client: KubernetesClient;
  let page: BrowserPage;
  let base = '';

  const folder = mkdtempSync(join(tmpdir(), 'nodewright-page-'));
  const forecastFile = join(folder, 'forecast.json');

  beforeAll(async () => {
    writeFileSync(forecastFile, JSON.stringify(forecast));
    const options = ['--scenario', 'managing-amis', '--ui-port', '0', '--ui-forecast', forecastFile];
    sandbox = await startPausedSandbox(...options);
    base = sandbox.env['NODEWRIGHT_UI'] ?? '';
    const { transport } = await kubeConfigCluster({ file: sandbox.env['KUBECONFIG'] ?? '' });
    client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'test' });
    page = await startBrowser(chromium ?? '');
    await moveTo('2024-09-03T10:05:00Z');
    await createCluster();
    await lookUntilShown('2024-09-03 11:15 UTC', '1 of 4 nodes updated', '3 pods have no node');
  });

  afterAll(async () => {
    await page.close();
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  /** The clock runs until it is paused, longer on a slow machine: times and ages in pictures must not depend on that. */
  async function moveTo(time: string): Promise<void> {
    const missingMs = Date.parse(time) - (await sandbox.now());
    await sandbox.moveClock({ advance: `${missingMs}ms` });
  }

  /** While no page is open, the cluster is read now and then only: its history has this moment for certain. */
  async function lookUntilShown(...words: readonly string[]): Promise<void> {
    await page.open(base);
    for (const each of words)
      await page.until(`document.querySelector('main').innerText.includes(${JSON.stringify(each)})`);
  }

  /** Nodes that a PodDisruptionBudget keeps, nodes in a rollout, and pods without a place. */
  async function createCluster(): Promise<void> {
    for (const name of ['held', 'governed']) await client.create(ec2NodeClasses, aNodeClass(name));
    await client.create(nodePools, aPool('held'));
    await client.create(nodePools, aPool('governed', { governed: 'yes' }));
    await client.create(podDisruptionBudgets, {
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 0 },
    });
    await client.create(nodeRolloutPolicies, policy);
    const workloads = [
      aWorkload('web', 'held', 2),
      aWorkload('api', 'governed', 4),
      aWorkload('huge', 'held', 3, '900'),
    ];
    for (const workload of workloads) await client.create(deployments, workload);
    await sandbox.moveClock({ advance: '10m' });
    await lookUntilShown('2024-09-03 10:15 UTC', '6 nodes: 6 ready');
    await page.leave();
    const labels = { pool: 'held', generation: 'two' };
    await client.patch(
      nodePools,
      { name: 'held' },
      { type: 'merge', patch: { spec: { template: { metadata: { labels } } } } },
    );
    const amiSelectorTerms = [{ alias: 'al2023@latest' }];
    await client.patch(ec2NodeClasses, { name: 'governed' }, { type: 'merge', patch: { spec: { amiSelectorTerms } } });
    await sandbox.moveClock({ advance: '5m' });
    await lookUntilShown('2024-09-03 10:20 UTC', '1 of 4 nodes updated');
    await page.leave();
    await sandbox.moveClock({ advance: '55m' });
  }

  const { keep, compare } = createScreenshots(() => page);

  const textOf = async (selector: string): Promise<string> =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`));

  const others = [
    { screen: 'desk-dark', width: 1280, height: 900, isDark: true },
    { screen: 'phone-light', width: 390, height: 844, isDark: false },
  ];
  const screens = screenAlbum === undefined ? keptLooks : [...keptLooks, ...others];
  // The history has each moment at which the server has read the cluster: another one in each run.
  const pictured = ['fleet', 'rollouts', 'blockers', 'images', 'money', 'pods'];
  const pictures = pictured.flatMap((view) => keptLooks.map(({ screen }) => `${view}-${screen}`));

  describe.each([
    { view: 'fleet', words: ['NodePool/held', 'NodePool/governed', 'to move'] },
    { view: 'fleet?colour=image', words: ['v20240807', 'v20240828'] },
    {
      view: 'rollouts',
      words: [
        'production-1',
        'canary',
        'nodewright rollout halt production-1 --reason TEXT',
        'CloudEvents at http://127.0.0.1:9',
        'production-1 has started',
        'Cannot be told',
      ],
    },
    {
      view: 'blockers',
      words: ['PodDisruptionBudget', 'default/web', 'its maxUnavailable is 0', 'wave canary has 1 seat'],
    },
    { view: 'images', words: ['held', 'governed', 'v20240828', 'rolling out', 'selected'] },
    { view: 'money', words: ['NodePool/held', 'on-demand', '$'] },
    { view: 'history', words: ['Nodes', 'Held', 'now', 'Earlier change', 'foreseen until'] },
    {
      view: foreseenMoment,
      words: ['foreseen, in', 'EC2NodeClass governed', 'leaving, for NodeClassDrift'],
    },
    { view: 'pods', words: ['No node has a place', '3 pods', 'no instance type meets the resource requests'] },
  ])('shows $view', ({ view, words }) => {
    test.each(screens)(
      'on $screen, complete, within its width and without a finding of axe',
      async ({ screen, ...look }) => {
        await page.look(look);
        await page.open(`${base}${view}`);
        await keep(`${nameView(view)}-${screen}`);
        // Tables out of sight are not drawn, and have no inner text.
        const text = `${await textOf('main')} ${String(await page.evaluate(`document.querySelector('main').textContent`))}`;
        for (const word of words) expect(text).toContain(word);
        expect(await listFindings(page)).toEqual([]);
        await page.look({ ...look, isDark: !look.isDark });
        expect(await listFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        expect(page.complaints).toEqual([]);
      },
    );
  });

  test.for(pictures)('%s looks as it did', async (picture, { skip }) => {
    const obstacle = await compare(picture);
    if (obstacle !== undefined) skip(obstacle);
  });

  test('leads from nothing to the object that holds a node, by keyboard alone, in the words of explain', async () => {
    await page.look({ width: 1280, height: 900, isDark: false });
    await page.open(base);
    await page.press(...Array.from({ length: 4 }, () => 'Tab'), 'Enter');
    await page.until(`document.querySelector('h1').innerText === 'Blockers'`);
    expect(await page.evaluate('location.pathname')).toBe('/blockers');
    await page.evaluate(
      `[...document.querySelectorAll('.card')].find((card) => card.innerText.includes('default/web')).querySelector('a').focus()`,
    );
    await page.press('Enter');
    await page.until(`document.querySelector('aside .answer') !== null`);
    await keep('explained');
    const node = String(await page.evaluate(`new URLSearchParams(location.search).get('explain').split('/')[1]`));
    const { stdout } = await sandbox.nodewright('explain', 'node', node, '-o', 'json');
    const { answer } = JSON.parse(stdout) as { readonly answer: string };
    expect(answer).toContain('PodDisruptionBudget default/web never allows an eviction');
    expect(await textOf('aside .answer')).toBe(`It ${answer}.`);
    await page.press('Escape');
    await page.until(`document.querySelector('aside') === null`);
    expect(await page.evaluate('location.pathname + location.search')).toBe('/blockers');
    expect(await page.evaluate('document.activeElement.innerText')).toBe(node);
  });

  test.each(keptLooks)('what opens beside a view has no finding of axe, on $screen', async ({ screen, ...look }) => {
    for (const isDark of [false, true]) {
      await page.look({ ...look, isDark });
      await page.open(`${base}rollouts?explain=rollout/production-1`);
      await page.until(`document.querySelector('aside .answer') !== null`);
      await page.click('Test');
      expect(await listFindings(page)).toEqual([]);
      await keep(`beside-${screen}-${isDark ? 'dark' : 'light'}`);
    }
  });

  test.each(['fleet', 'rollouts', 'blockers', 'images', 'money', 'history'])(
    'prints %s with every column of its tables within a sheet of paper',
    async (view) => {
      await page.look({ width: 718, height: 1050, isDark: true, isPaper: true });
      await page.open(`${base}${view}`);
      await keep(`${view}-paper`);
      const wide = `[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth + 1).length`;
      expect(await page.evaluate(wide)).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
  );

  test('has the order and the words of a table in its address, which gives the same table elsewhere', async () => {
    await page.look({ width: 1280, height: 900, isDark: false });
    await page.open(`${base}fleet?colour=image`);
    await page.click('Group');
    await page.click('Group ▲');
    await page.evaluate(`document.querySelector('[aria-label="Filter Nodes"]').focus()`);
    await page.press('h', 'e', 'l', 'd', 'Tab');
    await page.until(`location.search.includes('nodes.filter=held')`);
    const cells = `[...document.querySelectorAll('main tbody td[data-title=Group]')].map((cell) => cell.textContent)`;
    expect(await page.evaluate('location.search')).toBe('?colour=image&nodes.sort=-Group&nodes.filter=held');
    const shown = await page.evaluate(cells);
    expect(shown).toEqual(['NodePool/held', 'NodePool/held']);
    await page.open(String(await page.evaluate('location.href')));
    expect(await page.evaluate(cells)).toEqual(shown);
    expect(await page.evaluate(`document.querySelector('[aria-sort=descending]').innerText`)).toContain('Group');
  });

  test('goes back to an earlier moment by keyboard, and an address leads there again', async () => {
    await page.look({ width: 1280, height: 900, isDark: false });
    await page.open(`${base}history`);
    await page.until(`document.querySelector('.scrubber input') !== null`);
    expect(await textOf('main h2')).toContain('now');
    await page.evaluate(`document.querySelector('.scrubber input').focus()`);
    await page.press('ArrowLeft');
    await page.until(`document.querySelector('main h2').innerText.includes('ago')`);
    const [earlier, address] = [await textOf('main h2'), String(await page.evaluate('location.href'))];
    await page.open(address);
    await page.until(`document.querySelector('.scrubber input') !== null`);
    expect(await textOf('main h2')).toBe(earlier);
    expect(page.complaints).toEqual([]);
  });

  test('tries a receiver after a second click, says why it takes nothing, and never tells its password', async () => {
    await page.open(`${base}rollouts`);
    await page.click('Test');
    await page.click('Send a message to CloudEvents at http://127.0.0.1:9');
    await page.until(`document.querySelector('.failed-test')?.innerText.startsWith('Not taken: http://127.0.0.1:9')`);
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(password);
    expect(page.complaints).toEqual([]);
  });

  test('shows what changes without being loaded again', async () => {
    await page.open(`${base}blockers`);
    await client.delete(podDisruptionBudgets, { name: 'web', namespace: 'default' });
    await page.until(`!document.querySelector('main').innerText.includes('default/web')`);
    expect(page.complaints).toEqual([]);
  });
});
