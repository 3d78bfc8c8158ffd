import { fromTimestamp, type NodeClaim } from '@nodewright/apis';
import { printedAge } from '@nodewright/dashboard/rows';
import type { FoundImage, ImageQuery } from '@nodewright/engine';
import type { ImageReadingSources } from '@nodewright/operator';
import { aNodeClass } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { nodeClassReport } from './node-class-report.ts';
import { printReport } from './print-report.ts';

const now = fromTimestamp('2024-02-10T00:00:00Z');

/** One release of AL2023 for amd64, published at midnight of a day. */
const release = (day: string, traits: Partial<FoundImage> = {}): FoundImage => ({
  id: `ami-${day.replaceAll('-', '')}`,
  name: `amazon-eks-node-al2023-x86_64-standard-1.29-v${day.replaceAll('-', '')}`,
  arch: 'amd64',
  variant: 'standard',
  version: `v${day.replaceAll('-', '')}`,
  createdAt: fromTimestamp(`${day}T00:00:00Z`),
  publishedAt: fromTimestamp(`${day}T00:00:00Z`),
  term: 0,
  ...traits,
});

const claim = (imageID: string): NodeClaim => ({
  metadata: { name: `default-${imageID}` },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { imageID },
});

/** Nodes run two images: one of January, and one of December that the terms may not find. */
async function reportOn(
  alias: string,
  minimumAgeDuration: string,
  images: readonly FoundImage[],
  gateOf?: ImageReadingSources['gateOf'],
) {
  const nodeClass = aNodeClass({ amiSelectorTerms: [{ alias, minimumAgeDuration }] });
  const find = ({ terms, kubernetesVersion: minor }: ImageQuery): readonly FoundImage[] => {
    const ids = terms.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) return images.filter(({ id }) => ids.includes(id));
    const pin = terms[0]?.alias?.split('@')[1];
    const ofMinor = images.filter(({ kubernetesVersion = '1.29' }) => kubernetesVersion === minor);
    return ofMinor.filter(({ version }) => version !== undefined && (pin === 'latest' || version === pin));
  };
  const cloud = {
    controlPlane: { kubernetesVersion: () => Promise.resolve('1.29') },
    nodeClasses: {
      images: (query: ImageQuery) => Promise.resolve({ images: find(query), foundAt: now }),
    },
  } as unknown as ImageReadingSources['cloud'];
  const sources = { cloud, now, ...(gateOf === undefined ? {} : { gateOf }) };
  return nodeClassReport(nodeClass, sources, [claim('ami-20240101'), claim('ami-20231201')]);
}

const standings = async (alias: string, age: string, images: readonly FoundImage[]) =>
  (await reportOn(alias, age, images)).images.map(({ id, state, nodes }) => `${id} ${state} ${nodes}`);

describe('the images of a NodeClass', () => {
  const history = [release('2024-02-09', { recommended: true }), release('2024-01-20'), release('2024-01-01')];

  test('tell which is launched, which bakes and how many nodes run each', async () => {
    expect(await standings('al2023@latest', '10d', history)).toEqual([
      'ami-20240209 baking 0',
      'ami-20240120 selected 0',
      'ami-20240101 older 1',
      'ami-20231201 gone 1',
    ]);
  });

  test('tell that a policy waits for the proof of another cluster', async () => {
    const because = 'staging has 1 of 500 node-hours of v20240209';
    const variant = { source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-20240101' };
    const report = await reportOn('al2023@latest', '0s', history, () => ({
      stage: 'waves',
      baseline: [variant],
      target: [],
      halted: [],
      failed: [],
      held: [{ image: 'ami-20240209', reason: 'notProvenUpstream', because }],
    }));
    expect(report.images.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'ami-20240209 held',
      'ami-20240120 older',
      'ami-20240101 selected',
      'ami-20231201 gone',
    ]);
    expect(report.images[0]?.because).toBe(`notProvenUpstream: ${because}`);
  });

  test('tell when the selection changes by itself, and why a newer one is not launched', async () => {
    const report = await reportOn('al2023@latest', '10d', history);
    expect(report).toMatchObject({
      changesAt: '2024-02-19T00:00:00Z',
      change: expect.stringContaining('is old enough to be launched') as string,
    });
    expect(report.images[0]).toMatchObject({
      because: 'too young until 2024-02-19T00:00:00Z',
      matureAt: '2024-02-19T00:00:00Z',
      ageSeconds: 86_400,
    });
  });

  test('show what a pin leaves out', async () => {
    expect(await standings('al2023@v20240120', '10d', history)).toEqual([
      'ami-20240209 pinnedAway 0',
      'ami-20240120 selected 0',
      'ami-20240101 pinnedAway 1',
      'ami-20231201 gone 1',
    ]);
  });

  test('show a release beyond the recommended one as withdrawn', async () => {
    const moved = [release('2024-02-01'), release('2024-01-20', { recommended: true })];
    expect((await standings('al2023@latest', '0', moved)).slice(0, 2)).toEqual([
      'ami-20240201 withdrawn 0',
      'ami-20240120 selected 0',
    ]);
  });

  test('tell what nodes run that the terms do not find: made for another Kubernetes version, or found by other terms', async () => {
    const before = release('2023-12-01', { kubernetesVersion: '1.28' });
    const report = await reportOn('al2023@latest', '0', [...history, before]);
    expect(report.images.at(-1)).toMatchObject({
      id: 'ami-20231201',
      release: 'v20231201',
      publishedAt: '2023-12-01T00:00:00Z',
      state: 'otherVersion',
      because: 'made for Kubernetes 1.28, not 1.29',
      nodes: 1,
    });
    const { version: _, ...custom } = release('2023-12-01', { name: 'golden', kubernetesVersion: '1.29' });
    expect((await reportOn('al2023@v20240120', '0', [...history, custom])).images.at(-1)).toMatchObject({
      id: 'ami-20231201',
      name: 'golden',
      state: 'unselected',
      nodes: 1,
    });
  });

  test('are cut to the newest five of a line for people, but for those that matter', async () => {
    const days = ['01', '02', '03', '04', '05', '06', '07', '08'].map((day) => release(`2024-01-${day}`));
    const text = printReport(await reportOn('al2023@v20240102', '0', days), false);
    expect(text.match(/ami-\d+/g)?.filter((id, at, all) => all.indexOf(id) === at)).toEqual(
      ['08', '07', '06', '05', '04', '02', '01'].map((day) => `ami-202401${day}`).concat('ami-20231201'),
    );
    expect(text).toContain('and 1 older ones; --all shows them');
  });
});

test('an age is told by its two largest units', () => {
  expect([0, 45, 3_600, 12_000, 864_000 + 14_400, 86_405].map(printedAge)).toEqual([
    '0s',
    '45s',
    '1h',
    '3h20m',
    '10d4h',
    '1d',
  ]);
});
