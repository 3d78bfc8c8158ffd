import {
  type AmiSelectorTerm,
  deployments,
  ec2NodeClasses,
  instant,
  type Instant,
  nodeClaims,
  nodePools,
  toTimestamp,
  minutes,
} from '@nodewright/apis';
import { UpdateClusterVersionCommand } from '@aws-sdk/client-eks';
import { createAwsClients, inProcessRequestHandler } from '@nodewright/provider-aws';
import { type Random, virtualTime } from '@nodewright/runtime';
import { createSandbox } from '@nodewright/sandbox';
import { historyOf } from '@nodewright/aws-endpoints';
import { clusterName, deploymentOf, nodeClassWith, nodePoolOf } from './image-world.ts';
import { imageTable } from './image-table.ts';
import { mortalOperator } from './mortal-operator.ts';
import { minors, randomHistory, type Recorded } from './random-history.ts';

const region = 'us-east-1';

export type FleetTraits = {
  readonly random: Random;
  readonly start: Instant;
  readonly days: number;
  readonly dayMs: number;
  /** Terms of NodeClasses, each of which has a pool with one node. */
  readonly terms: Readonly<Record<string, readonly AmiSelectorTerm[]>>;
};

export type FleetRow = {
  readonly at: string;
  readonly name: string;
  readonly runs: readonly string[];
  readonly expected: string;
};

/** What may still be under way: drift is looked for every five minutes, a replacement takes a few more. */
const settlingMs = minutes(25);

/**
 * Pools of one node each live through a random history beside each other, with a control-plane upgrade in the
 * middle and an operator that dies now and then: which image each node runs, and which it should.
 */
export async function fleetThrough({ random, start, days, dayMs, terms }: FleetTraits) {
  const recorded = randomHistory({ random: random.fork('history'), start, days, dayMs });
  const world = await aFleet({ random, start, recorded });
  for (const [name, amiSelectorTerms] of Object.entries(terms)) await world.addPool(name, amiSelectorTerms);
  const upgradeAt = instant(start + Math.floor(days / 2) * dayMs);
  let isUpgraded = false;
  const rows: FleetRow[] = [];
  const lasting = new Map<string, string>();
  for (let day = 1; day <= days; day += 1) {
    const at = instant(start + day * dayMs);
    if (at >= upgradeAt && !isUpgraded) {
      await world.upgrade(minors[1]);
      isUpgraded = true;
    }
    await world.until(at);
    for (const [name, amiSelectorTerms] of Object.entries(terms)) {
      const selectedAt = (now: Instant): string | undefined => {
        const minor = isUpgraded ? minors[1] : minors[0];
        const question = { recorded, terms: amiSelectorTerms, minor, now, mayList: true, seen: new Map() };
        const row = imageTable(question);
        return row['amd64 plain'] ?? row['amd64 any'];
      };
      const expected = selectedAt(at) ?? lasting.get(name) ?? 'none';
      const lately = Array.from({ length: 26 }, (_, ago) => selectedAt(instant(at - (ago * settlingMs) / 25)));
      const isSettled = new Set(lately).size === 1 && Math.abs(at - upgradeAt) > settlingMs;
      const images = await world.imagesOf(name);
      // Without an image for its types a pool launches nothing.
      const runs = images.length === 0 ? ['none'] : images;
      if (isSettled) rows.push({ at: toTimestamp(at), name, runs, expected });
      lasting.set(name, images[0] ?? expected);
    }
  }
  await world.end();
  return { rows, lives: world.lives() };
}

type Beginning = { readonly random: Random; readonly start: Instant; readonly recorded: readonly Recorded[] };

async function aFleet({ random, start, recorded }: Beginning) {
  const time = virtualTime(start);
  const { clock, gate } = time;
  const sandbox = await createSandbox({
    clock,
    gate,
    random: random.fork('world'),
    clusterName,
    kubernetesVersion: minors[0],
    region,
    zones: ['us-east-1a', 'us-east-1b'],
    releases: historyOf(recorded.filter(({ from }) => from === 0).map(({ release }) => release)),
  });
  for (const { from, release } of recorded) if (from > 0) clock.at(from, () => sandbox.aws.releases.publish(release));
  await time.finish(sandbox.start());
  const dice = random.fork('deaths');
  const operator = mortalOperator({
    sandbox,
    clock,
    gate,
    random: random.fork('operator'),
    region,
    clusterName,
    fate: () => (dice.next() < 0.0002 ? 'dies' : 'arrives'),
  });
  const { admin, aws } = sandbox;
  const { eks } = createAwsClients({ region, requestHandler: inProcessRequestHandler(gate, aws.handle) });
  return {
    lives: operator.lives,
    until: (at: Instant) => time.run(at),
    async addPool(name: string, amiSelectorTerms: readonly AmiSelectorTerm[]): Promise<void> {
      const nodeClass = nodeClassWith({ amiSelectorTerms });
      const pool = nodePoolOf();
      const { template } = pool.spec;
      const nodeClassRef = { ...template.spec.nodeClassRef, name };
      const deployment = deploymentOf(1, { 'karpenter.sh/nodepool': name });
      await time.finish(admin.create(ec2NodeClasses, { ...nodeClass, metadata: { name } }));
      await time.finish(
        admin.create(nodePools, {
          ...pool,
          metadata: { name },
          spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
        }),
      );
      await time.finish(admin.create(deployments, { ...deployment, metadata: { ...deployment.metadata, name } }));
    },
    upgrade: (version: string) =>
      time.finish(
        gate.call(
          (ticket) => eks.send(new UpdateClusterVersionCommand({ name: clusterName, version }), { ticket } as object),
          'an upgrade by hand',
        ),
      ),
    /** Images of the pool's nodes that are not leaving. */
    async imagesOf(name: string): Promise<readonly string[]> {
      const { items } = await time.finish(admin.list(nodeClaims));
      return items
        .filter(
          ({ metadata }) =>
            metadata.deletionTimestamp === undefined && metadata.labels?.['karpenter.sh/nodepool'] === name,
        )
        .map(({ status }) => status?.imageID ?? 'none');
    },
    async end(): Promise<void> {
      await time.finish(operator.stop());
      sandbox.stop();
    },
  };
}
