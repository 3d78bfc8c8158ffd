import { instant } from '@nodewright/apis';
import { seededRandom, LineLedger } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { groupWorld, type GroupWorld, newImage } from '@nodewright/testkit/worlds';

type Lived = { readonly world: GroupWorld; readonly lines: string[] };

let lives = 0;

/**
 * A world that goes on from what was written before it, as after `kill -9` of a sandbox with a data directory.
 * @param torn what of another line was written
 */
async function reborn(before: readonly string[], torn?: string): Promise<Lived> {
  const journal = new MemoryJournal(before);
  const kept = keptIn(torn === undefined ? before : [...before, torn]);
  lives += 1;
  let now = () => kept.last ?? instant(0);
  const ledger = new LineLedger({ kept, now: () => now(), journal });
  const world = await groupWorld({ ledger, random: seededRandom(`1/${lives}`) }, kept.last);
  now = () => world.time.clock.now();
  return { world, lines: journal.lines };
}

/** A group with an application on it, just before its update. */
async function beginning(): Promise<readonly string[]> {
  const { world, lines } = await reborn([]);
  await world.started();
  await world.deploy(6, 5);
  world.stop();
  return lines;
}

/** What an update came to, told without names that chance gives. */
async function outcomeOf({ world }: Lived, id: string) {
  const nodes = await world.nodes();
  const pods = await world.pods();
  const { min, max, desired, template, instances } = world.scaling() ?? {};
  return {
    status: (await world.outcome(id))?.status,
    group: (await world.group()).status,
    images: nodes.map(({ metadata }) => metadata.labels?.['eks.amazonaws.com/nodegroup-image']),
    apart: nodes.filter(({ spec }) => spec?.unschedulable === true || (spec?.taints ?? []).length > 0).length,
    sizes: { min, max, desired, instances: instances?.length },
    running: world.aws.ec2.instances.all().filter(({ state }) => state === 'running').length,
    template: { uses: template?.version, has: world.aws.ec2.templates.all()[0]?.versions.length },
    pods: pods.filter(({ status }) => status?.phase === 'Running').length,
  };
}

const whole = {
  status: 'Successful',
  group: 'ACTIVE',
  images: [newImage, newImage, newImage],
  apart: 0,
  sizes: { min: 3, max: 6, desired: 3, instances: 3 },
  running: 3,
  template: { uses: '2', has: 2 },
  pods: 6,
};

/** Lives until the update is over, and ten minutes more: then what it leaves behind would show. */
async function liveThrough({ world }: Lived, id: string): Promise<void> {
  for (let passed = 0; passed < 75 && (await world.outcome(id))?.status === 'InProgress'; passed += 5)
    await world.after(5);
  await world.after(10);
  world.stop();
}

/** The lines of a whole update, and where it begins. */
async function anUpdate() {
  const first = await beginning();
  const life = await reborn(first);
  const id = await life.world.update();
  const begun = life.lines.length;
  await liveThrough(life, id);
  return { id, begun, lines: life.lines, outcome: await outcomeOf(life, id) };
}

const update = anUpdate();

test('an update that nothing interrupts is the measure for all others', async () => {
  expect((await update).outcome).toEqual(whole);
});

/** Where what EKS, Auto Scaling and EC2 keep has changed: the steps of the update, one write apart. */
const cuts = async (): Promise<readonly number[]> => {
  const { begun, lines } = await update;
  return lines.flatMap((line, at) => (at >= begun && /"(eks|autoscaling|ec2)\//.test(line.slice(0, 80)) ? [at] : []));
};

const shards = 4;
for (let shard = 0; shard < shards; shard += 1) {
  test(`a sandbox that is killed after a write of EKS, Auto Scaling or EC2 finishes its update (${shard + 1} of ${shards})`, async () => {
    const { id, lines } = await update;
    const all = await cuts();
    const chosen = all.filter((_, at) => at % (shards * stride) === shard * stride);
    for (const cut of chosen) {
      const life = await reborn(lines.slice(0, cut + 1));
      await liveThrough(life, id);
      expect(await outcomeOf(life, id), `killed after line ${cut}: ${lines[cut]?.slice(0, 120)}`).toEqual(whole);
    }
  });
}

/** All of them, which is a stride of 1, take minutes; so many take seconds. */
const stride = 9;

test('a sandbox that is killed every two minutes of its update, and writes half a line each time, finishes it', async () => {
  const { id, begun, lines } = await update;
  let kept: readonly string[] = lines.slice(0, begun);
  for (let kill = 0; kill < 6; kill += 1) {
    const life = await reborn(kept, '{"at":17');
    await life.world.after(2);
    life.world.stop();
    kept = life.lines;
  }
  const last = await reborn(kept);
  await liveThrough(last, id);
  expect(await outcomeOf(last, id)).toEqual(whole);
});

test('a warm pool whose instances run is the same pool after a restart', async () => {
  const first = await reborn([]);
  await first.world.started({ warmPoolConfig: { enabled: true, poolState: 'RUNNING', maxGroupPreparedCapacity: 5 } });
  const idsOf = ({ world }: Lived) => {
    const { instances = [], warm = [] } = world.scaling() ?? {};
    return [instances.map(({ id }) => id), warm.map(({ id }) => id)];
  };
  const before = idsOf(first);
  expect(before.map((ids) => ids.length)).toEqual([3, 2]);
  first.world.stop();
  const second = await reborn(first.lines);
  await second.world.after(5);
  second.world.stop();
  expect(idsOf(second)).toEqual(before);
  expect(await second.world.nodes()).toHaveLength(3);
});
