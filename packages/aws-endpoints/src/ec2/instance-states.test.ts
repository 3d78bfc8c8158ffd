import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

type State = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated';
const minute = 60_000;

/** An account with one instance in a state. */
async function anInstanceThatIs(state: State) {
  const account = await anEc2();
  const { call, refusalOf } = ec2Caller(account.aws);
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  const { Instances } = (await call('RunInstances', launch)) as {
    readonly Instances: readonly { readonly InstanceId: string }[];
  };
  const InstanceIds = [Instances[0]?.InstanceId ?? ''];
  const stateNow = async (): Promise<string> => {
    const answer = (await call('DescribeInstances', { InstanceIds })) as {
      readonly Reservations: readonly {
        readonly Instances: readonly { readonly State: { readonly Name: string } }[];
      }[];
    };
    return answer.Reservations[0]?.Instances[0]?.State.Name ?? 'not there';
  };
  const wait = (minutes: number): Promise<void> => account.clock.advance(minutes * minute);
  if (state !== 'pending') await wait(2);
  if (state === 'stopping' || state === 'stopped') await call('StopInstances', { InstanceIds });
  if (state === 'shutting-down' || state === 'terminated') await call('TerminateInstances', { InstanceIds });
  if (state === 'stopped' || state === 'terminated') await wait(5);
  expect(await stateNow()).toBe(state);
  return { call, refusalOf, InstanceIds, stateNow, wait };
}

type Change = { readonly CurrentState: { readonly Name: string }; readonly PreviousState: { readonly Name: string } };

describe('an instance that is', () => {
  const refused = 'IncorrectInstanceState';
  test.each<readonly [state: State, operation: string, outcome: string, afterwards: string]>([
    ['pending', 'TerminateInstances', 'pending → shutting-down', 'terminated'],
    ['running', 'TerminateInstances', 'running → shutting-down', 'terminated'],
    ['stopping', 'TerminateInstances', 'stopping → shutting-down', 'terminated'],
    ['stopped', 'TerminateInstances', 'stopped → shutting-down', 'terminated'],
    ['shutting-down', 'TerminateInstances', 'shutting-down → shutting-down', 'terminated'],
    ['terminated', 'TerminateInstances', 'terminated → terminated', 'terminated'],
    ['running', 'StopInstances', 'running → stopping', 'stopped'],
    ['stopping', 'StopInstances', 'stopping → stopping', 'stopped'],
    ['stopped', 'StopInstances', 'stopped → stopped', 'stopped'],
    ['pending', 'StopInstances', refused, 'running'],
    ['shutting-down', 'StopInstances', refused, 'terminated'],
    ['terminated', 'StopInstances', refused, 'terminated'],
    ['stopped', 'StartInstances', 'stopped → pending', 'running'],
    ['running', 'StartInstances', 'running → running', 'running'],
    ['pending', 'StartInstances', 'pending → pending', 'running'],
    ['stopping', 'StartInstances', refused, 'stopped'],
    ['shutting-down', 'StartInstances', refused, 'terminated'],
    ['terminated', 'StartInstances', refused, 'terminated'],
  ])('%s: %s says %s, and it is %s later', async (state, operation, outcome, afterwards) => {
    const { call, InstanceIds, stateNow, wait } = await anInstanceThatIs(state);
    const answer = await call(operation, { InstanceIds });
    const changes =
      typeof answer === 'string' ? [] : Object.values(answer as Readonly<Record<string, readonly Change[]>>).flat();
    const told = changes.map(({ PreviousState, CurrentState }) => `${PreviousState.Name} → ${CurrentState.Name}`)[0];
    expect(told ?? answer).toBe(outcome);
    await wait(5);
    expect(await stateNow()).toBe(afterwards);
  });

  test.each<State>(['pending', 'running', 'stopping', 'stopped', 'shutting-down', 'terminated'])(
    '%s stays so in a dry run',
    async (state) => {
      const { call, InstanceIds, stateNow } = await anInstanceThatIs(state);
      for (const operation of ['TerminateInstances', 'StopInstances', 'StartInstances', 'RebootInstances'])
        expect(await call(operation, { InstanceIds, DryRun: true }), operation).toMatch(/^(DryRunOperation|Incorrect)/);
      expect(await stateNow()).toBe(state);
    },
  );
});

test('an instance that has ended is told of for an hour, and is unknown then', async () => {
  const { call, InstanceIds, stateNow, wait } = await anInstanceThatIs('terminated');
  await wait(50);
  expect(await stateNow()).toBe('terminated');
  await wait(15);
  expect(await call('DescribeInstances', { InstanceIds })).toBe('InvalidInstanceID.NotFound');
  expect(await call('TerminateInstances', { InstanceIds })).toBe('InvalidInstanceID.NotFound');
});

test('a protected instance is not ended, but by itself', async () => {
  const { call, InstanceIds, stateNow, wait } = await anInstanceThatIs('running');
  const [InstanceId] = InstanceIds;
  await call('ModifyInstanceAttribute', { InstanceId, DisableApiTermination: { Value: true } });
  expect(await call('TerminateInstances', { InstanceIds })).toBe('OperationNotPermitted');
  expect(await stateNow()).toBe('running');
  await call('ModifyInstanceAttribute', { InstanceId, DisableApiTermination: { Value: false } });
  await call('TerminateInstances', { InstanceIds });
  await wait(5);
  expect(await stateNow()).toBe('terminated');
});

test('of several instances none is changed where one is unknown', async () => {
  const { call, InstanceIds, stateNow } = await anInstanceThatIs('running');
  const both = [...InstanceIds, 'i-0123456789abcdef0'];
  for (const operation of ['TerminateInstances', 'StopInstances', 'RebootInstances'])
    expect(await call(operation, { InstanceIds: both }), operation).toBe('InvalidInstanceID.NotFound');
  expect(await stateNow()).toBe('running');
});
