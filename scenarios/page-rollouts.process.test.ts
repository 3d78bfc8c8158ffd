import {
  type Deployment,
  type NodeRolloutPolicy,
  nodeRolloutPolicies,
  type NodeRolloutPolicySpec,
  podDisruptionBudgets,
} from '@nodewright/apis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, findChromium, startBrowser } from './support/browser.ts';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';
import { createScreenshots } from './support/kept-screens.ts';
import { servePreparedPage } from './support/prepared-page.ts';

const chromium = findChromium();

if (chromium === undefined) {
  test('rollouts that stand still, on the page', (context) => context.skip('needs chromium on the PATH'));
}

const aRelease = (behavior?: string) => ({
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: 'v20240202',
  imageId: 'ami-0aa0aa0aa0aa0aa0a',
  name: 'amazon-eks-node-1.29-v20240202',
  createdAt: '2024-02-02T20:00:00Z',
  publishedAt: '2024-02-03T16:20:00Z',
  ...(behavior === undefined ? {} : { behavior }),
});

type Situation = {
  readonly fact: string;
  readonly spec?: Partial<NodeRolloutPolicySpec>;
  /** Of the new image. */
  readonly behavior?: string;
  readonly workload?: Deployment;
  readonly isHeldByBudget?: boolean;
  readonly minutes?: number;
  /** What a person learns in the view of rollouts. */
  readonly words: readonly (string | RegExp)[];
};

/** Three pods to a node. */
function smallPods(replicas: number): Deployment {
  const workload = deploymentOf(replicas);
  const { template } = workload.spec;
  const containers = template.spec.containers.map((each) => ({ ...each, resources: { requests: { cpu: '500m' } } }));
  return { ...workload, spec: { ...workload.spec, template: { ...template, spec: { ...template.spec, containers } } } };
}

/** It is a Saturday. */
const situations: readonly Situation[] = [
  {
    fact: 'an approval',
    spec: { mode: 'Propose' },
    words: [
      'WaitingForApproval, wave canary',
      /Waits for .*: wave canary needs an approval/,
      'nodewright rollout approve production-1 --reason TEXT',
      'to come, needs approval',
    ],
  },
  {
    fact: 'a window',
    spec: { windows: [{ schedule: '0 2 * * 1', duration: '4h', timeZone: 'Europe/Berlin' }] },
    words: [
      'WaitingForWindow',
      'no window is open until Feb 5, 2024, 1:00 AM',
      '2024-02-05 01:00 UTC',
      'written in Europe/Berlin',
    ],
  },
  {
    fact: 'the end of a blackout',
    spec: {
      blackouts: [
        { from: '2024-02-03T00:00:00', to: '2024-02-05T09:00:00', timeZone: 'Asia/Kolkata', reason: 'quarter end' },
      ],
    },
    words: ['blackout: quarter end until Feb 5, 2024, 3:30 AM', 'written in Asia/Kolkata'],
  },
  {
    fact: 'a person, after a halt',
    behavior: 'containersFail',
    workload: smallPods(9),
    words: [
      'Halted: ',
      'Nodes that failed',
      'what leads on, beside a newer release: nodewright rollout resume production-1 --reason TEXT',
      'nodewright rollout rollback production-1 --reason TEXT',
    ],
  },
  {
    fact: 'nothing: it has been rolled back',
    spec: { onHalt: 'Rollback' },
    behavior: 'containersFail',
    workload: smallPods(9),
    minutes: 240,
    words: ['production-2', /rollback of production-1/i, 'v20240202 -> v20240129', 'not finished', 'not begun'],
  },
  {
    fact: 'a node that is parked',
    spec: { blocked: [{ after: '10m', do: 'Park' }] },
    isHeldByBudget: true,
    minutes: 90,
    words: ['3 nodes are parked, and tried later', /keeps it \(PodDisruptionBudget default\/inflate\)/],
  },
];

describe.skipIf(chromium === undefined)('the view of a rollout that waits for', () => {
  let page: BrowserPage;

  beforeAll(async () => {
    page = await startBrowser(chromium ?? '');
  });

  afterAll(() => page.close());

  const { keep } = createScreenshots(() => page);

  test.each(situations)('$fact', async ({ fact, words, minutes = 60, ...situation }) => {
    const world = await makeCluster(situation);
    await world.pass(minutes);
    const served = await servePreparedPage(world);
    try {
      for (const [screen, look] of [
        ['desk', { width: 1280, height: 1600, isDark: false }],
        ['phone', { width: 390, height: 1600, isDark: true }],
      ] as const) {
        await page.look({ ...look, zone: 'UTC' });
        await page.open(`${served.url}/rollouts`);
        await keep(`rollout ${fact} ${screen}`);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      }
      const text = String(await page.evaluate(`document.querySelector('main').textContent`));
      for (const word of words) {
        if (typeof word === 'string') expect(text).toContain(word);
        else expect(text).toMatch(word);
      }
      expect(page.complaints).toEqual([]);
    } finally {
      await page.leave();
      await served.close();
      await world.end();
    }
  });
});

/** Three nodes, and half an hour later a release that a policy leads them to. */
async function makeCluster({
  spec = {},
  behavior,
  workload = deploymentOf(3),
  isHeldByBudget = false,
}: Pick<Situation, 'spec' | 'behavior' | 'workload' | 'isHeldByBudget'>) {
  const world = await imageWorld({ start: '2024-02-03T16:00:00Z', releases: [aRelease(behavior)] });
  await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), nodePoolOf(), workload);
  const policy: NodeRolloutPolicy = { metadata: { name: 'production' }, spec: { preset: 'standard', ...spec } };
  await world.time.finish(world.admin.create(nodeRolloutPolicies, policy));
  if (isHeldByBudget)
    await world.time.finish(
      world.admin.create(podDisruptionBudgets, {
        metadata: { name: 'inflate', namespace: 'default' },
        spec: { selector: { matchLabels: { app: 'inflate' } }, maxUnavailable: 0 },
      }),
    );
  return world;
}
