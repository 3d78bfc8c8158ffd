import {
  CreateLaunchTemplateCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeInstanceStatusCommand,
  ModifyInstanceAttributeCommand,
  RebootInstancesCommand,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { minutes, seconds } from '@nodewright/apis';
import { anEc2, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const { aws, client, subnetIn } = account;
  const run = async (zone: string, different: Partial<RunInstancesCommandInput> = {}) => {
    const request = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 } as const;
    const SubnetId = subnetIn(`us-east-1${zone}`);
    const { Instances } = await client.send(new RunInstancesCommand({ ...request, SubnetId, ...different }));
    return Instances?.[0]?.InstanceId ?? '';
  };
  const terminate = (...InstanceIds: string[]) => client.send(new TerminateInstancesCommand({ InstanceIds }));
  const stateOf = (id: string) => aws.ec2.instances.get(id)?.state;
  const protect = (id: string, Value: boolean) =>
    client.send(new ModifyInstanceAttributeCommand({ InstanceId: id, DisableApiTermination: { Value } }));
  const isProtected = async (id: string) =>
    (await client.send(new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute: 'disableApiTermination' })))
      .DisableApiTermination?.Value;
  return { ...account, run, terminate, stateOf, protect, isProtected };
}

const unknown = 'i-0123456789abcdef0';

describe('TerminateInstances', () => {
  test.each<[fact: string, ids: readonly string[], code: string, message: string]>([
    ['without ids', [], 'InvalidParameterCombination', 'No instances specified'],
    ['of an unknown id', [unknown], 'InvalidInstanceID.NotFound', `The instance ID '${unknown}' does not exist`],
    [
      'of two unknown ids',
      [unknown, 'i-01234567'],
      'InvalidInstanceID.NotFound',
      `The instance IDs '${unknown}, i-01234567' do not exist`,
    ],
    ['of a malformed id', ['i-xyz'], 'InvalidInstanceID.Malformed', 'Invalid id: "i-xyz"'],
    [
      'of another kind of id',
      ['vol-0123456789abcdef0'],
      'InvalidInstanceID.Malformed',
      'Invalid id: "vol-0123456789abcdef0"',
    ],
  ])('%s is refused, and ends none of the others', async (_, ids, name, message) => {
    const { run, stateOf, terminate } = await world();
    const id = await run('a');
    await expect(terminate(...(ids.length === 0 ? [] : [id, ...ids]))).rejects.toMatchObject({ name, message });
    expect(stateOf(id)).toBe('pending');
  });

  test('names each instance once, in the order asked for', async () => {
    const { run, terminate } = await world();
    const [first, second] = [await run('a'), await run('b')];
    const { TerminatingInstances } = await terminate(second, first, second);
    expect(TerminatingInstances?.map(({ InstanceId }) => InstanceId)).toEqual([second, first]);
  });

  test('as a dry run ends nothing, and is refused for an unknown id', async () => {
    const { client, run, stateOf } = await world();
    const id = await run('a');
    const dry = (...InstanceIds: string[]) => client.send(new TerminateInstancesCommand({ InstanceIds, DryRun: true }));
    await expect(dry(id)).rejects.toMatchObject({ name: 'DryRunOperation', $metadata: { httpStatusCode: 412 } });
    await expect(dry(unknown)).rejects.toMatchObject({ name: 'InvalidInstanceID.NotFound' });
    expect(stateOf(id)).toBe('pending');
  });
});

describe('a protected instance', () => {
  test('keeps itself and the others of its zone; those of other zones end', async () => {
    const { protect, run, stateOf, terminate } = await world();
    const [kept, beside, elsewhere] = [await run('a'), await run('a'), await run('b')];
    await protect(kept, true);
    await expect(terminate(beside, kept, elsewhere)).rejects.toMatchObject({
      name: 'OperationNotPermitted',
      message: `The instance '${kept}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    });
    expect([kept, beside, elsewhere].map(stateOf)).toEqual(['pending', 'pending', 'shutting-down']);
  });

  test('ends once it is protected no longer', async () => {
    const { isProtected, protect, run, stateOf, terminate } = await world();
    const id = await run('a', { DisableApiTermination: true });
    expect(await isProtected(id)).toBe(true);
    await protect(id, false);
    expect(await isProtected(id)).toBe(false);
    await terminate(id);
    expect(stateOf(id)).toBe('shutting-down');
  });

  test('that is ending already keeps no other', async () => {
    const { aws, run, stateOf, terminate } = await world();
    const [ending, other] = [await run('a', { DisableApiTermination: true }), await run('a')];
    aws.ec2.instances.terminate(ending);
    await terminate(ending, other);
    expect(stateOf(other)).toBe('shutting-down');
  });

  test('is so by its launch template', async () => {
    const { client, isProtected, run } = await world();
    const LaunchTemplateData = { DisableApiTermination: true, ImageId: x86.imageId };
    await client.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'kept', LaunchTemplateData }));
    expect(await isProtected(await run('a', { LaunchTemplate: { LaunchTemplateName: 'kept' } }))).toBe(true);
  });

  test('refuses a dry run, which ends nothing', async () => {
    const { client, run, stateOf } = await world();
    const [kept, elsewhere] = [await run('a', { DisableApiTermination: true }), await run('b')];
    const dry = new TerminateInstancesCommand({ InstanceIds: [elsewhere, kept], DryRun: true });
    await expect(client.send(dry)).rejects.toMatchObject({ name: 'OperationNotPermitted' });
    expect(stateOf(elsewhere)).toBe('pending');
  });

  test('cannot be a spot instance', async () => {
    const { isProtected, protect, run } = await world();
    const spot = await run('a', { InstanceMarketOptions: { MarketType: 'spot' }, DisableApiTermination: true });
    expect(await isProtected(spot)).toBe(false);
    await expect(protect(spot, true)).rejects.toMatchObject({ name: 'UnsupportedOperation' });
  });
});

describe('ModifyInstanceAttribute', () => {
  test.each<[fact: string, input: object, code: string]>([
    [
      'an unknown instance',
      { InstanceId: unknown, DisableApiTermination: { Value: true } },
      'InvalidInstanceID.NotFound',
    ],
    ['a malformed id', { InstanceId: 'i-', DisableApiTermination: { Value: true } }, 'InvalidInstanceID.Malformed'],
    ['no instance', { DisableApiTermination: { Value: true } }, 'MissingParameter'],
    ['no attribute', {}, 'MissingParameter'],
    ['another attribute', { Attribute: 'kernel', Value: 'true' }, 'InvalidParameterValue'],
    [
      'a value that is not true or false',
      { Attribute: 'disableApiTermination', Value: 'yes' },
      'InvalidParameterValue',
    ],
    ['a dry run', { DisableApiTermination: { Value: true }, DryRun: true }, 'DryRunOperation'],
  ])('refuses %s', async (fact, input, name) => {
    const { client, isProtected, run } = await world();
    const InstanceId = await run('a');
    const own = fact === 'no instance' ? {} : { InstanceId };
    const request = { ...own, ...input } as { InstanceId: string };
    await expect(client.send(new ModifyInstanceAttributeCommand(request))).rejects.toMatchObject({ name });
    expect(await isProtected(InstanceId)).toBe(false);
  });

  test('takes the attribute by its name', async () => {
    const { client, isProtected, run } = await world();
    const InstanceId = await run('a');
    const set = (Value: string) =>
      client.send(new ModifyInstanceAttributeCommand({ InstanceId, Attribute: 'disableApiTermination', Value }));
    await set('true');
    expect(await isProtected(InstanceId)).toBe(true);
    await set('false');
    expect(await isProtected(InstanceId)).toBe(false);
  });
});

describe('DescribeInstanceAttribute', () => {
  test.each<[attribute: 'instanceType' | 'userData', answer: object]>([
    ['instanceType', { InstanceType: { Value: 'm5.large' } }],
    ['userData', { UserData: { Value: 'YQ==' } }],
  ])('tells %s', async (Attribute, answer) => {
    const { client, run } = await world();
    const InstanceId = await run('a', { UserData: 'YQ==' });
    expect(await client.send(new DescribeInstanceAttributeCommand({ InstanceId, Attribute }))).toMatchObject({
      InstanceId,
      ...answer,
    });
  });

  test('refuses an attribute that it does not know', async () => {
    const { client, run } = await world();
    const request = new DescribeInstanceAttributeCommand({
      InstanceId: await run('a'),
      Attribute: 'colour' as 'kernel',
    });
    await expect(client.send(request)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });
});

describe('the states of an instance', () => {
  test.each<[fact: string, states: readonly (string | undefined)[], step: 'wait' | 'terminate']>([
    ['a launch goes from pending to running', ['pending', 'running', 'running'], 'wait'],
    ['an end goes from shutting-down to terminated', ['shutting-down', 'terminated', 'terminated'], 'terminate'],
  ])('%s', async (_, states, step) => {
    const { clock, run, stateOf, terminate } = await world();
    const id = await run('a');
    if (step === 'terminate') await terminate(id);
    const seen = [stateOf(id)];
    await clock.advance(minutes(1));
    seen.push(stateOf(id));
    await clock.advance(minutes(30));
    expect([...seen, stateOf(id)]).toEqual(states);
  });

  test('end in terminated, also from pending', async () => {
    const { clock, run, stateOf, terminate } = await world();
    const id = await run('a');
    await clock.advance(seconds(1));
    await terminate(id);
    await clock.advance(seconds(10));
    expect(stateOf(id)).toBe('shutting-down');
    await clock.advance(minutes(1));
    expect(stateOf(id)).toBe('terminated');
  });

  test('DescribeInstanceStatus tells running instances only, unless all are asked for', async () => {
    const { client, clock, run, terminate } = await world();
    const [running, ended] = [await run('a'), await run('b')];
    await clock.advance(minutes(1));
    await terminate(ended);
    const told = async (request: object) =>
      (await client.send(new DescribeInstanceStatusCommand(request))).InstanceStatuses?.map(
        ({ InstanceId }) => InstanceId,
      );
    expect(await told({})).toEqual([running]);
    expect(await told({ InstanceIds: [running, ended] })).toEqual([running]);
    expect(await told({ IncludeAllInstances: true })).toEqual([running, ended]);
  });
});

describe('DescribeInstances', () => {
  test.each<[filter: string, value: (id: string) => string, found: number]>([
    ['instance-id', (id) => id, 1],
    ['instance-state-name', () => 'pending', 2],
    ['instance-state-code', () => '0', 2],
    ['instance-type', () => 'm5.*', 2],
    ['instance-lifecycle', () => 'spot', 1],
    ['image-id', () => x86.imageId, 2],
    ['availability-zone', () => 'us-east-1b', 1],
    ['availability-zone-id', () => 'use1-az2', 1],
    ['tenancy', () => 'default', 2],
    ['tenancy', () => 'dedicated', 0],
    ['client-token', () => 'token-b', 1],
    ['private-ip-address', () => '192.168.*', 2],
    ['private-dns-name', () => 'ip-192-168-*.ec2.internal', 2],
    ['reservation-id', () => 'r-*', 2],
    ['spot-instance-request-id', () => 'sir-*', 1],
    ['vpc-id', () => 'vpc-*', 2],
    ['subnet-id', () => 'subnet-none', 0],
    ['instance.group-id', () => 'sg-none', 0],
  ])('finds by %s', async (Name, valueFor, found) => {
    const { client, run } = await world();
    const id = await run('a');
    await run('b', { ClientToken: 'token-b', InstanceMarketOptions: { MarketType: 'spot' } });
    const { Reservations } = await client.send(
      new DescribeInstancesCommand({ Filters: [{ Name, Values: [valueFor(id)] }] }),
    );
    expect(Reservations?.flatMap(({ Instances }) => Instances ?? [])).toHaveLength(found);
  });

  test.each<[fact: string, request: object, code: string]>([
    ['an unknown id', { InstanceIds: [unknown] }, 'InvalidInstanceID.NotFound'],
    ['a malformed id', { InstanceIds: ['i-1'] }, 'InvalidInstanceID.Malformed'],
    ['ids with a page size', { InstanceIds: [unknown], MaxResults: 5 }, 'InvalidParameterCombination'],
    ['a token that it did not give out', { NextToken: 'abc' }, 'InvalidNextToken'],
    ['a dry run', { DryRun: true }, 'DryRunOperation'],
  ])('refuses %s', async (_, request, name) => {
    const { client } = await world();
    await expect(client.send(new DescribeInstancesCommand(request))).rejects.toMatchObject({ name });
  });

  test('tells instances that were launched together in one reservation', async () => {
    const { client, run } = await world();
    await run('a', { MinCount: 2, MaxCount: 2 });
    await run('b');
    const { Reservations } = await client.send(new DescribeInstancesCommand({}));
    expect(Reservations?.map(({ Instances }) => Instances?.length)).toEqual([2, 1]);
  });
});

describe('RebootInstances', () => {
  test('starts the machines of running instances anew', async () => {
    const { behaving, client, clock, run } = await world();
    const id = await run('a');
    const reboot = () => client.send(new RebootInstancesCommand({ InstanceIds: [id] }));
    await reboot();
    expect(behaving).toEqual([]);
    await clock.advance(minutes(1));
    await reboot();
    expect(behaving).toEqual([`${id} as launched`]);
  });

  test.each<[request: { InstanceIds: string[]; DryRun?: boolean }, code: string]>([
    [{ InstanceIds: [] }, 'InvalidParameterCombination'],
    [{ InstanceIds: [unknown] }, 'InvalidInstanceID.NotFound'],
  ])('%j is refused', async (request, name) => {
    const { client } = await world();
    await expect(client.send(new RebootInstancesCommand(request))).rejects.toMatchObject({ name });
  });
});
