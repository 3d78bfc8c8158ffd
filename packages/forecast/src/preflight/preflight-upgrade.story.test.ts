import { ec2NodeClasses, imageRules, podDisruptionBudgets } from '@nodewright/apis';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { beginningOfTwoNodes, startTwoNodes } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';
import { createForecastWorld, type ForecastWorld } from '../world/forecast-world.ts';
import type { PreflightReport } from './preflight-finding.ts';
import { isBlocked, preflightUpgrade } from './preflight-upgrade.ts';

/** A cluster with two nodes. */
const cluster: { world?: ForecastWorld } = {};
const worldHere = (): ForecastWorld => {
  if (cluster.world === undefined) throw new Error('the cluster has not come up');
  return cluster.world;
};
beforeAll(async () => {
  const world = await createForecastWorld(beginningOfTwoNodes, { seed: 99 });
  await startTwoNodes(world);
  cluster.world = world;
});

async function preflightTo(minor: string): Promise<PreflightReport> {
  const { time, aws, admin } = worldHere();
  const { clock, gate } = time;
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const place = { clock, gate, random: seededRandom(1), clients, clusterName: 'sandbox', region: 'us-east-1' };
  const sources = { ...place, client: admin, cloud: createAwsCloud(place), now: clock.now() };
  return time.finish(preflightUpgrade(sources, minor, new AbortController().signal));
}

const setTerms = async (alias: string): Promise<void> => {
  const { admin, time } = worldHere();
  const patch = { spec: { amiSelectorTerms: [{ alias }] } };
  await time.finish(admin.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', patch }));
};

const aboutOf = ({ findings }: PreflightReport, check: string) => findings.filter((finding) => finding.check === check);

describe('before an upgrade', () => {
  test('a cluster that follows its family is ready for the next minor', async () => {
    const report = await preflightTo('1.32');
    expect(report.findings.filter(isBlocked)).toEqual([]);
    expect(report.unread).toEqual([]);
    expect(aboutOf(report, 'image')[0]?.says).toMatch(/^finds v\d{8} for 1\.32$/);
    expect(aboutOf(report, 'skew')[0]?.verdict).toBe('ok');
  });

  test('a minor that is too far, or is there already, says where to go', async () => {
    expect(aboutOf(await preflightTo('1.33'), 'version')[0]?.instead).toBe('upgrade to 1.32 first');
    expect(aboutOf(await preflightTo('1.31'), 'version')[0]?.instead).toBe('--kubernetes-version 1.32');
  });

  test('a pin without a release for the minor gets one that can be written in its place', async () => {
    await setTerms('al2023@v20240807');
    const [image] = aboutOf(await preflightTo('1.32'), 'image');
    expect(image?.verdict).toBe('blocked');
    const proposed = /^amiSelectorTerms: \[\{alias: (al2023@v\d{8})\}\]$/.exec(image?.instead ?? '')?.[1] ?? '';
    await setTerms(proposed);
    expect(aboutOf(await preflightTo('1.32'), 'image')[0]?.verdict).toBe('ok');
  });

  test('a release that a rule blocks is neither taken nor proposed', async () => {
    const { admin, time } = worldHere();
    await setTerms('al2023@v20240807');
    const blocked = /(v\d{8})/.exec(aboutOf(await preflightTo('1.32'), 'image')[0]?.instead ?? '')?.[1] ?? '';
    const spec = {
      match: { family: 'AL2023' as const, versions: [blocked] },
      verdict: 'Blocked' as const,
      reason: 'it is bad',
    };
    await time.finish(admin.create(imageRules, { metadata: { name: 'bad' }, spec }));
    const [image] = aboutOf(await preflightTo('1.32'), 'image');
    await time.finish(admin.delete(imageRules, { name: 'bad' }));
    expect(image?.instead).toMatch(/^amiSelectorTerms/);
    expect(image?.instead).not.toContain(blocked);
    await setTerms('al2023@latest');
  });

  test('a budget that never lets a pod go is named with the nodes that it keeps', async () => {
    const { admin, time } = worldHere();
    const spec = { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } };
    await time.finish(admin.create(podDisruptionBudgets, { metadata: { name: 'web', namespace: 'default' }, spec }));
    const [budget] = aboutOf(await preflightTo('1.32'), 'budget');
    await time.finish(admin.delete(podDisruptionBudgets, { name: 'web', namespace: 'default' }));
    expect(budget).toMatchObject({ about: 'PodDisruptionBudget default/web', verdict: 'blocked' });
    expect(budget?.says).toBe('never lets one of 2 pods go: its maxUnavailable is 0; 2 nodes cannot be drained');
  });
});
