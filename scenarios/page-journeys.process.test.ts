import {
  type Deployment,
  disruptionPauses,
  nodeGroups,
  nodeRolloutPolicies,
  podDisruptionBudgets,
} from '@nodewright/apis';
import { kubeConfigCluster, kubernetesClient, realTime } from '@nodewright/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';
import { servePreparedPage } from './support/prepared-page.ts';
import { startPausedSandbox } from './support/running-sandbox.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('newcomers find what holds a cluster', (context) => context.skip('needs chromium on the PATH'));
}

const start = '2024-02-03T16:00:00Z';
const latest = nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] });
const pinned = nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@v20240117' }] });

type World = Awaited<ReturnType<typeof imageWorld>>;

/** Two nodes have drifted, and a PodDisruptionBudget never allows an eviction. */
async function makeClusterWithBudget(): Promise<World> {
  const world = await imageWorld({ start });
  await world.time.finish(
    world.admin.create(podDisruptionBudgets, {
      metadata: { name: 'inflate', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'inflate' } }, maxUnavailable: 0 },
    }),
  );
  await world.apply(pinned, nodePoolOf(), deploymentOf(2));
  await world.pass(15);
  await world.apply(latest);
  await world.pass(30);
  return world;
}

/** Nodes have drifted, no budget ever lets one go, and the image is pinned. */
async function makeClusterWithClosedBudget(): Promise<World> {
  const world = await imageWorld({ start });
  const pool = nodePoolOf();
  const budgets = [{ nodes: '0', schedule: '0 0 * * *', duration: '24h' }];
  const closed = { ...pool, spec: { ...pool.spec, disruption: { ...pool.spec.disruption, budgets } } };
  await world.apply(latest, closed, deploymentOf(2));
  await world.pass(15);
  await world.apply(pinned);
  await world.pass(30);
  return world;
}

/** Nodes have drifted while somebody has paused all disruption, for days. */
async function makeClusterWithPause(): Promise<World> {
  const world = await imageWorld({ start });
  await world.apply(pinned, nodePoolOf(), deploymentOf(2));
  await world.pass(15);
  await world.time.finish(
    world.admin.create(disruptionPauses, {
      metadata: { name: 'incident-7' },
      spec: { reason: 'INC-7', scope: {}, until: '2024-02-10T00:00:00Z' },
    }),
  );
  await world.apply(latest);
  await world.pass(30);
  return world;
}

/** A pool may have so many CPUs, and pods ask for more. */
async function makeClusterAtLimit(): Promise<World> {
  const world = await imageWorld({ start });
  const pool = nodePoolOf();
  await world.apply(latest, { ...pool, spec: { ...pool.spec, limits: { cpu: '4' } } }, deploymentOf(5));
  await world.pass(15);
  return world;
}

/** Nodes have drifted; their pods are protected by an annotation, and by a PodDisruptionBudget, too. */
async function makeClusterProtectedTwice(): Promise<World> {
  const world = await imageWorld({ start });
  await world.time.finish(
    world.admin.create(podDisruptionBudgets, {
      metadata: { name: 'inflate', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'inflate' } }, maxUnavailable: 0 },
    }),
  );
  const workload = deploymentOf(1);
  const { template } = workload.spec;
  const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
  const metadata = { ...template.metadata, annotations };
  await world.apply(pinned, nodePoolOf(), {
    ...workload,
    spec: { ...workload.spec, template: { ...template, metadata } },
  });
  await world.pass(15);
  await world.apply(latest);
  await world.pass(30);
  return world;
}

/** Three pods to a node. */
function smallPods(replicas: number): Deployment {
  const workload = deploymentOf(replicas);
  const { template } = workload.spec;
  const containers = template.spec.containers.map((each) => ({ ...each, resources: { requests: { cpu: '500m' } } }));
  return {
    ...workload,
    spec: { ...workload.spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
}

/** Containers fail on the first node of a release, and its rollout has halted. */
async function makeClusterWithBadRelease(): Promise<World> {
  const release = {
    family: 'AL2',
    variant: 'standard',
    arch: 'amd64',
    kubernetesVersion: '1.29',
    version: 'v20240202',
    imageId: 'ami-0bad0bad0bad0bad0',
    name: 'amazon-eks-node-1.29-v20240202',
    createdAt: '2024-02-02T20:00:00Z',
    publishedAt: '2024-02-03T16:20:00Z',
    behavior: 'containersFail',
  };
  const world = await imageWorld({ start, releases: [release] });
  await world.apply(latest, nodePoolOf(), smallPods(9));
  const policy = { metadata: { name: 'production' }, spec: { preset: 'standard' } } as const;
  await world.time.finish(world.admin.create(nodeRolloutPolicies, policy));
  await world.pass(120);
  return world;
}

describe.skipIf(chromium === undefined)('a newcomer with nothing but the page', () => {
  let page: BrowserPage;

  beforeAll(async () => {
    page = await startBrowser(chromium ?? '');
    await page.look({ width: 390, height: 844, isDark: true });
  });

  afterAll(() => page.close());

  /** Opens the page of a cluster for as long as the journey takes. */
  async function visit(world: World, journey: () => Promise<void>): Promise<void> {
    const served = await servePreparedPage(world);
    try {
      await page.open(served.url);
      await journey();
      expect(page.complaints).toEqual([]);
    } finally {
      await page.leave();
      await served.close();
      await world.end();
    }
  }

  const textOf = async (selector: string): Promise<string> =>
    String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`));

  /** What needs attention first, as far as the screen of a phone shows it before anything is touched. */
  const readFirstScreen = async (): Promise<string> =>
    String(
      await page.evaluate(`[...document.querySelectorAll('main p')]
        .filter((line) => line.getBoundingClientRect().bottom <= innerHeight)
        .map(({ innerText }) => innerText)
        .join('\\n')`),
    );

  /** Goes from stop to stop of the Tab key until one shows the words, and presses Enter there. */
  async function choose(words: string): Promise<void> {
    const stops = 30;
    for (let stop = 0; stop < stops; stop += 1) {
      await page.press('Tab');
      if ((await page.evaluate('document.activeElement.innerText')) === words) return page.press('Enter');
    }
    throw new Error(`none of the first ${stops} stops shows "${words}"`);
  }

  const untilShown = (selector: string, words: string): Promise<void> =>
    page.until(`document.querySelector('${selector}')?.innerText.includes(${JSON.stringify(words)})`);

  test('learns by keyboard which PodDisruptionBudget holds nodes, and what to do', async () => {
    await visit(await makeClusterWithBudget(), async () => {
      const first = await readFirstScreen();
      expect(first).toContain('2 nodes are held by PodDisruptionBudget default/inflate');
      expect(first).toContain('its maxUnavailable is 0');
      expect(first).toContain(
        'To do: have PodDisruptionBudget default/inflate allow an eviction, or run more replicas',
      );
      await choose('Why');
      await untilShown('aside .answer', 'has drifted and is not replaced now: PodDisruptionBudget default/inflate');
      expect(await textOf('aside')).toContain('nodewright explain node ip-192-168-');
    });
  });

  test('learns that no schedule opens a budget, and that the image is pinned', async () => {
    await visit(await makeClusterWithClosedBudget(), async () => {
      const first = await readFirstScreen();
      expect(first).toContain('2 nodes are held by NodePool default');
      expect(first).toContain('To do: widen the disruption budgets of NodePool default: no schedule opens them');
      await page.click('Images');
      await untilShown('h1', 'Images');
      await page.click('default');
      await untilShown('aside .answer', 'It launches v20240117');
      expect(await textOf('aside')).toMatch(
        /v20240129 .* is not launched: the NodeClass pins another release; 2 nodes run it/,
      );
    });
  });

  test('learns which node of a rollout failed and how, and the commands that lead on', async () => {
    await visit(await makeClusterWithBadRelease(), async () => {
      const first = await readFirstScreen();
      expect(first).toContain('Rollout production-1 is halted');
      expect(first).toContain('the containers of 1 pod have not started');
      expect(first).toContain('nodewright rollout rollback production-1 --reason TEXT');
      expect(first).not.toContain('goes on by itself');
      await page.click('More');
      await untilShown('h1', 'Rollouts');
      const [, failed = ''] = /(\S+) \(default-\w+\): the containers/.exec(await textOf('main')) ?? [];
      await page.click(failed);
      await untilShown('aside .answer', 'container inflate is in RunContainerError');
    });
  });

  test('learns that a pause holds every node, until when, and for which incident', async () => {
    await visit(await makeClusterWithPause(), async () => {
      const first = await readFirstScreen();
      expect(first).toContain('2 nodes are held by DisruptionPause incident-7');
      expect(first).toContain('INC-7');
      expect(first).toContain('2024-02-10 00:00 UTC');
      await choose('Why');
      await untilShown('aside .answer', 'DisruptionPause incident-7');
    });
  });

  test('learns which limit keeps pods from a node, and how far to raise it', async () => {
    await visit(await makeClusterAtLimit(), async () => {
      const first = await readFirstScreen();
      expect(first).toContain('pods have no node');
      expect(first).toContain('NodePool default');
      expect(first).toMatch(/fix: raise .*limits/);
      await choose('Why');
      await untilShown('aside .answer', 'no node that could be launched has one');
    });
  });

  test('learns both things that keep a pod, and not the second one after the first is done away with', async () => {
    await visit(await makeClusterProtectedTwice(), async () => {
      const first = await readFirstScreen();
      expect(first).toContain('1 node is held by Pod default/inflate');
      expect(first).toContain('1 node is held by PodDisruptionBudget default/inflate');
      await choose('Why');
      await untilShown('aside .answer', 'karpenter.sh/do-not-disrupt');
      expect(await textOf('aside')).toContain('without that it would still be held: PodDisruptionBudget');
    });
  });

  test('learns which PodDisruptionBudget keeps a managed node group from its release', async () => {
    const sandbox = await startPausedSandbox('--scenario', 'managed-node-group', '--ui-port', '0');
    try {
      const { transport } = await kubeConfigCluster({ file: sandbox.env['KUBECONFIG'] ?? '' });
      const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'test' });
      const patch = { spec: { minAvailable: 4 } };
      await client.patch(podDisruptionBudgets, { name: 'ui', namespace: 'ui' }, { type: 'merge', patch });
      await client.create(nodeGroups, {
        metadata: { name: 'workers' },
        spec: {
          eks: { name: 'default' },
          image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
          update: { mode: 'Automatic' },
        },
      });
      await sandbox.moveClock({ advance: '1h' });
      await page.open(sandbox.env['NODEWRIGHT_UI'] ?? '');
      await untilShown('main', 'NodeGroup workers is blocked');
      const first = await readFirstScreen();
      expect(first).toContain('NodeGroup workers is blocked: 0 of 3 nodes updated, to 1.23');
      expect(first).toContain('3 nodes are held by PodDisruptionBudget ui/ui');
      expect(first).toContain('To do: have PodDisruptionBudget ui/ui allow an eviction, or run more replicas');
      expect(await textOf('main')).toContain('3 to move');
      // The group has another name in AWS.
      await page.click('NodeGroup/workers');
      await untilShown('aside .answer', 'is Blocked');
      expect(await textOf('aside')).toContain('managed node group default');
      await page.press('Escape');
      await page.click('Rollouts');
      await untilShown('main article', '0 of 3 updated');
      expect(page.complaints).toEqual([]);
      await page.leave();
    } finally {
      await sandbox.stop();
    }
  });
});
