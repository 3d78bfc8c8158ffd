import { CreateFleetCommand } from '@aws-sdk/client-ec2';
import { instant, minutes, seconds } from '@nodewright/apis';
import { LineLedger } from '@nodewright/runtime';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { aFleet, anEc2, arm, aTestAccount, never, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function world(spot = 1) {
  const account = await anEc2();
  const ids: string[] = [];
  for (let number = 1; number <= spot; number += 1) {
    const overrides = [{ InstanceType: 'm5.large', SubnetId: account.subnetIn('us-east-1a') } as const];
    const { Instances } = await account.client.send(
      new CreateFleetCommand(aFleet(overrides, { ClientToken: `claim-${number}` })),
    );
    ids.push(Instances?.[0]?.InstanceIds?.[0] ?? '');
  }
  await account.clock.advance(minutes(1));
  return { ...account, ids, ...callsOf(account) };
}

function callsOf({ aws }: Pick<Awaited<ReturnType<typeof anEc2>>, 'aws'>) {
  const call = async (operation: string, input: object): Promise<Answer> => {
    const answer = await aws.answer(
      { service: 'fis', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  const create = async (changes: object = {}) =>
    (await call('CreateExperimentTemplate', { ...interruption, ...changes })).experimentTemplate?.id ?? '';
  const start = async (experimentTemplateId: string, clientToken = 'start') =>
    (await call('StartExperiment', { clientToken, experimentTemplateId })).experiment;
  const stateOf = async (id: string) => (await call('GetExperiment', { id })).experiment?.state.status;
  return { call, create, start, stateOf };
}

type Answer = {
  readonly experimentTemplate?: { readonly id: string };
  readonly experiment?: {
    readonly id: string;
    readonly state: { readonly status: string; readonly reason: string };
    readonly actions: Readonly<Record<string, { readonly state: { readonly status: string } }>>;
  };
  readonly resolvedTargets?: readonly object[];
  readonly tags?: Readonly<Record<string, string>>;
};

const spotTarget = {
  resourceType: 'aws:ec2:spot-instance',
  selectionMode: 'ALL',
  filters: [{ path: 'State.Name', values: ['running'] }],
};

const interruption = {
  clientToken: 'template',
  description: 'reclaims spot instances',
  roleArn: 'arn:aws:iam::111122223333:role/fis',
  stopConditions: [{ source: 'none' }],
  targets: { all: spotTarget },
  actions: {
    itn: {
      actionId: 'aws:ec2:send-spot-instance-interruptions',
      parameters: { durationBeforeInterruption: 'PT3M' },
      targets: { SpotInstances: 'all' },
    },
  },
};

test('an experiment reclaims a spot instance with a recommendation, a notice and an end', async () => {
  const { aws, clock, create, start, stateOf, ids, call } = await world();
  const [id = ''] = ids;
  const experiment = await start(await create());
  expect(experiment?.state.status).toBe('initiating');
  expect(await call('ListExperimentResolvedTargets', { experimentId: experiment?.id })).toEqual({
    resolvedTargets: [
      {
        resourceType: 'aws:ec2:spot-instance',
        targetName: 'all',
        targetInformation: { arn: `arn:aws:ec2:us-east-1:111122223333:instance/${id}` },
      },
    ],
  });
  expect(aws.faults.list()).toMatchObject([{ fault: { kind: 'rebalance-recommendation', instanceId: id } }]);
  await clock.advance(minutes(1));
  expect(await stateOf(experiment?.id ?? '')).toBe('running');
  expect(aws.faults.find('spot-interruption')).toMatchObject([{ instanceId: id }]);
  await clock.advance(minutes(2) + seconds(1));
  expect(aws.ec2.instances.get(id)?.state).toBe('shutting-down');
  expect(await stateOf(experiment?.id ?? '')).toBe('completed');
});

test('the same tokens again name the same template and the same experiment', async () => {
  const { create, start } = await world();
  const id = await create();
  expect(await create()).toBe(id);
  expect((await start(id))?.id).toBe((await start(id))?.id);
});

test('what has not been announced yet is called off when an experiment stops', async () => {
  const { aws, call, clock, create, start, ids } = await world();
  const experiment = await start(await create());
  const stopped = await call('StopExperiment', { id: experiment?.id });
  expect(stopped.experiment?.state.status).toBe('stopped');
  expect(stopped.experiment?.actions['itn']?.state.status).toBe('stopped');
  await clock.advance(minutes(10));
  expect(aws.ec2.instances.get(ids[0] ?? '')?.state).toBe('running');
});

test('an alarm of a stop condition halts an experiment before its next effect', async () => {
  const { aws, clock, create, start, stateOf, ids } = await world();
  const value = 'arn:aws:cloudwatch:us-east-1:111122223333:alarm:too-slow';
  const experiment = await start(await create({ stopConditions: [{ source: 'aws:cloudwatch:alarm', value }] }));
  aws.faults.add({ kind: 'alarm', name: 'too-slow' });
  await clock.advance(minutes(10));
  expect(await stateOf(experiment?.id ?? '')).toBe('stopped');
  expect(aws.ec2.instances.get(ids[0] ?? '')?.state).toBe('running');
});

for (const { mode, count } of [
  { mode: 'COUNT(2)', count: 2 },
  { mode: 'PERCENT(50)', count: 1 },
  { mode: 'ALL', count: 3 },
]) {
  test(`${mode} of three instances selects ${count}`, async () => {
    const { call, create, start } = await world(3);
    const experiment = await start(await create({ targets: { all: { ...spotTarget, selectionMode: mode } } }));
    const { resolvedTargets } = await call('ListExperimentResolvedTargets', { experimentId: experiment?.id });
    expect(resolvedTargets).toHaveLength(count);
  });
}

test('an experiment without an instance fails, or skips the action where its template says so', async () => {
  const { create, start } = await world(0);
  expect((await start(await create(), 'first'))?.state).toEqual({
    status: 'failed',
    reason: 'Target resolution returned empty set for target all.',
  });
  const skipping = await create({ clientToken: 'other', experimentOptions: { emptyTargetResolutionMode: 'skip' } });
  expect((await start(skipping, 'second'))?.state.status).toBe('initiating');
});

test('actions start after others have ended', async () => {
  const { aws, clock, create, start, ids } = await world();
  const experiment = await start(
    await create({
      targets: { all: { ...spotTarget, resourceType: 'aws:ec2:instance' } },
      actions: {
        end: { actionId: 'aws:ec2:terminate-instances', targets: { Instances: 'all' }, startAfter: ['pause'] },
        pause: { actionId: 'aws:fis:wait', parameters: { duration: 'PT5M' } },
      },
    }),
  );
  expect(experiment?.actions['end']?.state.status).toBe('pending');
  await clock.advance(minutes(4));
  expect(aws.ec2.instances.get(ids[0] ?? '')?.state).toBe('running');
  await clock.advance(minutes(1));
  expect(aws.ec2.instances.get(ids[0] ?? '')?.state).toBe('shutting-down');
});

test('an experiment goes on after a restart, and repeats nothing', async () => {
  const journal = new MemoryJournal();
  const open = () => new LineLedger({ kept: keptIn(journal.lines), now: () => instant(0), journal });
  const first = await anEc2('us-east-1', { ledger: open() });
  const overrides = [{ InstanceType: 'm5.large', SubnetId: first.subnetIn('us-east-1a') } as const];
  const { Instances } = await first.client.send(new CreateFleetCommand(aFleet(overrides)));
  const id = Instances?.[0]?.InstanceIds?.[0] ?? '';
  await first.clock.advance(minutes(1));
  const { create, start } = callsOf(first);
  await start(await create());
  const second = aTestAccount({ releases: [x86, arm], ledger: open() });
  await second.clock.advance(minutes(1));
  second.aws.resume();
  expect(second.aws.faults.find('rebalance-recommendation')).toHaveLength(1);
  await second.clock.advance(minutes(3) + seconds(1));
  expect(second.aws.ec2.instances.get(id)?.state).toBe('shutting-down');
});

const target = (changes: object) => ({ targets: { all: { ...spotTarget, ...changes } } });
const action = (changes: object) => ({ actions: { itn: { ...interruption.actions.itn, ...changes } } });

for (const { fact, changes, message } of [
  {
    fact: 'an unknown action',
    changes: action({ actionId: 'aws:rds:reboot' }),
    message: 'aws:rds:reboot is not valid',
  },
  {
    fact: 'a notice that is too short',
    changes: action({ parameters: { durationBeforeInterruption: 'PT1M' } }),
    message: 'PT2M to PT15M',
  },
  {
    fact: 'a missing parameter',
    changes: action({ parameters: {} }),
    message: 'durationBeforeInterruption is required',
  },
  { fact: 'an unknown target', changes: action({ targets: { SpotInstances: 'none' } }), message: 'not of the type' },
  { fact: 'a missing target', changes: action({ targets: {} }), message: 'needs the target SpotInstances' },
  { fact: 'a start after nothing', changes: action({ startAfter: ['none'] }), message: 'which is no action' },
  { fact: 'a circle', changes: action({ startAfter: ['itn'] }), message: 'in a circle' },
  { fact: 'an unknown type of resources', changes: target({ resourceType: 'aws:eks:pod' }), message: 'aws:eks:pod' },
  { fact: 'a selection of nothing', changes: target({ selectionMode: 'SOME' }), message: 'selection mode SOME' },
  {
    fact: 'ARNs beside filters',
    changes: target({ resourceArns: ['arn:aws:ec2:us-east-1:1:instance/i-1'] }),
    message: 'beside',
  },
  { fact: 'a short ARN of a role', changes: { roleArn: 'role' }, message: 'roleArn' },
]) {
  test(`a template with ${fact} is refused`, async () => {
    await expect((await world(0)).create(changes)).rejects.toThrow(message);
  });
}

test('templates are changed, tagged, listed and deleted', async () => {
  const { call, create } = await world(0);
  const id = await create({ tags: { team: 'a' } });
  await call('UpdateExperimentTemplate', { id, description: 'other' });
  expect(await call('GetExperimentTemplate', { id })).toMatchObject({ experimentTemplate: { description: 'other' } });
  const resourceArn = `arn:aws:fis:us-east-1:111122223333:experiment-template/${id}`;
  await call('TagResource', { resourceArn, tags: { env: 'b' } });
  await call('UntagResource', { resourceArn, tagKeys: ['team'] });
  expect((await call('ListTagsForResource', { resourceArn })).tags).toEqual({ env: 'b' });
  expect(await call('ListExperimentTemplates', {})).toMatchObject({ experimentTemplates: [{ id }] });
  await call('DeleteExperimentTemplate', { id });
  await expect(call('GetExperimentTemplate', { id })).rejects.toThrow('ResourceNotFoundException');
});

test('a template and its experiments tell where logs would go', async () => {
  const { call, create, start } = await world();
  const logGroupArn = 'arn:aws:logs:us-east-1:111122223333:log-group:fis:*';
  const logConfiguration = { logSchemaVersion: 2, cloudWatchLogsConfiguration: { logGroupArn } };
  const id = await create({ logConfiguration });
  expect((await call('GetExperimentTemplate', { id })).experimentTemplate).toMatchObject({ logConfiguration });
  expect(await start(id)).toMatchObject({ logConfiguration });
  const other = { logSchemaVersion: 2, s3Configuration: { bucketName: 'logs', prefix: 'fis' } };
  const changed = await call('UpdateExperimentTemplate', { id, logConfiguration: other });
  expect(changed.experimentTemplate).toMatchObject({ logConfiguration: other });
});
