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
