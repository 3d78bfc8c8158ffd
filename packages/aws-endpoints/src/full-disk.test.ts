import { CreateTagsCommand, DescribeInstancesCommand, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { EKSClient, UpdateClusterVersionCommand } from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { aFailingLedger, fullDisk, keptIn } from '@nodewright/testkit';
import { anEc2, inProcess, templateName } from '@nodewright/testkit/worlds';

async function anAccount() {
  const { ledger, journal } = aFailingLedger();
  const account = await anEc2('us-east-1', { ledger });
  const run = () =>
    account.client.send(
      new RunInstancesCommand({
        LaunchTemplate: { LaunchTemplateName: templateName },
        InstanceType: 'm5.large',
        SubnetId: account.subnetIn('us-east-1a'),
        MinCount: 1,
        MaxCount: 1,
      }),
    );
  const free = () => account.aws.ec2.instances.freeAddresses(account.subnetIn('us-east-1a'));
  return { ...account, journal, run, free };
}

const unavailable = { name: 'ServiceUnavailable', message: fullDisk.message };

test('while the disk is full, calls that change something are refused, and others are answered', async () => {
  const { aws, client, journal, run } = await anAccount();
  await run();
  journal.trouble = fullDisk;
  await expect(run()).rejects.toMatchObject(unavailable);
  expect(aws.calls().at(-1)).toMatchObject({ outcome: { kind: 'refused', code: 'ServiceUnavailable' } });
  const tags = new CreateTagsCommand({ Resources: ['i-1'], Tags: [{ Key: 'a', Value: 'b' }] });
  await expect(client.send(tags)).rejects.toMatchObject(unavailable);
  const eks = new EKSClient(inProcess(aws.handle));
  const update = eks.send(new UpdateClusterVersionCommand({ name: 'my-cluster', version: '1.29' }));
  await expect(update).rejects.toMatchObject({ name: 'ServiceUnavailableException', message: fullDisk.message });
  const { Reservations = [] } = await client.send(new DescribeInstancesCommand({}));
  expect(Reservations).toHaveLength(1);
  expect(aws.calls().at(-1)).toMatchObject({ operation: 'DescribeInstances' });
});

test('what a call does, and the record of the call, are kept as one', async () => {
  const { journal, run } = await anAccount();
  const before = journal.lines.length;
  await run();
  expect(journal.lines.length - before).toBe(1);
  expect([...keptIn(journal.lines).maps.keys()]).toEqual(expect.arrayContaining(['ec2/instances', 'aws/calls']));
});

test('of a launch that turns out not to be kept nothing is left', async () => {
  const { aws, clock, journal, run, free, launched, stopping } = await anAccount();
  const before = free();
  journal.failsNext = true;
  await expect(run()).rejects.toMatchObject(unavailable);
  expect(aws.ec2.instances.all()).toEqual([]);
  const [answered, refused, ...others] = aws.calls().slice(-2);
  expect([answered?.operation, refused?.outcome.kind, others]).toEqual(['CreateLaunchTemplate', 'refused', []]);
  expect(refused?.number).toBe((answered?.number ?? 0) + 1);
  await clock.advance(10_000);
  expect(stopping).toEqual(launched.map(({ instanceId }) => instanceId));
  expect(free()).toBe(before);
});

test('nothing is shown while memory holds changes that are not kept', async () => {
  const { client, journal } = await anAccount();
  journal.trouble = { ...fullDisk, isReadable: false };
  await expect(client.send(new DescribeInstancesCommand({}))).rejects.toMatchObject(unavailable);
});
