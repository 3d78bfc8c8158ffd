import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { hours, instant, minutes, nodeClaims, byTextOf, byNumberOf } from '@nodewright/apis';
import { type Random, seededRandom } from '@nodewright/runtime';
import { Transcript } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { callsWorld } from './support/calls-world.ts';

type World = Awaited<ReturnType<typeof callsWorld>>;

/**
 * What happens to a cluster from outside. What AWS is asked through a cache is not among it: an operator that is told has
 * asked at other times before, so it sees such a change at another poll within the same limits (`calls.test.ts`).
 */
type Act = { readonly atMs: number; readonly name: string; readonly play: (world: World) => Promise<void> };

const acts: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'an instance ends': async (world) => {
    const [claim] = await world.claims();
    const id = claim?.status?.providerID?.split('/').at(-1) ?? '';
    await world.byHand((sdk, options) => sdk.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }), options));
  },
  'a claim is deleted': async (world) => {
    const [claim] = await world.claims();
    await world.time.finish(world.admin.delete(nodeClaims, { name: claim?.metadata.name ?? '' }));
  },
  'more pods come': (world) => world.scale(4).then(() => undefined),
  'pods go': (world) => world.scale(2).then(() => undefined),
  'nothing may be disrupted': (world) => world.setBudget('0').then(() => undefined),
  'everything may be disrupted': (world) => world.setBudget('100%').then(() => undefined),
  'EC2 is out of capacity': async (world) => void world.sandbox.aws.faults.add({ kind: 'insufficient-capacity' }),
  'EC2 has capacity': async (world) => world.sandbox.aws.faults.clear(),
};

const lengthMs = hours(5);

/** So many acts at random instants, none of which is that of a poll. */
function drawHistory(random: Random, count: number): readonly Act[] {
  return Array.from({ length: count }, () => {
    const [name, play] = random.pick(Object.entries(acts).toSorted(byTextOf(([key]) => key)));
    return { atMs: minutes(40) + random.integer(lengthMs / 1_000) * 1_000 + 123, name, play };
  }).toSorted(byNumberOf(({ atMs }) => atMs));
}

/** Only who looks again tells of what stays as it is again and again. And each new event takes a UID, by which pods start. */
const events = { publish: () => undefined, flush: async () => undefined, stop: async () => undefined };

/** All states of all objects but the operator's events, and EC2NodeClasses, which show what caches have of the subnets. */
async function transcriptOfHistory(history: readonly Act[], isTold: boolean): Promise<readonly string[]> {
  const transcript = new Transcript();
  let now = (): number => 0;
  const world = await callsWorld({ isTold, events, onWrite: (write) => transcript.write(write, instant(now())) });
  now = () => world.time.clock.now();
  const from = world.time.clock.now();
  await world.fill(3);
  for (const { atMs, play } of history) {
    await world.time.run(instant(from + atMs));
    await play(world);
  }
  await world.time.run(instant(from + lengthMs + hours(1)));
  await world.end();
  return transcript.lines.filter((line) => !line.includes(' ec2nodeclasses.'));
}

for (const seed of [1]) {
  test(`an operator that is told of changes does the same as one that polls, history ${seed}`, async () => {
    const history = drawHistory(seededRandom(`history ${seed}`), 5);
    const polled = await transcriptOfHistory(history, false);
    const told = await transcriptOfHistory(history, true);
    const at = polled.findIndex((line, index) => line !== told[index]);
    const linesOf = (lines: readonly string[]) => (at < 0 ? lines.length : lines.slice(Math.max(0, at - 1), at + 2));
    const acted = history.map(({ atMs, name }) => `${atMs} ${name}`);
    expect({ acted, lines: linesOf(told) }).toEqual({ acted, lines: linesOf(polled) });
    expect(polled.length).toBeGreaterThan(200);
  });
}
