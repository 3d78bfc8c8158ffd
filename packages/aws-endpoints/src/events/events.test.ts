import { CreateFleetCommand, DescribeInstanceStatusCommand } from '@aws-sdk/client-ec2';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { FaultError } from '../faults/fault.ts';
import { aFleet, anEc2, inProcess, aTestAccount } from '@nodewright/testkit/worlds';
import { matchesPattern, parsePattern } from './pattern.ts';

const minute = 60_000;
type Told = { readonly source: string; readonly 'detail-type': string; readonly detail: Record<string, string> };

/** An account with a running spot instance, whose queue has been read. */
async function anInstance() {
  const account = await anEc2();
  const sqs = new SQSClient(inProcess(account.aws.handle));
  const QueueUrl = 'http://sandbox.invalid/111122223333/my-cluster';
  const told = async (): Promise<readonly Told[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 3_600 }),
    );
    return Messages.map(({ Body = '' }) => JSON.parse(Body) as Told);
  };
  const overrides = [{ InstanceType: 'm5.large', SubnetId: account.subnetIn('us-east-1a') } as const];
  const { Instances } = await account.client.send(new CreateFleetCommand(aFleet(overrides)));
  const id = Instances?.[0]?.InstanceIds?.[0] ?? '';
  await account.clock.advance(minute);
  const launched = await told();
  const status = async (name: string, value: string) => {
    const Filters = [{ Name: name, Values: [value] }];
    const answer = await account.client.send(new DescribeInstanceStatusCommand({ Filters }));
    return (answer.InstanceStatuses ?? []).map(({ InstanceId }) => InstanceId);
  };
  return { ...account, id, told, launched, status };
}

const shown = (events: readonly Told[]) =>
  events.map(({ 'detail-type': type, detail }) => `${type}: ${detail['state'] ?? detail['statusCode'] ?? ''}`);

test('the queue of the cluster hears every state of an instance, in the envelope of EventBridge', async () => {
  const { id, launched, told, aws, clock } = await anInstance();
  const changed = 'EC2 Instance State-change Notification';
  expect(shown(launched)).toEqual([`${changed}: pending`, `${changed}: running`]);
  expect(launched[0]).toEqual({
    version: '0',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    'detail-type': changed,
    source: 'aws.ec2',
    account: '111122223333',
    time: '2024-01-28T16:00:00Z',
    region: 'us-east-1',
    resources: [`arn:aws:ec2:us-east-1:111122223333:instance/${id}`],
    detail: { 'instance-id': id, state: 'pending' },
  });
  aws.ec2.instances.terminate(id);
  await clock.advance(minute);
  expect(shown(await told())).toEqual([`${changed}: shutting-down`, `${changed}: terminated`]);
});

test('a spot interruption is announced before the instance ends, once, even if the sandbox restarts', async () => {
  const { aws, told, clock, id } = await anInstance();
  aws.faults.add({ kind: 'spot-interruption' });
  expect(await told()).toMatchObject([
    {
      'detail-type': 'EC2 Spot Instance Interruption Warning',
      source: 'aws.ec2',
      detail: { 'instance-id': id, 'instance-action': 'terminate' },
    },
  ]);
  aws.resume();
  expect(await told()).toEqual([]);
  await clock.advance(3 * minute);
  expect(shown(await told()).at(-1)).toBe('EC2 Instance State-change Notification: terminated');
});

test('a rebalance recommendation is announced', async () => {
  const { aws, told, id } = await anInstance();
  aws.faults.add({ kind: 'rebalance-recommendation' });
  expect(await told()).toMatchObject([
    { 'detail-type': 'EC2 Instance Rebalance Recommendation', detail: { 'instance-id': id } },
  ]);
});

test('what is planned for an instance is announced by AWS Health, shown by EC2, and called off', async () => {
  const { aws, told, status, id } = await anInstance();
  aws.faults.add({ kind: 'scheduled-change', code: 'instance-stop' });
  expect(await told()).toMatchObject([
    {
      source: 'aws.health',
      'detail-type': 'AWS Health Event',
      detail: { service: 'EC2', eventTypeCategory: 'scheduledChange', affectedEntities: [{ entityValue: id }] },
    },
  ]);
  expect(await status('event.code', 'instance-stop')).toEqual([id]);
  aws.faults.clear();
  expect(shown(await told())).toEqual(['AWS Health Event: closed']);
  expect(await status('event.code', 'instance-stop')).toEqual([]);
});

test.each(['instance', 'system'] as const)('a failing %s check is shown by EC2 until it passes', async (check) => {
  const { aws, client, status, id } = await anInstance();
  aws.faults.add({ kind: 'impaired-instance', check });
  expect(await status(`${check}-status.status`, 'impaired')).toEqual([id]);
  expect(await status(`${check === 'system' ? 'instance' : 'system'}-status.status`, 'impaired')).toEqual([]);
  const { InstanceStatuses = [] } = await client.send(new DescribeInstanceStatusCommand({ InstanceIds: [id] }));
  const [told] = InstanceStatuses;
  expect((check === 'system' ? told?.SystemStatus : told?.InstanceStatus)?.Details).toEqual([
    { Name: 'reachability', Status: 'failed', ImpairedSince: new Date('2024-01-28T16:01:00Z') },
  ]);
  aws.faults.clear();
  expect(await status(`${check}-status.status`, 'impaired')).toEqual([]);
});

test('a fault about no instance, or no reservation, is refused', async () => {
  const { faults } = aTestAccount().aws;
  expect(() => faults.add({ kind: 'scheduled-change' })).toThrow(FaultError);
  expect(() => faults.add({ kind: 'reservation-interruption', capacityReservationId: 'cr-1' })).toThrow(
    'capacityReservationId is "cr-1", wanted that of a reservation that instances run in',
  );
});

describe('a pattern', () => {
  const event = { source: 'aws.ec2', resources: ['a', 'b'], detail: { state: 'running', count: 2 } };
  test.each<readonly [object, boolean]>([
    [{ source: ['aws.ec2', 'aws.health'] }, true],
    [{ source: ['aws.health'] }, false],
    [{ resources: ['b'] }, true],
    [{ source: ['aws.ec2'], detail: { state: ['stopped'] } }, false],
    [{ detail: { count: [2] } }, true],
    [{ detail: { state: [{ prefix: 'run' }] } }, true],
    [{ detail: { state: [{ suffix: 'ing' }] } }, true],
    [{ detail: { state: [{ 'anything-but': ['running', 'pending'] }] } }, false],
    [{ detail: { state: [{ 'equals-ignore-case': 'RUNNING' }] } }, true],
    [{ detail: { other: [{ exists: false }] } }, true],
    [{ detail: { state: [{ exists: false }] } }, false],
  ])('%o matches: %s', (pattern, expected) => {
    expect(matchesPattern(parsePattern(JSON.stringify(pattern)), event)).toBe(expected);
  });

  test.each(['[]', '{}', '{"source":[]}', '{"source":"aws.ec2"}', '{"source":[{"like":"a"}]}', 'no json'])(
    '%s is none',
    (text) => {
      expect(() => parsePattern(text)).toThrow();
    },
  );
});

describe('EventBridge', () => {
  const anAccount = () => {
    const { aws } = aTestAccount();
    const ask = async (operation: string, input: object): Promise<Record<string, unknown>> => {
      const headers = { 'x-amz-target': `AWSEvents.${operation}`, 'content-type': 'application/x-amz-json-1.1' };
      const request = { method: 'POST', path: '/', headers, body: Buffer.from(JSON.stringify(input)) };
      const { body } = await aws.handle(request, new AbortController().signal);
      return JSON.parse(Buffer.from(body as Uint8Array).toString()) as Record<string, unknown>;
    };
    return { aws, ask };
  };

  test('has the five rules of the queue of the cluster from the start', async () => {
    const { ask } = anAccount();
    const { Rules } = (await ask('ListRules', {})) as { Rules: readonly { Name: string }[] };
    expect(Rules.map(({ Name }) => Name)).toEqual([
      'Karpenter-my-cluster-CapacityReservationInterruptionRule',
      'Karpenter-my-cluster-InstanceStateChangeRule',
      'Karpenter-my-cluster-RebalanceRule',
      'Karpenter-my-cluster-ScheduledChangeRule',
      'Karpenter-my-cluster-SpotInterruptionRule',
    ]);
    expect(await ask('ListTargetsByRule', { Rule: Rules[0]?.Name })).toEqual({
      Targets: [{ Id: 'KarpenterInterruptionQueueTarget', Arn: 'arn:aws:sqs:us-east-1:111122223333:my-cluster' }],
    });
  });

  test('delivers to the targets of rules that match and are enabled', async () => {
    const { aws, ask } = anAccount();
    aws.queues.create('mine', {});
    const Arn = aws.queues.arnOf('mine');
    await ask('PutRule', { Name: 'mine', EventPattern: '{"source":["shop"]}' });
    await ask('PutTargets', { Rule: 'mine', Targets: [{ Id: 'q', Arn }] });
    expect(await ask('ListRuleNamesByTarget', { TargetArn: Arn })).toEqual({ RuleNames: ['mine'] });
    const put = (Source: string) => ask('PutEvents', { Entries: [{ Source, DetailType: 'Sale', Detail: '{"a":1}' }] });
    expect(await put('shop')).toMatchObject({ FailedEntryCount: 0 });
    expect(await put('aws.ec2')).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'NotAuthorizedForSourceException' }],
    });
    await ask('DisableRule', { Name: 'mine' });
    await put('shop');
    expect(aws.queues.receive('mine', { most: 10 }).map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { source: 'shop', 'detail-type': 'Sale', detail: { a: 1 } },
    ]);
    expect(await ask('DeleteRule', { Name: 'mine' })).toMatchObject({ __type: 'ValidationException' });
    await ask('RemoveTargets', { Rule: 'mine', Ids: ['q'] });
    await ask('DeleteRule', { Name: 'mine' });
    expect(await ask('DescribeRule', { Name: 'mine' })).toMatchObject({ __type: 'ResourceNotFoundException' });
  });

  test('refuses a target that wants its events in another shape', async () => {
    const { ask } = anAccount();
    await ask('PutRule', { Name: 'mine', EventPattern: '{"source":["shop"]}' });
    const target = { Id: 'q', Arn: 'arn:aws:sqs:us-east-1:111122223333:my-cluster' };
    for (const shape of [{ InputPath: '$.detail' }, { InputTransformer: { InputTemplate: '"sold"' } }])
      expect(await ask('PutTargets', { Rule: 'mine', Targets: [{ ...target, ...shape }] })).toMatchObject({
        __type: 'ValidationException',
      });
  });

  test.each<readonly [string, object, string]>([
    ['PutRule', { Name: 'a b', EventPattern: '{"source":["x"]}' }, 'ValidationException'],
    ['PutRule', { Name: 'a', EventPattern: '{"source":[]}' }, 'InvalidEventPatternException'],
    ['PutRule', { Name: 'a' }, 'ValidationException'],
    ['ListRules', { EventBusName: 'other' }, 'ResourceNotFoundException'],
    [
      'PutTargets',
      { Rule: 'none', Targets: [{ Id: 'a', Arn: 'arn:aws:sqs:us-east-1:1:a' }] },
      'ResourceNotFoundException',
    ],
  ])('%s of %o is refused as %s', async (operation, input, expected) => {
    expect(await anAccount().ask(operation, input)).toMatchObject({ __type: expected });
  });
});
