import { anAwsAccount, interceptCalls, type Interception, never, sdkError } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `i-${at.toString(16).padStart(17, '0')}`);

const [first = '', second = '', third = ''] = numbered(3);
const protectedBy = (id: string): Error =>
  sdkError('OperationNotPermitted', `The instance '${id}' may not be terminated. Modify its attribute and try again.`);
const notFound = (ids: readonly string[]): Error =>
  sdkError('InvalidInstanceID.NotFound', `The instance IDs '${ids.join(', ')}' do not exist`);

/** EC2 with running instances that it ends, unless `refusal` says why it does not. */
function anEc2(refusal: (ids: readonly string[]) => Error | undefined) {
  const { time, wireClients, cloudWith } = anAwsAccount();
  const calls: (readonly string[])[] = [];
  const ended = new Set<string>();
  let attempts = 0;
  const describe = (ids: readonly string[]): Interception => ({
    kind: 'output',
    output: { Reservations: [{ Instances: ids.map((InstanceId) => ({ InstanceId, State: { Name: 'running' } })) }] },
  });
  const terminate = (ids: readonly string[]): Interception => {
    attempts += 1;
    calls.push(ids);
    const error = refusal(ids);
    if (error !== undefined) return { kind: 'error', error };
    for (const id of ids) ended.add(id);
    return { kind: 'output', output: {} };
  };
  const intercepted = interceptCalls(wireClients(), ({ operation, input }) => {
    const ids = 'InstanceIds' in input && Array.isArray(input.InstanceIds) ? input.InstanceIds.map(String) : [];
    return operation === 'TerminateInstances' ? terminate(ids) : describe(ids);
  });
  const { instances } = cloudWith({ clients: intercepted });
  return {
    ended,
    /** Ends all at once, and says how each ended and what was asked. */
    async end(ids: readonly string[]) {
      calls.length = 0;
      attempts = 0;
      const ending = ids.map((id) => instances.terminate(`aws:///us-east-1a/${id}`, never));
      const outcomes = await time.finish(Promise.allSettled(ending));
      const failed = ids.filter((_, at) => outcomes[at]?.status === 'rejected');
      return { failed, calls: [...calls], attempts, outcomes };
    },
  };
}

test('a protected instance that the error names fails alone, and costs one call', async () => {
  const ec2 = anEc2((ids) => (ids.includes(second) ? protectedBy(second) : undefined));
  const { failed, calls, outcomes } = await ec2.end([first, second, third]);
  expect(failed).toEqual([second]);
  expect(calls).toEqual([
    [first, second, third],
    [first, third],
  ]);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'OperationNotPermitted', retry: 'backOff' } });
});

test('a refused instance is asked for apart from others from then on', async () => {
  const ec2 = anEc2((ids) => (ids.includes(second) ? protectedBy(second) : undefined));
  await ec2.end([first, second]);
  const { failed, calls } = await ec2.end([second, third]);
  expect(failed).toEqual([second]);
  expect(calls).toEqual([[third], [second]]);
});

test('a refused instance that no error names is found by halves', async () => {
  const ids = numbered(500);
  const bad = ids[317] ?? '';
  const ec2 = anEc2((asked) => (asked.includes(bad) ? sdkError('UnauthorizedOperation') : undefined));
  const { failed, calls } = await ec2.end(ids);
  expect(failed).toEqual([bad]);
  expect(ec2.ended.size).toBe(499);
  expect(calls.length).toBeLessThanOrEqual(19);
});

test('an instance whose end AWS cannot serve does not keep the others', async () => {
  const ids = numbered(64);
  const bad = ids[5] ?? '';
  const ec2 = anEc2((asked) => (asked.includes(bad) ? sdkError('InternalError', 'no', 500) : undefined));
  expect((await ec2.end(ids)).failed).toEqual([bad]);
});

for (const { fact, error, attempts } of [
  { fact: 'throttles', error: sdkError('RequestLimitExceeded', 'no', 503), attempts: 4 },
  { fact: 'is not reached', error: Object.assign(new Error('down'), { code: 'ECONNREFUSED' }), attempts: 4 },
  { fact: 'is at fault for every half', error: sdkError('InternalError', 'no', 500), attempts: 12 },
]) {
  test(`an endpoint that ${fact} is not asked for every instance`, async () => {
    const ids = numbered(200);
    const outcome = await anEc2(() => error).end(ids);
    expect(outcome.failed).toEqual(ids);
    expect(outcome.attempts).toBe(attempts);
  });
}

test('when EC2 refuses every instance, a batch makes a number of calls that grows with its logarithm', async () => {
  const ids = numbered(500);
  const ec2 = anEc2(() => sdkError('UnauthorizedOperation'));
  for (let round = 1; round <= 5; round += 1) {
    const { failed, attempts } = await ec2.end(ids);
    expect(failed).toEqual(ids);
    expect(attempts).toBeLessThanOrEqual(3 * 19);
  }
});

test('many protected instances keep no other for ever, nor one that is free again', async () => {
  const ids = numbered(60);
  const kept = new Set(ids.slice(0, 40));
  const ec2 = anEc2((asked) => {
    const held = asked.find((id) => kept.has(id));
    return held === undefined ? undefined : protectedBy(held);
  });
  let left: readonly string[] = ids;
  for (let round = 1; round <= 6; round += 1) left = (await ec2.end(left)).failed;
  expect(left).toEqual(ids.slice(0, 40));
  const freed = ids[39] ?? '';
  kept.delete(freed);
  for (let round = 1; round <= 6; round += 1) left = (await ec2.end(left)).failed;
  expect(left).toEqual(ids.slice(0, 39));
});

test('what is gone has ended, also among others', async () => {
  const gone = new Set([first, third]);
  const ec2 = anEc2((asked) => {
    const missing = asked.filter((id) => gone.has(id));
    return missing.length === 0 ? undefined : notFound(missing);
  });
  const { failed, calls } = await ec2.end([first, second, third]);
  expect(failed).toEqual([]);
  expect(calls).toEqual([[first, second, third], [second]]);
  expect([...ec2.ended]).toEqual([second]);
});

test('an error that names others says of nobody that it is gone', async () => {
  const ids = numbered(40);
  const ec2 = anEc2(() => notFound(['i-0ffffffffffffffff']));
  const { failed } = await ec2.end(ids);
  expect(failed.length).toBeGreaterThan(20);
});

test('instances that EC2 does not know are described in two calls, with those that it knows', async () => {
  const { time, wireClients, cloudWith } = anAwsAccount();
  const asked: object[] = [];
  const known = { Reservations: [{ Instances: [{ InstanceId: second, State: { Name: 'running' } }] }] };
  const intercepted = interceptCalls(wireClients(), ({ input }) => {
    asked.push(input);
    return 'InstanceIds' in input
      ? { kind: 'error', error: notFound([first, third]) }
      : { kind: 'output', output: known };
  });
  const { instances } = cloudWith({ clients: intercepted });
  const found = await time.finish(
    Promise.all([first, second, third].map((id) => instances.get(`aws:///us-east-1a/${id}`, never))),
  );
  expect(found.map((instance) => instance?.id)).toEqual([undefined, second, undefined]);
  expect(asked).toHaveLength(2);
});
