import { DescribeInstancesCommand, RunInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { instant, minutes, seconds } from '@nodewright/apis';
import { anEc2, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { instanceAsOf } from './as-of.ts';

const request = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 } as const;

async function anEndedInstance() {
  const account = await anEc2();
  const { aws, client, clock } = account;
  const start = clock.now();
  const id = (await client.send(new RunInstancesCommand(request))).Instances?.[0]?.InstanceId ?? '';
  await clock.advance(minutes(5));
  await client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  await clock.advance(minutes(5));
  const instance = aws.ec2.instances.get(id);
  if (instance === undefined) throw new Error('the instance is forgotten');
  return { ...account, id, instance, start };
}

describe('an instance as it was', () => {
  test.each<[fact: string, afterMs: number, state: string | undefined]>([
    ['before its launch is not there', -1, undefined],
    ['at its launch is pending', 0, 'pending'],
    ['seconds later is pending', seconds(2), 'pending'],
    ['after its start is running', minutes(1), 'running'],
    ['at its end is shutting down', minutes(5), 'shutting-down'],
    ['at last is terminated', minutes(10), 'terminated'],
  ])('%s', async (_, afterMs, state) => {
    const { instance, start } = await anEndedInstance();
    expect(instanceAsOf(instance, instant(start + afterMs))?.state).toBe(state);
  });

  test('has no reason of its end before that', async () => {
    const { instance, start } = await anEndedInstance();
    expect(instance.stateReason).toMatchObject({ code: 'Client.UserInitiatedShutdown' });
    expect(instanceAsOf(instance, instant(start + minutes(1)))).not.toHaveProperty('stateReason');
  });
});

test('stale descriptions show what was, and do not know what is new', async () => {
  const { aws, client, clock } = await anEc2();
  aws.faults.add({ kind: 'stale-describes', lagMs: minutes(2) });
  const id = (await client.send(new RunInstancesCommand(request))).Instances?.[0]?.InstanceId ?? '';
  const states = async () =>
    (await client.send(new DescribeInstancesCommand({}))).Reservations?.flatMap(({ Instances = [] }) =>
      Instances.map(({ State }) => State?.Name),
    );
  expect(await states()).toEqual([]);
  await expect(client.send(new DescribeInstancesCommand({ InstanceIds: [id] }))).rejects.toMatchObject({
    name: 'InvalidInstanceID.NotFound',
  });
  await clock.advance(minutes(2));
  expect(await states()).toEqual(['pending']);
  await clock.advance(minutes(1));
  expect(await states()).toEqual(['running']);
});
