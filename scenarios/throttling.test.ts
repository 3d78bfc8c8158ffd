import { CreateFleetCommand } from '@aws-sdk/client-ec2';
import { minutes, seconds } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { callsWorld } from './support/calls-world.ts';

/** Asks for so many nodes at once. @returns how many seconds pass until all of them run */
async function launch(world: Awaited<ReturnType<typeof callsWorld>>, size: number): Promise<number> {
  const { time, sandbox } = world;
  const before = time.clock.now();
  await world.fill(size);
  const running = () => sandbox.aws.ec2.instances.all().filter(({ state }) => state === 'running').length;
  while (running() < size && time.clock.now() < before + minutes(30)) await world.pass(seconds(5));
  expect(running()).toBe(size);
  return (time.clock.now() - before) / seconds(1);
}

test('120 nodes are launched at once, and EC2 with its documented limits refuses no call', async () => {
  const world = await callsWorld({ throttle: 'real' });
  const took = await launch(world, 120);
  // 50 calls at once, then 5 a second: 14 seconds, and those that an instance takes to run.
  expect(took).toBeGreaterThanOrEqual(14);
  expect(took).toBeLessThanOrEqual(54);
  await world.pass(minutes(5));
  expect(world.throttled()).toEqual({});
  await world.end();
});

test('where EC2 takes a tenth of that, the rate is learned with few refusals', async () => {
  const world = await callsWorld({ throttle: { share: 0.1 } });
  const took = await launch(world, 80);
  const { CreateFleet: refused = 0 } = world.throttled();
  expect(refused).toBeLessThanOrEqual(20);
  // 5 calls at once, then one every two seconds.
  expect(took).toBeLessThanOrEqual(2 * 150);
  await world.end();
});

test('where another client has emptied the bucket, the operator is refused, waits, and launches all nodes', async () => {
  const world = await callsWorld({ throttle: 'real' });
  /** Asks, with requests that launch nothing, until EC2 refuses one for its rate. @returns how many it took */
  const drain = async (): Promise<number> => {
    const target = { TargetCapacitySpecification: { TotalTargetCapacity: 1 }, LaunchTemplateConfigs: [] };
    for (let taken = 0; ; taken++) {
      const name = await world
        .byHand((sdk, options) => sdk.ec2.send(new CreateFleetCommand(target), options))
        .then(() => '')
        .catch((error: Error) => error.name);
      if (name === 'RequestLimitExceeded') return taken;
    }
  };
  await world.fill(0);
  // The operator has tried its rights with one of the 50.
  expect(await drain()).toBe(49);
  const before = world.throttled()['CreateFleet'] ?? 0;
  await world.scale(20);
  for (let at = 0; at < 40; at++) {
    await drain();
    await world.pass(seconds(0.25));
  }
  await world.pass(minutes(5));
  const refused = (world.throttled()['CreateFleet'] ?? 0) - before - 40;
  expect(refused).toBeGreaterThan(0);
  expect(await world.nodes()).toHaveLength(20);
  await world.end();
});
