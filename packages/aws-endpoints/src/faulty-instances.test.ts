import { CreateFleetCommand, DescribeInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { LineLedger } from '@nodewright/runtime';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { CallLog } from './calls.ts';
import type { Fault } from './faults/fault.ts';
import { Faults } from './faults/faults.ts';
import { aFleet, anEc2 } from '@nodewright/testkit/worlds';

const minute = 60_000;

async function withInstances(count = 1) {
  const account = await anEc2();
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const overrides = [{ InstanceType: 'm5.large', SubnetId: account.subnetIn('us-east-1a') } as const];
    const fleet = aFleet(overrides, { ClientToken: `claim-${number}` });
    const { Instances } = await account.client.send(new CreateFleetCommand(fleet));
    ids.push(Instances?.[0]?.InstanceIds?.[0] ?? '');
  }
  const [id = ''] = ids;
  return {
    ...account,
    id,
    ids,
    faults: account.aws.faults,
    stateOf: (each: string) => account.aws.ec2.instances.get(each)?.state,
  };
}

test('a spot instance is reclaimed when its notice is over, and the fault with it', async () => {
  const { faults, id, clock, stateOf } = await withInstances();
  faults.add({ kind: 'spot-interruption' });
  expect(faults.list()).toMatchObject([{ fault: { instanceId: id, endsAt: '2024-01-28T16:02:00Z' } }]);
  await clock.advance(2 * minute - 1_000);
  expect(stateOf(id)).toBe('running');
  await clock.advance(1_000);
  expect(stateOf(id)).toBe('shutting-down');
  expect(faults.list()).toEqual([]);
});

test('a notice that is taken back in time changes nothing', async () => {
  const { faults, id, clock, stateOf } = await withInstances();
  faults.add({ kind: 'spot-interruption', instanceId: id });
  faults.clear();
  await clock.advance(3 * minute);
  expect(stateOf(id)).toBe('running');
});

test('a running node misbehaves until the fault is cleared', async () => {
  const { faults, id, behaving } = await withInstances();
  faults.add({ kind: 'node-behavior', behavior: 'notReady', instanceId: id });
  faults.clear();
  expect(behaving).toEqual([`${id} notReady`, `${id} as launched`]);
});

test('nodes launched while a fault stands have its behavior, others that of their image', async () => {
  const { aws, launched, client, subnetIn } = await withInstances();
  aws.faults.add({ kind: 'node-behavior', behavior: 'neverJoins', zone: 'us-east-1b' });
  for (const zone of ['us-east-1a', 'us-east-1b']) {
    const overrides = [{ InstanceType: 'm5.large', SubnetId: subnetIn(zone) } as const];
    await client.send(new CreateFleetCommand(aFleet(overrides, { ClientToken: zone })));
  }
  expect(launched.map(({ behaviors }) => behaviors)).toEqual([[], [], [{ behavior: 'neverJoins' }]]);
});

test.each<{ fault: Fault; because: string }>([
  {
    fault: { kind: 'spot-interruption', zone: 'us-east-1c' },
    because: 'no spot instance of this description runs, wanted one of i-',
  },
  {
    fault: { kind: 'node-behavior', behavior: 'notReady', instanceId: 'i-00000000' },
    because: 'instanceId is "i-00000000", wanted one of i-',
  },
])('a fault of nothing that is there is refused: $because', async ({ fault, because }) => {
  const { faults } = await withInstances();
  expect(() => faults.add(fault)).toThrow(because);
  expect(faults.list()).toEqual([]);
});

test('stale descriptions do not show yet what was launched, and still show what has ended', async () => {
  const { faults, client, clock, id } = await withInstances();
  const states = async (): Promise<unknown> => {
    const { Reservations = [] } = await client.send(new DescribeInstancesCommand({}));
    return Reservations.flatMap(({ Instances = [] }) => Instances.map(({ State }) => State?.Name));
  };
  faults.add({ kind: 'stale-describes', lagMs: 30_000 });
  expect(await states()).toEqual([]);
  await expect(client.send(new DescribeInstancesCommand({ InstanceIds: [id] }))).rejects.toThrow('does not exist');
  await clock.advance(minute);
  expect(await states()).toEqual(['running']);
  faults.clear();
  await client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  faults.add({ kind: 'stale-describes', lagMs: 30_000 });
  expect(await states()).toEqual(['running']);
  await clock.advance(minute);
  expect(await states()).toEqual(['terminated']);
});

test('a fleet tells the code of a launch failure for each pool it concerns', async () => {
  const { aws, client, subnetIn } = await withInstances();
  aws.faults.add({ kind: 'launch-failure', code: 'VcpuLimitExceeded', message: 'enough', zone: 'us-east-1a' });
  const overrides = ['us-east-1a', 'us-east-1b'].map(
    (zone) => ({ InstanceType: 'm5.large', SubnetId: subnetIn(zone) }) as const,
  );
  const only = await client.send(new CreateFleetCommand(aFleet(overrides.slice(0, 1), { ClientToken: 'one' })));
  expect(only).toMatchObject({ Instances: [], Errors: [{ ErrorCode: 'VcpuLimitExceeded', ErrorMessage: 'enough' }] });
  const both = await client.send(new CreateFleetCommand(aFleet(overrides, { ClientToken: 'two' })));
  expect(both.Instances).toHaveLength(1);
});

test('a refusal has the code that was asked for, and ends after its times', async () => {
  const { aws, client } = await withInstances();
  aws.faults.add({ kind: 'refusal', operation: 'DescribeInstances', code: 'UnauthorizedOperation', times: 1 });
  await expect(client.send(new DescribeInstancesCommand({}))).rejects.toMatchObject({ name: 'UnauthorizedOperation' });
  await expect(client.send(new DescribeInstancesCommand({}))).resolves.toBeDefined();
});

test('faults and calls are there after a restart', () => {
  const journal = new MemoryJournal();
  const open = () => new LineLedger({ kept: keptIn(journal.lines), now: () => 0 as never, journal });
  const before = open();
  const faults = new Faults(before);
  faults.add({ kind: 'throttle', times: 2 });
  faults.add({ kind: 'latency', delayMs: 5 });
  faults.clear('fault-1');
  const calls = new CallLog(before);
  const call = { time: 0 as never, service: 'ec2', input: {} };
  calls.record({ ...call, operation: 'CreateTags', outcome: { kind: 'answered', output: { Return: true } } });
  calls.record({ ...call, operation: 'DescribeTags', outcome: { kind: 'answered', output: { Tags: [] } } });
  const again = open();
  expect(new Faults(again).list()).toEqual([{ id: 'fault-2', fault: { kind: 'latency', delayMs: 5 } }]);
  expect(new Faults(again).add({ kind: 'throttle' }).id).toBe('fault-3');
  expect(new CallLog(again).since(0).map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, { kind: 'answered', output: { Return: true } }],
    [2, { kind: 'answered', output: {} }],
  ]);
});
