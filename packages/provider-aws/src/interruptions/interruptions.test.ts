import { instant } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';
import { anAwsAccount, never, accountStart } from '@nodewright/testkit/worlds';
import { categoriesOf } from './instance-health.ts';

async function aWorld(interruptionQueue = 'demo') {
  const { time, aws, cloudWith } = anAwsAccount({ zones: 1 });
  await aws.load();
  const cloud = cloudWith({ interruptionQueue });
  const send = (body: string) => aws.queues.send('demo', { body, sender: 'test' });
  const receive = () => time.finish(queueOf(cloud).receive(never));
  return { time, aws, cloud, send, receive };
}

function queueOf({ interruptions }: Cloud) {
  if (interruptions === undefined) throw new Error('there is no queue');
  return interruptions;
}

const warning = JSON.stringify({
  version: '0',
  source: 'aws.ec2',
  'detail-type': 'EC2 Spot Instance Interruption Warning',
  detail: { 'instance-id': 'i-1' },
});

describe('the queue', () => {
  test('waits twenty seconds for messages, and gives ten at most', async () => {
    const { time, send, receive } = await aWorld();
    expect(await receive()).toEqual([]);
    expect(time.clock.now()).toBe(accountStart + 20_000);
    for (let count = 0; count < 11; count += 1) send(warning);
    expect((await receive()).map(({ content }) => content.kind)).toEqual(Array(10).fill('spot_interrupted'));
    expect(await receive()).toHaveLength(1);
  });

  test('gives a message again after twenty seconds unless it was removed', async () => {
    const { time, cloud, aws, send, receive } = await aWorld();
    send(warning);
    await receive();
    const [again] = await receive();
    expect([again?.content.kind, time.clock.now()]).toEqual(['spot_interrupted', accountStart + 20_000]);
    if (again !== undefined) await time.finish(queueOf(cloud).remove(again, never));
    expect(aws.queues.counts('demo')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  test('hands over what it cannot read', async () => {
    const { send, receive } = await aWorld();
    send('no json');
    expect((await receive()).map(({ content }) => content.kind)).toEqual(['malformed']);
  });

  test('that is not there, or goes, is an error with its code, and found once it is there', async () => {
    const { time, aws, receive } = await aWorld('later');
    const missing = { name: 'CloudError', code: 'QueueDoesNotExist' };
    await expect(receive()).rejects.toMatchObject(missing);
    aws.queues.create('later', {});
    expect(await receive()).toEqual([]);
    aws.queues.delete('later');
    await expect(receive()).rejects.toMatchObject(missing);
    await time.run(instant(time.clock.now() + 60_000));
    aws.queues.create('later', {});
    expect(await receive()).toEqual([]);
  });

  test('that may not be read is an error with its code', async () => {
    const { aws, receive } = await aWorld();
    aws.faults.add({ kind: 'deny', service: 'sqs', operation: 'ReceiveMessage' });
    await expect(receive()).rejects.toMatchObject({ code: 'AccessDenied', retry: 'backOff' });
  });

  test('is none where none is configured', async () => {
    expect((await aWorld('')).cloud.interruptions).toBeUndefined();
  });
});

describe('a status of EC2', () => {
  const now = instant(accountStart + 600_000);
  const failing = (Status: 'failed' | 'passed', sinceMs: number) => ({
    Details: [{ Name: 'reachability' as const, Status, ImpairedSince: new Date(now - sinceMs) }],
  });

  test.each([
    [{ SystemStatus: failing('failed', 120_000) }, ['SystemStatus']],
    [{ SystemStatus: failing('failed', 119_999) }, []],
    [{ SystemStatus: failing('passed', 120_000) }, []],
    [
      { InstanceStatus: failing('failed', 300_000), SystemStatus: failing('failed', 300_000) },
      ['InstanceStatus', 'SystemStatus'],
    ],
    [{ AttachedEbsStatus: failing('failed', 300_000) }, []],
    [{ Events: [{ Code: 'instance-stop' as const, Description: 'soon' }] }, ['EventStatus']],
    [{ Events: [{ Code: 'instance-stop' as const, Description: '[Completed] soon' }] }, []],
    [{ Events: [{ Code: 'system-reboot' as const, Description: '[Canceled] soon' }] }, []],
  ])('%o means %o', (status, expected) => {
    expect(categoriesOf(status as Parameters<typeof categoriesOf>[0], now)).toEqual(expected);
  });

  test('is asked for by what is wrong, and healthy instances are not told', async () => {
    const { time, aws, cloud } = await aWorld();
    const unhealthy = () => time.finish(cloud.instanceHealth.unhealthy(never));
    expect(await unhealthy()).toEqual([]);
    aws.faults.add({ kind: 'deny', service: 'ec2', operation: 'DescribeInstanceStatus' });
    await expect(unhealthy()).rejects.toMatchObject({ code: 'UnauthorizedOperation' });
  });
});
